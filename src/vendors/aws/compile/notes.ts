import { at } from '../../../basics/problem.ts';
import type { Layer, StackModel } from '../../../model/stack-model.ts';
import type { Remark } from '../../portability.ts';
import { databaseStorage } from '../catalog.ts';
import type { Choices } from '../choices.ts';
import { instanceNames } from '../layout/disks.ts';
import { existingDatabase } from '../layout/versions.ts';

/** Says where AWS has a higher minimum than templates. Only once: the size is part of the choices from then on. */
export const storageNotes = (model: StackModel, kept: Choices): string[] =>
  storageRemarks(model, kept).map(({ message }) => message);

/** The same, with the members that they are about. */
export const storageRemarks = ({ databases }: StackModel, kept: Pick<Choices, 'databases'>): Remark[] =>
  databases.flatMap((database, index) => {
    const { name, storageGib } = database;
    const isRaised = storageGib < databaseStorage.minGib;
    if (!isRaised || existingDatabase(database, kept.databases[name])) return [];
    const message = `Database ${name} gets ${databaseStorage.minGib} GiB of storage instead of ${storageGib}, the minimum of AWS.`;
    return [{ path: at('databases', index, 'storageGib'), message }];
  });

/** A server attaches the volume of its files when it is made. */
export const fileNotes = ({ layers }: StackModel, { disks }: Pick<Choices, 'disks'>): string[] =>
  layers
    .filter((layer) => layer.container?.storage?.kind === 'local' && hasServersWithoutVolume(layer, disks))
    .map(
      ({ flag }) =>
        `The servers of layer ${flag} were made without a volume for files: their files are on their own disks, and are lost when a server is replaced.`,
    );

const hasServersWithoutVolume = (layer: Layer, disks: Choices['disks']): boolean =>
  instanceNames(layer).some((server) => disks[server]?.files === false);
