import type { Clock } from '../../basics/clock.ts';
import { type HttpResponse, http } from '../http.ts';
import type { Metadata } from './metadata.ts';
import { signAws } from './sigv4.ts';

export interface AwsAccess {
  clock: Clock;
  metadata: Metadata;
  /** Default: from the metadata service. */
  region: string | undefined;
  /** Replaces the endpoints of all services. */
  endpoint: string | undefined;
}

interface AwsRequest {
  method: 'GET' | 'POST';
  service: 'ssm' | 's3' | 'autoscaling';
  /** Prefix of the host name. */
  prefix?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
  timeoutSeconds?: number;
}

const domainOf = (region: string): string =>
  region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';

/** Sends one request, signed with the keys of the instance's role. */
async function callAws(access: AwsAccess, request: AwsRequest): Promise<HttpResponse> {
  const region = access.region ?? (await access.metadata.region());
  if (region === undefined) throw new Error('Unknown AWS region. Set "region" in the settings.');
  const host = `https://${request.prefix ?? ''}${request.service}.${region}.${domainOf(region)}`;
  const url = `${(access.endpoint ?? host).replace(/\/+$/, '')}${request.path}`;
  const keys = await access.metadata.keys();
  const headers = signAws(keys, { ...request, url, region, now: access.clock.now() });
  const { method, body, timeoutSeconds = 30 } = request;
  return http(access.clock, url, { method, headers, body, timeoutSeconds });
}

/** The error code of the service. Its message is not used: it may repeat the request. */
const errorCodeOf = ({ status, body }: HttpResponse): string => {
  const text = body.toString('utf8');
  const code = /"__type"\s*:\s*"(?:[^"#]*#)?(\w+)"/.exec(text) ?? /<Code>(\w+)<\/Code>/.exec(text);
  return code?.[1] ?? `status ${status}`;
};

/** Reads and decrypts a parameter of Systems Manager. */
export async function readParameter(access: AwsAccess, name: string): Promise<string> {
  const response = await callAws(access, {
    method: 'POST',
    service: 'ssm',
    path: '/',
    headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': 'AmazonSSM.GetParameter' },
    body: JSON.stringify({ Name: name, WithDecryption: true }),
  });
  if (response.status !== 200) throw new Error(`Cannot read parameter ${name}: ${errorCodeOf(response)}.`);
  const { Parameter } = JSON.parse(response.body.toString('utf8')) as { Parameter?: { Value?: string } };
  if (!Parameter?.Value) throw new Error(`Parameter ${name} is empty.`);
  return Parameter.Value;
}

const escapeKey = (key: string): string => key.split('/').map(encodeURIComponent).join('/');

/** Reads an S3 object. Buckets with dots use path style: the certificate of S3 does not match their host names. */
export async function readObject(access: AwsAccess, bucket: string, key: string): Promise<Buffer> {
  const isPathStyle = bucket.includes('.') || access.endpoint !== undefined;
  const response = await callAws(access, {
    method: 'GET',
    service: 's3',
    ...(isPathStyle ? {} : { prefix: `${bucket}.` }),
    path: `${isPathStyle ? `/${bucket}` : ''}/${escapeKey(key)}`,
    timeoutSeconds: 600,
  });
  if (response.status !== 200)
    throw new Error(`Cannot read s3://${bucket}/${key}: ${errorCodeOf(response)}.`);
  return response.body;
}

interface LifecycleAction {
  group: string;
  hook: string;
  instanceId: string;
}

/** Ends the wait of a hook for this instance. */
export async function completeLifecycleAction(access: AwsAccess, action: LifecycleAction): Promise<void> {
  const response = await callAws(access, {
    method: 'POST',
    service: 'autoscaling',
    path: '/',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      Action: 'CompleteLifecycleAction',
      Version: '2011-01-01',
      AutoScalingGroupName: action.group,
      LifecycleHookName: action.hook,
      InstanceId: action.instanceId,
      LifecycleActionResult: 'CONTINUE',
    }).toString(),
  });
  if (response.status !== 200)
    throw new Error(`Cannot complete the lifecycle action: ${errorCodeOf(response)}.`);
}
