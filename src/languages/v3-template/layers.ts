import { entryOf } from '../../basics/entry-of.ts';
import { at } from '../../basics/problem.ts';
import { resourceSuffix } from '../../model/names.ts';
import type { Layer } from '../../model/stack-model.ts';
import { computed } from '../placeholders.ts';
import { standInText } from '../read-by-schema.ts';
import type { Report } from '../report.ts';
import { compileLoadBalancer } from './balancer.ts';
import { compileCapacity, type LayerContext } from './capacity.ts';
import { compileContainer } from './container.ts';
import type { TemplateLayer, TemplateProvision } from './schema.ts';
import { compileNetworkAcl, compileSecurityGroup } from './traffic.ts';

/** Both `${computed}` and an omitted value let the vendor choose. */
const orVendorDefault = <T>(value: T | typeof computed | undefined): T | null =>
  value === undefined || value === computed ? null : value;

const volumeRanges: Readonly<Record<string, readonly [number, number]>> = {
  io1: [4, 16384],
  st1: [500, 16384],
  sc1: [500, 16384],
  standard: [1, 1024],
};

const compileVolume = (provision: TemplateProvision, path: string, report: Report): Layer['volume'] => {
  const type = orVendorDefault<string>(provision.volume_type);
  const sizeGib = orVendorDefault<number>(provision.volume_size);
  const [min, max] = entryOf(volumeRanges, type ?? '') ?? [1, 16384];
  if (sizeGib !== null && (sizeGib < min || sizeGib > max))
    report(at(path, 'volume_size'), `must be from ${min} to ${max} for ${type} volumes.`);
  return { type, sizeGib };
};

const compileSubnet = (provision: TemplateProvision, cidr: string): Layer['subnet'] => {
  const isPublic = provision.subnet?.public ?? true;
  return {
    cidr,
    public: isPublic,
    assignPublicIp: isPublic && (provision.subnet?.auto_assign_public_ip ?? true),
  };
};

const compileRollout = ({
  rollout_timeout: seconds,
  on_failure: choice,
}: TemplateLayer): Pick<Layer, 'rollout'> =>
  seconds === undefined && choice === undefined
    ? {}
    : {
        rollout: {
          ...(seconds === undefined ? {} : { timeoutSeconds: seconds }),
          ...(choice === undefined ? {} : { onFailure: choice }),
        },
      };

export const compileLayer = (context: LayerContext, index: number, cidr: string): Layer => {
  const { layer, path, report } = context;
  const provision = layer.provision ?? {};
  const containerPath = at('configurations', index, 'container');
  return {
    flag: layer.flag,
    role: layer.role,
    zone: provision.availability_zone ?? null,
    instanceType: orVendorDefault<string>(provision.instance_type),
    machineImage: orVendorDefault<string>(provision.image),
    volume: compileVolume(provision, path, report),
    keyPair: provision.keypair ?? true,
    subnet: compileSubnet(provision, cidr),
    networkAcl: compileNetworkAcl(layer, at(path, 'network_acl'), report),
    securityGroup: compileSecurityGroup(layer, at(path, 'security_group'), report),
    capacity: compileCapacity(context),
    loadBalancer: compileLoadBalancer(context),
    container: layer.container ? compileContainer(layer.container, containerPath, report) : null,
    ...compileRollout(layer),
  };
};

/** Flags must also differ in the letters and digits that resource names use. */
export const reportDuplicateFlags = (layers: readonly TemplateLayer[], report: Report): void => {
  for (const [index, { flag }] of layers.entries()) {
    const earlier = layers.findIndex((other) => resourceSuffix(other.flag) === resourceSuffix(flag));
    const other = layers[earlier]?.flag;
    if (flag === standInText || earlier >= index) continue;
    const message =
      other === flag
        ? `is a duplicate: "${flag}". Each layer needs a unique flag.`
        : `is too similar to "${other}": resource names use only letters and digits, which are the same in both.`;
    report(at('configurations', index, 'flag'), message);
  }
};
