import { isObject } from '../../../basics/is-object.ts';
import { Secret } from '../../../basics/secret.ts';
import type { StackOnVendor } from '../../vendor.ts';
import { ifThere, observing } from '../errors.ts';
import { keyPair } from '../names.ts';
import { findCloudStack, type Region } from '../region.ts';

const attribute = 'PrivateKeyBody';

/** Reads the key from ROS, which keeps it as an attribute of the key pair. There is no other copy. */
export async function readPrivateKey(
  region: Region,
  { id }: StackOnVendor,
  flag: string,
): Promise<Secret | undefined> {
  const { value: stack } = await findCloudStack(region, id);
  if (!stack) return undefined;
  const answer = await observing(() =>
    ifThere(() =>
      region.clients.call<{ ResourceAttributes?: unknown }>({
        service: 'ros',
        action: 'GetStackResource',
        query: { StackId: stack.rosId, LogicalResourceId: keyPair(flag), ResourceAttributes: [attribute] },
      }),
    ),
  );
  const key = keyIn(answer?.ResourceAttributes);
  return key ? new Secret(key) : undefined;
}

/** The vendor does not document how it names attributes and values in the list. */
function keyIn(attributes: unknown): string | undefined {
  for (const row of Array.isArray(attributes) ? attributes : [attributes]) {
    const values: unknown[] = isObject(row) ? Object.values(row) : [];
    const named: unknown = isObject(row) ? row[attribute] : undefined;
    const found =
      named ?? (values.includes(attribute) ? values.find((value) => value !== attribute) : undefined);
    if (typeof found === 'string' && found !== '') return found;
  }
  return undefined;
}
