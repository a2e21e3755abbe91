import type { DataChoice } from '../../../src/model/data-choice.ts';
import type { ObservedStore, Release } from '../../../src/vendors/data.ts';
import type { Driver, StackOnVendor } from '../../../src/vendors/vendor.ts';

async function storesOf(driver: Driver, stack: StackOnVendor): Promise<readonly ObservedStore[]> {
  const seen = await driver.observe(stack);
  return seen.kind === 'unreachable' ? [] : (seen.view.stores ?? []);
}

/** One choice for all stores that the driver sees. */
export const releasesOf = async (
  driver: Driver,
  stack: StackOnVendor,
  choice: DataChoice,
): Promise<Release[]> =>
  (await storesOf(driver, stack)).map(({ id, resource, kind }) => ({
    storeId: id,
    resource,
    kind,
    choice: kind === 'disk' ? 'delete' : choice,
  }));
