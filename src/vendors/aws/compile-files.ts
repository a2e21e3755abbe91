import { resourceSuffix } from '../../model/names.ts';
import type { Layer } from '../../model/stack-model.ts';
import { groupId, innerSecurityGroup } from './compile-borders.ts';
import { type Context, type Entry, keptWhenReplaced } from './compile-context.ts';
import { homesOf, zoneOf } from './compile-places.ts';
import { ref } from './document.ts';
import * as names from './logical-names.ts';

const nfsPort = 2049;

/** A network file system the document does not name must be made. */
export const needsFileSystem = ({ container }: Layer): boolean =>
  container?.storage?.kind === 'efs' && container.storage.id === null;

/** Told by its letter, so that one more zone renames none of the others. */
const zoneNumber = (zone: string): number => zone.charCodeAt(zone.length - 1) - 'a'.charCodeAt(0) + 1;

/** One door to it in each zone: AWS allows no more. */
function doorsOf({ model, choices }: Context, layer: Layer): Map<number, string> {
  const doors = new Map<number, string>();
  for (const home of homesOf(model, layer)) {
    const number = zoneNumber(zoneOf(home, choices.zones));
    if (!doors.has(number)) doors.set(number, names.subnet(home.flag));
  }
  return doors;
}

export function fileSystem(context: Context, layer: Layer): Entry[] {
  if (!needsFileSystem(layer)) return [];
  const { flag } = layer;
  const guard = names.fileSystemSecurityGroup(flag);
  const door = ([number, subnet]: [number, string]): Entry => [
    names.mountTarget(flag, number),
    {
      Type: 'AWS::EFS::MountTarget',
      Properties: {
        FileSystemId: ref(names.fileSystem(flag)),
        SubnetId: ref(subnet),
        SecurityGroups: [groupId(guard)],
      },
    },
  ];
  return [
    [
      names.fileSystem(flag),
      { Type: 'AWS::EFS::FileSystem', ...keptWhenReplaced, Properties: { Encrypted: true } },
    ],
    [guard, innerSecurityGroup(context, `Files of layer ${resourceSuffix(flag)}`, nfsPort)],
    ...[...doorsOf(context, layer)].map(door),
  ];
}
