import { withCallLimit } from '../../basics/calls/call-limit.ts';
import { Failure } from '../../basics/failure.ts';
import type { Secret } from '../../basics/secret.ts';
import type { StackRow } from '../../store/stacks/stacks.ts';
import { type Driver, stackOnVendor } from '../../vendors/vendor.ts';
import { limitOf } from '../ask-vendor.ts';
import type { Service } from '../service.ts';
import { readStackKey } from '../stacks/settle/key-pairs.ts';
import { connectVendor, vendorOf } from '../stacks/submit/vendor-access.ts';

type KeyReader = (flag: string) => Promise<Secret | undefined>;

const fromVendor =
  (service: Service, read: NonNullable<Driver['readPrivateKey']>, stack: StackRow): KeyReader =>
  (flag) =>
    withCallLimit(limitOf(service, stack.account_id), () => read(stackOnVendor(stack), flag)).catch(
      (cause: unknown) => {
        throw new Failure('vendor_trouble', 'The key could not be read from the vendor; try again', {
          cause,
        });
      },
    );

/** How to read the keys of a stack: from its vendor, or from the store if Almanac made them. Refuses if there are none. */
export async function keyReaderOf(service: Service, stack: StackRow): Promise<KeyReader> {
  const driver = await connectVendor(service, stack);
  if (driver.readPrivateKey) return fromVendor(service, driver.readPrivateKey.bind(driver), stack);
  const { needsPublicKeys = false } = await vendorOf(service, stack);
  if (needsPublicKeys) return (flag) => readStackKey(service, stack.id, flag);
  throw new Failure('invalid_request', `Vendor ${stack.vendor} does not provide private keys`, {
    description: 'Use your own key: add it to the users of the container.',
  });
}

/** Reads a layer's private key. Checks no permission: callers must do so first. */
export async function readLayerKey(service: Service, stack: StackRow, flag: string): Promise<Secret> {
  const readKey = await keyReaderOf(service, stack);
  const key = await readKey(flag);
  if (!key)
    throw new Failure('not_found', `The key pair of layer ${flag} does not exist`, {
      description: 'The stack may still be in progress; check its status.',
    });
  return key;
}
