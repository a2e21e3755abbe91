import { cidrProblem } from '../model/ipv4-block.ts';
import { resourceSuffix } from '../model/names.ts';
import { parseTrack } from '../model/registry/track.ts';
import { isSecretName } from '../model/secret-name.ts';
import { codeLocationProblem, gitReferenceProblem, repositoryProblem } from './code-location.ts';
import { sealedName } from './placeholders.ts';

/** Returns what is wrong with a text, as the end of a sentence, or null. */
type Format = (text: string) => string | null;

const flagProblem: Format = (text) => {
  // These have a meaning in paths, functions and secret names.
  if (/[/.,(){}#$\p{C}]/u.test(text)) return 'must not contain / . , ( ) { } # $ or control characters.';
  // Tables by flag would have an entry for it.
  if (text in {}) return 'is reserved. Choose another name.';
  return resourceSuffix(text) === '' ? 'must contain at least one of A-Z, a-z, 0-9.' : null;
};

const healthTargetProblem: Format = (text) => {
  const port = /^(?:(?:TCP|SSL):(\d{1,5})|HTTPS?:(\d{1,5})\/\S*)$/i.exec(text);
  const number = Number(port?.[1] ?? port?.[2] ?? 0);
  return number >= 1 && number <= 65535
    ? null
    : 'must have the form TCP:80, SSL:443, HTTP:80/path or HTTPS:443/path.';
};

const secretProblem: Format = (text) =>
  sealedName(text) === null
    ? 'must be the secret value, or "${use(…)}" of the same secret in another layer.'
    : null;

export const variableNameProblem: Format = (text) =>
  /^[A-Za-z_][A-Za-z0-9_.-]*$/.test(text) && text !== '__proto__'
    ? null
    : 'is not a valid environment variable name; use letters, digits, _, . and -, starting with a letter or _.';

/** What AWS allows in names of tags that servers can read from their metadata. */
const tagNameProblem: Format = (text) => {
  if (!/^[A-Za-z0-9+=._:@-]{1,128}$/.test(text) || /^\.{1,2}$|^_index$/.test(text))
    return 'is not a valid name of a tag; use at most 128 letters, digits and + - = . _ : @.';
  return /^(aws:|almanac:)|^name$/i.test(text)
    ? 'is reserved: tags must not be called Name, nor start with aws: or almanac:.'
    : null;
};

const tagValueProblem: Format = (text) =>
  /^[\p{L}\p{N}\p{Zs}_.:/=+@-]*$/u.test(text)
    ? null
    : 'must contain only letters, digits, spaces and _ . : / = + - @.';

const secretNameProblem: Format = (text) =>
  isSecretName(text)
    ? null
    : 'must be the name of a secret, not its value: letters, digits, _, . and -, starting with a letter or _. Set the value with: alm secret set <name>.';

const trackProblem: Format = (text) =>
  parseTrack(text)
    ? null
    : 'must be <repository>:<tag> or <repository>:<range of versions>, such as root/shop:latest or root/shop:^1.2.';

/** Checks of the `format` values that the schemas use. */
export const formats: Readonly<Record<string, Format>> = {
  cidr: cidrProblem,
  'code-location': codeLocationProblem,
  flag: flagProblem,
  'git-reference': gitReferenceProblem,
  'git-repository': repositoryProblem,
  'health-target': healthTargetProblem,
  password: secretProblem,
  'secret-name': secretNameProblem,
  'tag-name': tagNameProblem,
  'tag-value': tagValueProblem,
  track: trackProblem,
  'variable-name': variableNameProblem,
};
