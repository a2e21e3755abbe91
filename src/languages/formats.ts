import { cidrTrouble } from '../model/ipv4-block.ts';
import { resourceSuffix } from '../model/names.ts';
import { sealedName } from './placeholders.ts';

/** What is wrong with a text, as a sentence, or null when nothing is. */
type Format = (text: string) => string | null;

const flagTrouble: Format = (text) => {
  // These mean something in paths, functions and the names of secrets.
  if (/[/.,(){}#$\p{C}]/u.test(text)) return 'must not contain / . , ( ) { } # $ or control characters.';
  return resourceSuffix(text) === '' ? 'must contain at least one of A-Z, a-z, 0-9.' : null;
};

const healthTargetTrouble: Format = (text) => {
  const port = /^(?:(?:TCP|SSL):(\d{1,5})|HTTPS?:(\d{1,5})\/\S*)$/i.exec(text);
  const number = Number(port?.[1] ?? port?.[2] ?? 0);
  return number >= 1 && number <= 65535
    ? null
    : 'must be like TCP:80, SSL:443, HTTP:80/path or HTTPS:443/path.';
};

const secretTrouble: Format = (text) =>
  sealedName(text) === null
    ? 'must be the secret itself, or "${use(…)}" of the same secret in another layer.'
    : null;

export const variableNameTrouble: Format = (text) =>
  /^[A-Za-z_][A-Za-z0-9_.-]*$/.test(text) && text !== '__proto__'
    ? null
    : 'is not a name an environment variable can have.';

/** The formats the schemas name. */
export const formats: Readonly<Record<string, Format>> = {
  cidr: cidrTrouble,
  flag: flagTrouble,
  'health-target': healthTargetTrouble,
  password: secretTrouble,
  'variable-name': variableNameTrouble,
};
