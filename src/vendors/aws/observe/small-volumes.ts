import { diskSizeOutput, storeOutput } from '../names.ts';
import type { Region } from '../region.ts';
import type { CloudStack } from './list-stacks.ts';
import { sizesOf } from './list-volumes.ts';

/** Volumes that are smaller than the stack's version wants, and the sizes they should have in GiB. */
export async function findSmallVolumes(
  region: Region,
  stack: CloudStack,
  maxAgeMs: number,
): Promise<Map<string, number>> {
  const wanted = wantedSizes(stack);
  if (wanted.size === 0) return new Map();
  const servers = (await region.instances.get(maxAgeMs)).value.get(stack.stackId) ?? [];
  const volumes = new Map(
    [...wanted].flatMap(([server, gib]) => {
      const roots = servers.filter(({ resource }) => resource === server).map(({ rootVolume }) => rootVolume);
      return [...roots, ...filesOf(stack, server)].map((id) => [id, gib] as const);
    }),
  );
  const unknown = [...volumes].filter(([id, gib]) => id !== '' && (region.grown.get(id) ?? 0) < gib);
  if (unknown.length === 0) return new Map();
  const ids = unknown.map(([id]) => id);
  for (const [id, gib] of await sizesOf(region.clients, ids)) region.grown.set(id, gib);
  // A volume that is gone needs no growth.
  return new Map(unknown.filter(([id, gib]) => (region.grown.get(id) ?? gib) < gib));
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
