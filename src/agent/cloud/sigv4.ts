import aws4 from 'aws4';

export interface AwsKeys {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string | undefined;
}

interface AwsRequest {
  method: string;
  url: string;
  service: string;
  region: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /** Milliseconds since 1970. */
  now: number;
}

/** The format of `x-amz-date`: 20150830T123600Z. */
const formatDate = (ms: number): string => new Date(ms).toISOString().replaceAll(/[:-]|\.\d{3}/g, '');

/** Signs a request with AWS Signature Version 4. Returns the headers to send, with lower-case names. */
export function signAws(keys: AwsKeys, request: AwsRequest): Record<string, string> {
  const { accessKeyId, secretAccessKey, sessionToken } = keys;
  const { method, service, region, body = '', headers = {} } = request;
  const url = new URL(request.url);
  const unsigned = {
    method,
    service,
    region,
    body,
    host: url.host,
    path: `${url.pathname}${url.search}`,
    headers: { ...headers, 'x-amz-date': formatDate(request.now) },
    // By default aws4 does not sign some headers, such as `range`.
    extraHeadersToInclude: Object.fromEntries(Object.keys(headers).map((name) => [name.toLowerCase(), true])),
  };
  const credentials = { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) };
  const signed = Object.entries(aws4.sign(unsigned, credentials).headers ?? {});
  return Object.fromEntries(
    signed
      .map(([name, value]): [string, string] => [name.toLowerCase(), String(value)])
      .filter(([name]) => name !== 'host'),
  );
}
