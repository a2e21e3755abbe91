import { at } from '../../../basics/problem.ts';
import type { Layer, LoadBalancer, StackModel } from '../../../model/stack-model.ts';
import type { Remark } from '../../../vendors/portability.ts';
import type { Catalog } from '../../../vendors/vendor.ts';

const hasServers = ({ capacity }: Layer): boolean =>
  capacity.kind === 'group' || (capacity.kind === 'fixed' && capacity.count > 0);

/** What a vendor takes where the document says nothing. */
export const defaultRemarks = ({ layers }: StackModel, catalog: Catalog): Remark[] =>
  layers.flatMap((layer, index) => {
    if (!hasServers(layer)) return [];
    const { instanceType, volume } = layer;
    const { defaultInstanceType, defaultVolumeType, defaultVolumeGib } = catalog;
    const hasDisk = defaultVolumeGib > 0 && defaultVolumeType !== '';
    return [
      ...(instanceType === null
        ? [
            {
              path: at('layers', index, 'instanceType'),
              message: `Instance type ${defaultInstanceType}, the default.`,
            },
          ]
        : []),
      ...(hasDisk && volume.sizeGib === null && volume.type === null
        ? [
            {
              path: at('layers', index, 'volume'),
              message: `Disk of ${defaultVolumeGib} GiB (${defaultVolumeType}), the default.`,
            },
          ]
        : []),
    ];
  });

const named = (what: string, name: string | null, unnamed: string): string =>
  name === null ? unnamed : `${what} ${name}`;

const decided = (path: string, things: readonly string[]): Remark[] =>
  things.length === 0 ? [] : [{ path, message: `Decided at submit: ${things.join(', ')}.` }];

const domainsOf = ({ listeners }: LoadBalancer): string[] => [
  ...new Set(
    listeners
      .filter(({ protocol }) => protocol === 'https' || protocol === 'ssl')
      .flatMap(({ certificateDomain }) => certificateDomain ?? []),
  ),
];

/** What only the cloud can say: whether it has what the document names, and what it takes where the document is silent. */
export const openRemarks = (
  { region, layers, databases, caches }: StackModel,
  catalog: Catalog,
): Remark[] => [
  ...decided('region', catalog.regions === 'asked' ? [`region ${region}`] : []),
  ...layers.flatMap((layer, index) => [
    ...decided(
      at('layers', index),
      hasServers(layer)
        ? [
            ...(layer.instanceType === null ? [] : [`type ${layer.instanceType}`]),
            named('image', layer.machineImage, 'the image'),
            named('zone', layer.zone, 'the zone'),
          ]
        : [],
    ),
    ...decided(
      at('layers', index, 'loadBalancer'),
      (layer.loadBalancer ? domainsOf(layer.loadBalancer) : []).map(
        (domain) => `the certificate for ${domain}`,
      ),
    ),
  ]),
  ...databases.flatMap(({ instanceType, engineVersion }, index) =>
    decided(at('databases', index), [
      named('class', instanceType, 'the class'),
      named('version', engineVersion, 'the version'),
    ]),
  ),
  ...caches.flatMap(({ nodeType }, index) => decided(at('caches', index), [`type ${nodeType}`])),
];
