import type { Clock } from '../../basics/clock.ts';
import { type HttpAnswer, http } from '../http.ts';
import type { Metadata } from './metadata.ts';
import { signAws } from './sigv4.ts';

export interface AwsAccess {
  clock: Clock;
  metadata: Metadata;
  /** From the settings; asked of the metadata service when absent. */
  region: string | undefined;
  /** From the settings; stands for every service. */
  endpoint: string | undefined;
}

interface AwsRequest {
  method: 'GET' | 'POST';
  service: 'ssm' | 's3';
  /** What stands before the service's name in its address. */
  prefix?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
  timeoutSeconds?: number;
}

const domainOf = (region: string): string =>
  region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';

/** One request with the rights of the instance's role. */
async function askAws(access: AwsAccess, request: AwsRequest): Promise<HttpAnswer> {
  const region = access.region ?? (await access.metadata.region());
  if (region === undefined) throw new Error('The region is not known; set "region" in the settings.');
  const host = `https://${request.prefix ?? ''}${request.service}.${region}.${domainOf(region)}`;
  const url = `${(access.endpoint ?? host).replace(/\/+$/, '')}${request.path}`;
  const keys = await access.metadata.keys();
  const headers = signAws(keys, { ...request, url, region, now: access.clock.now() });
  const { method, body, timeoutSeconds = 30 } = request;
  return http(access.clock, url, { method, headers, body, timeoutSeconds });
}

/** The service's own word for what went wrong; never its sentence, which may repeat what was sent. */
const wordOf = ({ status, body }: HttpAnswer): string => {
  const text = body.toString('utf8');
  const word = /"__type"\s*:\s*"(?:[^"#]*#)?(\w+)"/.exec(text) ?? /<Code>(\w+)<\/Code>/.exec(text);
  return word?.[1] ?? `status ${status}`;
};

/** The value of a parameter of the Systems Manager, decrypted. */
export async function readParameter(access: AwsAccess, name: string): Promise<string> {
  const answer = await askAws(access, {
    method: 'POST',
    service: 'ssm',
    path: '/',
    headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': 'AmazonSSM.GetParameter' },
    body: JSON.stringify({ Name: name, WithDecryption: true }),
  });
  if (answer.status !== 200) throw new Error(`Parameter ${name} cannot be read: ${wordOf(answer)}.`);
  const { Parameter } = JSON.parse(answer.body.toString('utf8')) as { Parameter?: { Value?: string } };
  if (!Parameter?.Value) throw new Error(`Parameter ${name} is empty.`);
  return Parameter.Value;
}

const escapeKey = (key: string): string => key.split('/').map(encodeURIComponent).join('/');

/** The bytes of an object of S3. A bucket with dots has no certificate of its own, so it goes into the path. */
export async function readObject(access: AwsAccess, bucket: string, key: string): Promise<Buffer> {
  const inPath = bucket.includes('.') || access.endpoint !== undefined;
  const answer = await askAws(access, {
    method: 'GET',
    service: 's3',
    ...(inPath ? {} : { prefix: `${bucket}.` }),
    path: `${inPath ? `/${bucket}` : ''}/${escapeKey(key)}`,
    timeoutSeconds: 600,
  });
  if (answer.status !== 200) throw new Error(`s3://${bucket}/${key} cannot be read: ${wordOf(answer)}.`);
  return answer.body;
}
