import type { IncomingMessage } from 'node:http';

/** One call of AWS, parsed from the request. */
export interface Call {
  key: string;
  region: string;
  service: string;
  operation: string;
  /** Members of the form, text members of the JSON body, or the path of an S3 request. */
  input: Readonly<Record<string, string>>;
  /** When it arrived. */
  at: number;
  /** 0 while there is no response. */
  status: number;
  /** The body of an error response. */
  error?: string;
}

/** S3 requests contain no operation name. Covers the operations Almanac calls. */
function objectStoreOperation(method: string, path: string): string {
  const [bucketPath = '', query = ''] = path.split('?');
  const [, , ...key] = bucketPath.split('/');
  if (key.join('/') !== '')
    return (
      { GET: 'GetObject', PUT: 'PutObject', DELETE: 'DeleteObject', HEAD: 'HeadObject' }[method] ?? method
    );
  const member = /^(encryption|publicAccessBlock|lifecycle|tagging|policy|versioning)\b/.exec(query)?.[1];
  if (member) return `${method} ${member}`;
  return (
    { GET: 'ListObjects', PUT: 'CreateBucket', DELETE: 'DeleteBucket', HEAD: 'HeadBucket' }[method] ?? method
  );
}

const textsIn = (members: object): Record<string, string> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => typeof value === 'string'));

const text = (value: string | string[] | undefined): string => String(value ?? '');

export function readCall({ headers, method = '', url = '' }: IncomingMessage, body: Buffer): Call {
  const scope = /Credential=([^/]+)\/[^/]+\/([^/]+)\/([^/]+)\//.exec(text(headers.authorization));
  const [key = '', region = '', service = ''] = scope?.slice(1) ?? [];
  const call = { key, region, service, at: Date.now(), status: 0 };
  if (service === 's3')
    return { ...call, operation: objectStoreOperation(method, url), input: { path: url } };
  const target = text(headers['x-amz-target']);
  if (target)
    return {
      ...call,
      operation: target.split('.').at(-1) ?? '',
      input: textsIn(JSON.parse(body.toString() || '{}') as object),
    };
  const form = Object.fromEntries(new URLSearchParams(body.toString()));
  return { ...call, operation: form.Action ?? `${method} ${url}`, input: form };
}

/** Counts the calls of each operation, most frequent first. */
export function countByOperation(calls: readonly Call[]): [operation: string, count: number][] {
  const counts = new Map<string, number>();
  for (const { service, operation } of calls) {
    const name = `${service}:${operation}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].toSorted(([, one], [, other]) => other - one);
}
