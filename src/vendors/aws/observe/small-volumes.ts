import { diskSizeOutput, storeOutput } from '../names.ts';
import type { Region } from '../region.ts';
import type { CloudStack } from './list-stacks.ts';

/** Volumes that are smaller than the stack's version wants, and the sizes they should have in GiB. */
export async function findSmallVolumes(
  region: Region,
  stack: CloudStack,
  maxAgeMs: number,
): Promise<Map<string, number>> {
  const wanted = wantedSizes(stack);
  if (wanted.size === 0) return new Map();
  const servers = (await region.instances.get(maxAgeMs)).value.get(stack.stackId) ?? [];
  const small = new Map<string, number>();
  for (const [server, gib] of wanted) {
    const roots = servers.filter(({ resource }) => resource === server).map(({ rootVolume }) => rootVolume);
    for (const id of [...roots, ...filesOf(stack, server)]) {
      const size = region.grown.get(id) === gib ? gib : (await region.volumes.get(id, maxAgeMs)).value;
      // The volume of a terminated server is gone.
      if (size !== undefined && size < gib) small.set(id, gib);
    }
  }
  return small;
}

/** By the logical id of the server. */
const wantedSizes = ({ outputs }: CloudStack): Map<string, number> =>
  new Map(
    [...outputs]
      .filter(([key]) => key.startsWith(diskSizeOutput('')))
      .map(([key, { value }]) => [key.slice(diskSizeOutput('').length), Number(value)]),
  );

/** The volume with the files of a server has the number and the layer of the server in its name. */
function filesOf({ outputs }: CloudStack, server: string): string[] {
  const name = new RegExp(`^${storeOutput('Files')}[a-z0-9]*[a-z]${server.replace('Instance', '')}$`);
  return [...outputs].filter(([key]) => name.test(key)).map(([, { value }]) => value);
}
