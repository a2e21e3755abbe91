import type { StackModel } from '../../../model/stack-model.ts';
import { databaseStorage } from '../catalog.ts';
import type { Choices } from '../choices.ts';
import { existingDatabase } from '../layout/versions.ts';

/** Says where AWS has a higher minimum than templates. Only once: the size is part of the choices from then on. */
export const storageNotes = ({ databases }: StackModel, kept: Choices): string[] =>
  databases.flatMap((database) => {
    const { name, storageGib } = database;
    const isRaised = storageGib < databaseStorage.minGib;
    if (!isRaised || existingDatabase(database, kept.databases[name])) return [];
    return [
      `Database ${name} gets ${databaseStorage.minGib} GiB of storage instead of ${storageGib}, the minimum of AWS.`,
    ];
  });
