import { Secret } from '../../../basics/secret.ts';
import type { StackOnVendor } from '../../vendor.ts';
import { ignoreError, readAws } from '../errors.ts';
import { keyPairOutput } from '../names.ts';
import { findCloudStack, type Region } from '../region.ts';

/** Reads the key from Parameter Store, where CloudFormation stores it under the id of the pair. There is no other copy. */
export async function readPrivateKey(
  region: Region,
  { id }: StackOnVendor,
  flag: string,
): Promise<Secret | undefined> {
  const { value: stack } = await findCloudStack(region, id);
  const pair = stack?.outputs.get(keyPairOutput(flag));
  if (!pair) return undefined;
  const ssm = await region.clients.ssm();
  const response = await readAws(() =>
    ignoreError({ name: /^ParameterNotFound$/ }, () =>
      ssm.getParameter({ Name: `/ec2/keypair/${pair.value}`, WithDecryption: true }),
    ),
  );
  const key = response?.Parameter?.Value;
  return key ? new Secret(key) : undefined;
}
