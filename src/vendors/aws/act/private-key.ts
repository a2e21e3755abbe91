import { Secret } from '../../../basics/secret.ts';
import type { StackOnVendor } from '../../vendor.ts';
import { look } from '../errors.ts';
import { keyPairOutput } from '../names.ts';
import { findCloudStack, type Region } from '../region.ts';
import { tolerate } from '../tolerate.ts';

/** CloudFormation leaves the key of every pair it makes in the Parameter Store, under the pair's id. It is kept nowhere else. */
export async function readPrivateKey(
  region: Region,
  { id }: StackOnVendor,
  flag: string,
): Promise<Secret | undefined> {
  const { value: stack } = await findCloudStack(region, id);
  const pair = stack?.outputs.get(keyPairOutput(flag));
  if (!pair) return undefined;
  const ssm = await region.clients.ssm();
  const told = await look(() =>
    tolerate({ name: /^ParameterNotFound$/ }, () =>
      ssm.getParameter({ Name: `/ec2/keypair/${pair.value}`, WithDecryption: true }),
    ),
  );
  const key = told?.Parameter?.Value;
  return key ? new Secret(key) : undefined;
}
