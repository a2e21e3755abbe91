import { isObject } from '../../basics/is-object.ts';
import { Secret } from '../../basics/secret.ts';
import { sealedPlaceholder } from '../language.ts';
import { sealedAs } from '../placeholders.ts';
import { copyMembers, type Members, plainText } from '../plain-values.ts';
import { extractFromUrl, shownUrl, urlKinds } from '../url-members.ts';
import { currentPath } from './aliases.ts';

interface WithoutSecrets {
  /** As the user wrote it, with `${sealed}` instead of each secret: stored and returned. */
  document: object;
  /** The same, but each placeholder names its secret: compiled. */
  working: Members;
  secrets: Map<string, Secret>;
  keptSecrets: string[];
}

/** Functions such as `${use(…)}` refer to another value; they are not secrets. */
const isFunction = (text: string): boolean => /^\$\{(?:computed|(?:use|copy)\([^()]*\))\}$/.test(text);

const entry = (list: unknown, index: string | undefined): unknown =>
  Array.isArray(list) ? list[Number(index)] : undefined;

const memberText = (value: unknown, member: string): string =>
  isObject(value) && Object.hasOwn(value, member) ? plainText(value[member]) : '';

const secretMembers: Readonly<Record<string, string>> = {
  container_registry_password: 'registry_password',
  container_git_private_key: 'git_private_key',
};

const urlMembers: Readonly<Record<string, string>> = {
  container_image: urlKinds.image,
  container_git_repo: urlKinds.repository,
};

const flagOf = (template: Members, index: string | undefined): string =>
  memberText(entry(template['configurations'], index), 'flag') || `layer ${index}`;

/** What the names of secrets in this member start with; null if it is not a URL. */
const urlPrefix = (template: Members, path: readonly string[]): string | null => {
  if (path[0] !== 'configurations' || path[2] !== 'container' || path.length !== 4) return null;
  const [, index, , member = ''] = currentPath(path);
  return Object.hasOwn(urlMembers, member) ? `${flagOf(template, index)}/${urlMembers[member]}` : null;
};

const secretName = (template: Members, path: readonly string[]): string | null => {
  if (path[0] !== 'configurations' || path[2] !== 'container') return null;
  if (path.length !== 4 && path.length !== 6) return null;
  const [, index, , member = '', position, key] = currentPath(path);
  const layer = entry(template['configurations'], index);
  const flag = flagOf(template, index);
  if (path.length === 4 && Object.hasOwn(secretMembers, member)) return `${flag}/${secretMembers[member]}`;
  if (path.length !== 6 || member !== 'container_addons' || key !== 'api_key') return null;
  const container = isObject(layer) ? layer['container'] : undefined;
  const addons = isObject(container) ? container[path[3] ?? ''] : undefined;
  return `${flag}/addon/${memberText(entry(addons, position), 'name')}/api_key`;
};

/** Members that the stored document omits: the name of the stack, and the vendor's secret in any spelling. */
const isOmitted = (value: unknown, path: readonly string[]): boolean => {
  if (path.length === 1 && (path[0] === 'name' || path[0] === 'nickname')) return true;
  if (path[0] !== 'vendor') return false;
  return path.length === 1 ? !isObject(value) : path.at(-1)?.toLowerCase() === 'secret';
};

/** Removes all secrets from a template, so that no later code can show one. */
export const extractSecrets = (template: Members): WithoutSecrets => {
  const secrets = new Map<string, Secret>();
  const kept = new Set<string>();
  const found = (value: unknown, path: readonly string[]): string | null => {
    const text = plainText(value);
    return text === '' || isFunction(text) ? null : secretName(template, path);
  };

  const keep = (name: string, text: string): void => {
    if (text === sealedPlaceholder) kept.add(name);
    else secrets.set(name, new Secret(text));
  };

  const working = copyMembers(template, (value, path) => {
    const prefix = typeof value === 'string' ? urlPrefix(template, path) : null;
    if (prefix !== null) return extractFromUrl(plainText(value), prefix, keep);
    const name = found(value, path);
    if (name === null) return value;
    keep(name, plainText(value));
    return sealedAs(name);
  });
  const document = copyMembers(template, (value, path) => {
    if (isOmitted(value, path)) return undefined;
    if (typeof value === 'string' && urlPrefix(template, path) !== null) return shownUrl(value);
    return found(value, path) === null ? value : sealedPlaceholder;
  });
  return { document, working, secrets, keptSecrets: [...kept] };
};
