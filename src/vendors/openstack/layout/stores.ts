import type { StoreKind } from '../../../model/data-choice.ts';
import type { DeclaredStore } from '../../data.ts';
import { storeNameIn } from '../../shared/store-names.ts';

export const serverType = 'OS::Nova::Server';
export const volumeType = 'OS::Cinder::Volume';
export const databaseTypes: ReadonlySet<string> = new Set([
  'OS::Trove::Instance',
  'FCX::Database::DBInstance',
]);

/** The start of a resource's name, before its number and the name in the model. */
const prefix = /^(?:Database|(Instance|Files|RedisData|Redis)(\d+)Of)/;

/** By type, and for servers and volumes by the start of the name. Other nodes of Redis have copies, and a boot volume goes with its server. */
function kindOf(name: string, type: string): StoreKind | undefined {
  if (databaseTypes.has(type)) return 'database';
  const [, start = '', index = ''] = prefix.exec(name) ?? [];
  if (type === serverType && start === 'Instance') return 'disk';
  if (type === serverType && start === 'Redis' && index === '0') return 'cache';
  if (type === volumeType && start === 'Files') return 'files';
  return type === volumeType && start === 'RedisData' ? 'cache' : undefined;
}

/** The store of data that a resource of this name and type is; undefined: it holds none, or only copies. */
export function storeIn(resource: string, resourceType: string): DeclaredStore | undefined {
  const kind = kindOf(resource, resourceType);
  return kind && { resource, resourceType, kind, name: storeNameIn(resource, prefix) };
}

/** A Redis server whose data is on a separate volume is not a store. */
export const withoutServersOf = <Store extends DeclaredStore>(stores: readonly Store[]): Store[] => {
  const onVolumes = new Set(
    stores
      .filter(({ kind, resourceType }) => kind === 'cache' && resourceType === volumeType)
      .map(({ name }) => name),
  );
  return stores.filter(
    ({ kind, resourceType, name }) => kind !== 'cache' || resourceType === volumeType || !onVolumes.has(name),
  );
};
