import type { Configuration, Server } from './schema.ts';
import type { Sent } from './sent.ts';

/** Everything single is kept as text. */
type AsText<T> = T extends readonly (infer Item)[] ? { [Name in keyof Item]: string }[] : string;

export type KeptConfiguration = { [Name in keyof Configuration]?: AsText<NonNullable<Configuration[Name]>> };

/** A v2 stack as it is kept: the caller's words as text, and what was set on its servers since. */
export interface V2Document {
  configuration: KeptConfiguration;
  server: Server;
}

/** What one request changes; null clears. */
export interface Changes {
  configuration: Sent<KeptConfiguration>;
  server: Sent<Omit<Server, 'environmentVariables'>> & {
    /** The whole environment anew; cleared when empty. */
    environmentVariables?: Server['environmentVariables'] | undefined;
  };
}

const textOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((item: object) => membersAsText(item));
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
};

const membersAsText = (members: object): object =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, textOf(value)]));

/** What was read, in the form it is kept in. */
export const keptForm = (read: Sent<Configuration>): Sent<KeptConfiguration> => membersAsText(read);

const applied = <T extends object>(before: T, changes: object): T => {
  const sent = Object.entries(changes).filter(([, value]) => value !== undefined);
  const all = Object.entries({ ...before, ...Object.fromEntries(sent) });
  return Object.fromEntries(all.filter(([, value]) => value !== null)) as T;
};

/** The document after a change: only what the change names is different. It holds new secrets until it is compiled. */
export const mergeChanges = (document: V2Document | null, changes: Changes): V2Document => ({
  configuration: applied(document?.configuration ?? {}, changes.configuration),
  server: applied(document?.server ?? { environmentVariables: [] }, changes.server),
});

/** A stack's configuration as it is answered: without passwords and keys. */
export const presentConfiguration = (document: V2Document): Record<string, unknown> => {
  const { dockerHubPassword: _password, gitPrivateKey: _key, ...shown } = document.configuration;
  return shown;
};
