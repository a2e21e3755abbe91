import type { Patch } from './patch.ts';
import type { Configuration, Server } from './schema.ts';

/** Single values are stored as strings. */
type AsText<T> = T extends readonly (infer Item)[] ? { [Name in keyof Item]: string }[] : string;

export type StoredConfiguration = {
  [Name in keyof Configuration]?: AsText<NonNullable<Configuration[Name]>>;
};

/** A v2 stack as stored: the configuration with its values as strings, and the settings of its servers. */
export interface V2Document {
  configuration: StoredConfiguration;
  server: Server;
}

/** Changes of one request; null clears. */
export interface Changes {
  configuration: Patch<StoredConfiguration>;
  server: Patch<Omit<Server, 'environmentVariables'>> & {
    /** Replaces the whole environment; empty clears it. */
    environmentVariables?: Server['environmentVariables'] | undefined;
  };
}

const textOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((item: object) => membersAsText(item));
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
};

const membersAsText = (members: object): object =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, textOf(value)]));

/** Converts what was read to the form it is stored in. */
export const storedForm = (changes: Patch<Configuration>): Patch<StoredConfiguration> =>
  membersAsText(changes);

const applied = <T extends object>(before: T, changes: object): T => {
  const changed = Object.entries(changes).filter(([, value]) => value !== undefined);
  const all = Object.entries({ ...before, ...Object.fromEntries(changed) });
  return Object.fromEntries(all.filter(([, value]) => value !== null)) as T;
};

/** Applies changes to a document; members not named stay the same. The result contains new secrets until compiled. */
export const mergeChanges = (document: V2Document | null, changes: Changes): V2Document => ({
  configuration: applied(document?.configuration ?? {}, changes.configuration),
  server: applied(document?.server ?? { environmentVariables: [] }, changes.server),
});

/** A stack's configuration as returned in responses: without passwords and keys. */
export const presentConfiguration = (document: V2Document): Record<string, unknown> => {
  const { dockerHubPassword: _password, gitPrivateKey: _key, ...shown } = document.configuration;
  return shown;
};
