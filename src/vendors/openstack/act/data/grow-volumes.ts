import type { OpenStackDocument, Template } from '../../document.ts';
import { observing, Refusal, unlessDeleted } from '../../errors.ts';
import { volumeType } from '../../layout/stores.ts';
import type { HeatResource } from '../../observe/resources.ts';
import type { Region } from '../../region.ts';

const service = 'volumev3';
/** The first version of the interface that enlarges volumes in use. */
const microversion = 'volume 3.42';

interface Grown {
  /** What Heat has. */
  before: Template | undefined;
  document: OpenStackDocument;
  resources: readonly HeatResource[];
}

const sizeIn = (template: Template | undefined, name: string): number =>
  Number(template?.resources[name]?.properties?.['size'] ?? 0);

/** The volumes that a document makes larger, by the names of their resources. */
export const growing = ({ before, document: { template } }: Omit<Grown, 'resources'>): string[] =>
  Object.keys(template.resources).filter(
    (name) =>
      template.resources[name]?.type === volumeType &&
      sizeIn(before, name) > 0 &&
      sizeIn(template, name) > sizeIn(before, name),
  );

/**
 * Enlarges volumes before Heat sees their new size: Heat would detach them first, which interrupts the server, and never ends for
 * the volume that a server boots from. False: Cinder is not done yet.
 */
export async function growVolumes(region: Region, grown: Grown): Promise<boolean> {
  if (!region.dialect.capabilities.growsVolumes) return true;
  const isDone = await Promise.all(
    growing(grown).map((name) => {
      const { physicalId } = grown.resources.find((each) => each.name === name) ?? { physicalId: '' };
      return (
        physicalId === '' ||
        grow(region, { name, id: physicalId, gib: sizeIn(grown.document.template, name) })
      );
    }),
  );
  return !isDone.includes(false);
}

interface Volume {
  name: string;
  id: string;
  gib: number;
}

async function grow({ client }: Region, { name, id, gib }: Volume): Promise<boolean> {
  const path = `/volumes/${id}`;
  type Shown = { volume: { status: string; size: number } };
  const found = await observing(() => unlessDeleted(() => client.read<Shown>({ service, path })));
  if (!found) return true;
  const { status, size } = found.volume;
  if (status === 'extending') return false;
  if (status === 'error_extending')
    throw new Refusal(
      `The cloud failed to enlarge volume ${id} of ${name}. Ask its operator for the reason; nothing else was changed.`,
    );
  if (size >= gib) return true;
  const body = { 'os-extend': { new_size: gib } };
  await client.change({ service, method: 'POST', path: `${path}/action`, body, microversion });
  return false;
}
