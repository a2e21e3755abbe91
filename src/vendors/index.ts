import type { Clock } from '../basics/clock.ts';
import { type AwsTools, awsVendor } from './aws/vendor.ts';
import type { SandboxCloud } from './sandbox/cloud.ts';
import { sandboxVendor } from './sandbox/driver.ts';
import type { Vendor } from './vendor.ts';

export interface VendorTools {
  clock: Clock;
  aws: Omit<AwsTools, 'clock'>;
  sandboxCloud: SandboxCloud;
  sandboxSpeed: number;
}

/** The vendors this build can drive, by name. */
export type Vendors = ReadonlyMap<string, Vendor>;

/** The only list of vendors. */
export function makeVendors({ clock, aws, sandboxCloud, sandboxSpeed }: VendorTools): Vendors {
  const vendors = [
    awsVendor({ clock, ...aws }),
    sandboxVendor({ cloud: sandboxCloud, clock, speed: sandboxSpeed }),
  ];
  return new Map(vendors.map((vendor) => [vendor.name, vendor]));
}
