import { Secret } from '../../basics/secret.ts';
import { sealedPlaceholder } from '../language.ts';
import { sealedAs, sealedName } from '../placeholders.ts';
import { type Members, plainText } from '../plain-values.ts';

/** A v2 stack is one layer of this name. */
export const layerFlag = 'web';

/** The monitoring service, as the agent knows its add-on. */
export const monitoringAddon = 'mackerel';

const registryPassword = `${layerFlag}/registry_password`;
const gitPrivateKey = `${layerFlag}/git_private_key`;
const monitoringKey = `${layerFlag}/addon/${monitoringAddon}/api_key`;

/** Members of documents and requests that are secrets, and the names they are kept under: a template's names. */
const secretNames: ReadonlyMap<string, string> = new Map([
  ['dockerHubPassword', registryPassword],
  ['gitPrivateKey', gitPrivateKey],
  ['privateKey', gitPrivateKey],
  ['monitoring', monitoringKey],
  ['mackerelApiKey', monitoringKey],
  ['monitoringApiKey', monitoringKey],
]);

export interface WithoutSecrets {
  /** The members, with a secret's name in its place: whatever looks at them cannot show one. */
  members: Members;
  /** What stood there, by the secret's name. */
  texts: ReadonlyMap<string, string>;
}

export const setSecretsAside = (members: Members): WithoutSecrets => {
  const texts = new Map<string, string>();
  const entries = Object.entries(members).map(([member, value]): [string, unknown] => {
    const name = secretNames.get(member);
    const text = plainText(value);
    if (name === undefined || text === '') return [member, value];
    texts.set(name, text);
    return [member, sealedAs(name)];
  });
  return { members: Object.fromEntries(entries), texts };
};

/** The members with something else where the names of secrets stand. */
const replaceNames = <T extends object>(members: T, replacement: (name: string) => string): T => {
  const entries = Object.entries(members).map(([member, value]: [string, unknown]) => {
    const name = typeof value === 'string' ? sealedName(value) : null;
    return [member, name === null ? value : replacement(name)];
  });
  return Object.fromEntries(entries) as T;
};

/** Puts back what was set aside. */
export const putSecretsBack = <T extends object>(members: T, texts: ReadonlyMap<string, string>): T =>
  replaceNames(members, (name) => texts.get(name) ?? sealedPlaceholder);

/** The members as they are kept and shown. */
export const sealSecrets = <T extends object>(members: T): T =>
  replaceNames(members, () => sealedPlaceholder);

/** The secrets that are new, and the names of those that are said to be known already. */
export const sortSecrets = (texts: ReadonlyMap<string, string>) => {
  const isKnown = ([, text]: [string, string]): boolean => text === sealedPlaceholder;
  const fresh = [...texts].filter((entry) => !isKnown(entry));
  return {
    secrets: new Map(fresh.map(([name, text]) => [name, new Secret(text)])),
    keptSecrets: [...texts].filter(isKnown).map(([name]) => name),
  };
};
