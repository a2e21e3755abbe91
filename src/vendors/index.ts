import type { Clock } from '../basics/clock.ts';
import { openEngine } from '../docker-engine/engine.ts';
import type { CloudName } from './alicloud/catalog.ts';
import { type AlicloudTools, alicloudVendor } from './alicloud/vendor.ts';
import { type AwsTools, awsVendor } from './aws/vendor.ts';
import type { DockerTools } from './docker/tools.ts';
import { dockerVendor } from './docker/vendor.ts';
import type { DialectName } from './openstack/dialect.ts';
import { type OpenStackTools, openStackVendor } from './openstack/vendor.ts';
import type { SandboxCloud } from './sandbox/cloud.ts';
import { sandboxVendor } from './sandbox/vendor.ts';
import type { Vendor } from './vendor.ts';

export interface VendorTools {
  clock: Clock;
  aws: Omit<AwsTools, 'clock'>;
  openStack: (name: DialectName) => Omit<OpenStackTools, 'clock'>;
  alicloud: (name: CloudName) => Omit<AlicloudTools, 'clock'>;
  /** Null: this machine has no container engine. */
  docker: Omit<DockerTools, 'clock' | 'engineAt'> | null;
  sandboxCloud: SandboxCloud;
  sandboxSpeed: number;
}

/** The vendors this build supports, by name. */
export type Vendors = ReadonlyMap<string, Vendor>;

/** The only list of vendors. */
export function makeVendors(tools: VendorTools): Vendors {
  const { clock, aws, openStack, alicloud, docker, sandboxCloud, sandboxSpeed } = tools;
  const engineAt = (socketPath: string) => openEngine({ socketPath, clock });
  const vendors = [
    awsVendor({ clock, ...aws }),
    openStackVendor('openstack', { clock, ...openStack('openstack') }),
    openStackVendor('k5', { clock, ...openStack('k5') }),
    alicloudVendor('alicloud', { clock, ...alicloud('alicloud') }),
    alicloudVendor('sbcloud', { clock, ...alicloud('sbcloud') }),
    ...(docker ? [dockerVendor({ clock, engineAt, ...docker })] : []),
    sandboxVendor({ cloud: sandboxCloud, clock, speed: sandboxSpeed }),
  ];
  return new Map(vendors.map((vendor) => [vendor.name, vendor]));
}
