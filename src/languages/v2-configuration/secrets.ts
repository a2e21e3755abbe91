import { Secret } from '../../basics/secret.ts';
import { sealedPlaceholder } from '../language.ts';
import { replaceSealed, sealedAs } from '../placeholders.ts';
import { type Members, plainText } from '../plain-values.ts';
import { extractFromUrl, urlKinds } from '../url-members.ts';

/** The flag of a v2 stack's only layer. */
export const layerFlag = 'web';

/** The agent's name for the monitoring add-on. */
export const monitoringAddon = 'mackerel';

const registryPassword = `${layerFlag}/registry_password`;
const gitPrivateKey = `${layerFlag}/git_private_key`;
const monitoringKey = `${layerFlag}/addon/${monitoringAddon}/api_key`;

/** Members of documents and requests that are secrets, with the names they are stored under (the same as in templates). */
const secretNames: ReadonlyMap<string, string> = new Map([
  ['dockerHubPassword', registryPassword],
  ['gitPrivateKey', gitPrivateKey],
  ['privateKey', gitPrivateKey],
  ['monitoring', monitoringKey],
  ['mackerelApiKey', monitoringKey],
  ['monitoringApiKey', monitoringKey],
]);

/** Members that may be URLs with secrets, with what the names of those start with. */
const urlPrefixes: ReadonlyMap<string, string> = new Map([
  ['image', `${layerFlag}/${urlKinds.image}`],
  ['code', `${layerFlag}/${urlKinds.repository}`],
  ['filepath', `${layerFlag}/${urlKinds.repository}`],
]);

interface WithoutSecrets {
  /** The members with placeholders instead of secrets, so that no later code can show one. */
  members: Members;
  /** The values of the secrets, by name. */
  texts: ReadonlyMap<string, string>;
}

export const extractSecrets = (members: Members): WithoutSecrets => {
  const texts = new Map<string, string>();
  const entries = Object.entries(members).map(([member, value]): [string, unknown] => {
    const name = secretNames.get(member);
    const prefix = urlPrefixes.get(member);
    const text = plainText(value);
    if (prefix !== undefined && typeof value === 'string')
      return [member, extractFromUrl(text, prefix, (part, secret) => texts.set(part, secret))];
    if (name === undefined || text === '') return [member, value];
    texts.set(name, text);
    return [member, sealedAs(name)];
  });
  return { members: Object.fromEntries(entries), texts };
};

/** Replaces the placeholders of secrets. */
const replacePlaceholders = <T extends object>(members: T, replacement: (name: string) => string): T => {
  const entries = Object.entries(members).map(([member, value]: [string, unknown]) => {
    return [member, typeof value === 'string' ? replaceSealed(value, replacement) : value];
  });
  return Object.fromEntries(entries) as T;
};

/** Puts extracted secrets back. */
export const restoreSecrets = <T extends object>(members: T, texts: ReadonlyMap<string, string>): T =>
  replacePlaceholders(members, (name) => texts.get(name) ?? sealedPlaceholder);

/** The members as stored and shown. */
export const sealSecrets = <T extends object>(members: T): T =>
  replacePlaceholders(members, () => sealedPlaceholder);

/** Separates new secrets from the names of those that the document marks as unchanged. */
export const splitSecrets = (texts: ReadonlyMap<string, string>) => {
  const isUnchanged = ([, text]: [string, string]): boolean => text === sealedPlaceholder;
  const fresh = [...texts].filter((entry) => !isUnchanged(entry));
  return {
    secrets: new Map(fresh.map(([name, text]) => [name, new Secret(text)])),
    keptSecrets: [...texts].filter(isUnchanged).map(([name]) => name),
  };
};
