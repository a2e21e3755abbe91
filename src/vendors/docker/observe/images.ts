import { engines, type ImageRole, imageRoles } from '../catalog.ts';
import type { DockerDocument } from '../document.ts';
import { imageOf, type Machine } from '../tools.ts';

const rolesIn = ({ services, balancers }: DockerDocument): ImageRole[] => [
  'instance',
  ...(balancers.length > 0 ? (['haproxy'] as const) : []),
  ...services.map(({ engine }) => engines[engine].image),
];

async function describeMissing(machine: Machine, roles: readonly ImageRole[]): Promise<string | null> {
  const names = [...new Set(roles)].map((role) => imageOf(machine.tools, role));
  const found = await Promise.all(names.map((name) => machine.engine.images.inspect(name)));
  const missing = names.filter((_, index) => !found[index]);
  if (missing.length === 0) return null;
  const which = missing.length === 1 ? `the image ${missing[0]}` : `the images ${missing.join(', ')}`;
  return `The engine does not have ${which}. Build the images with images/build.sh.`;
}

/** An error message about the images a stack needs and the engine lacks; null: it has them all. */
export const missingImages = (machine: Machine, document: DockerDocument): Promise<string | null> =>
  describeMissing(machine, rolesIn(document));

export const anyMissingImages = (machine: Machine): Promise<string | null> =>
  describeMissing(machine, imageRoles);
