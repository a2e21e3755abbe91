import type { Clock } from '../../basics/clock.ts';
import { randomHex } from '../../basics/random.ts';
import { type HttpResponse, http } from '../http.ts';
import { queryText, signAcs3 } from './acs3.ts';
import type { Metadata } from './metadata.ts';

interface AlicloudAccess {
  clock: Clock;
  metadata: Pick<Metadata, 'keys' | 'region'>;
  /** Default: from the metadata service. */
  region: string | undefined;
  /** Replaces the endpoint of the service. */
  endpoint: string | undefined;
}

/** The error code of the service. Its message is not used: it may repeat the request. */
const errorCodeOf = ({ status, body }: HttpResponse): string =>
  /"Code"\s*:\s*"([\w.]+)"/.exec(body.toString('utf8'))?.[1] ?? `status ${status}`;

/** Reads and decrypts a secret parameter of OOS, with the keys of the instance's role. */
export async function readSecretParameter(access: AlicloudAccess, name: string): Promise<string> {
  const { clock, metadata, endpoint } = access;
  const region = access.region ?? (await metadata.region());
  if (region === undefined) throw new Error('Unknown region of Alibaba Cloud. Set "region" in the settings.');
  const base = (endpoint ?? `https://oos.${region}.aliyuncs.com`).replace(/\/+$/, '');
  const url = `${base}/?${queryText({ RegionId: region, Name: name, WithDecryption: 'true' })}`;
  const headers = signAcs3(await metadata.keys(), {
    method: 'POST',
    url,
    action: 'GetSecretParameter',
    version: '2019-06-01',
    now: clock.now(),
    nonce: randomHex(32),
  });
  const response = await http(clock, url, {
    method: 'POST',
    headers: { ...headers, accept: 'application/json' },
    body: '',
  });
  if (response.status !== 200)
    throw new Error(`Cannot read secret parameter ${name}: ${errorCodeOf(response)}.`);
  const { Parameter } = JSON.parse(response.body.toString('utf8')) as { Parameter?: { Value?: string } };
  if (!Parameter?.Value) throw new Error(`Secret parameter ${name} is empty.`);
  return Parameter.Value;
}
