import type { Clock } from '../basics/clock.ts';
import { openEngine } from '../docker-engine/engine.ts';
import { type AwsTools, awsVendor } from './aws/vendor.ts';
import type { DockerTools } from './docker/tools.ts';
import { dockerVendor } from './docker/vendor.ts';
import type { SandboxCloud } from './sandbox/cloud.ts';
import { sandboxVendor } from './sandbox/vendor.ts';
import type { Vendor } from './vendor.ts';

export interface VendorTools {
  clock: Clock;
  aws: Omit<AwsTools, 'clock'>;
  /** Null: this machine has no container engine. */
  docker: Omit<DockerTools, 'clock' | 'engineAt'> | null;
  sandboxCloud: SandboxCloud;
  sandboxSpeed: number;
}

/** The vendors this build supports, by name. */
export type Vendors = ReadonlyMap<string, Vendor>;

/** The only list of vendors. */
export function makeVendors({ clock, aws, docker, sandboxCloud, sandboxSpeed }: VendorTools): Vendors {
  const engineAt = (socketPath: string) => openEngine({ socketPath, clock });
  const vendors = [
    awsVendor({ clock, ...aws }),
    ...(docker ? [dockerVendor({ clock, engineAt, ...docker })] : []),
    sandboxVendor({ cloud: sandboxCloud, clock, speed: sandboxSpeed }),
  ];
  return new Map(vendors.map((vendor) => [vendor.name, vendor]));
}
