/** Returns what is wrong with a text, as the end of a sentence, or null. */
type Format = (text: string) => string | null;

const gitSchemes = ['https', 'http', 'ssh', 'git', 'git+ssh', 'ssh+git'];

const controlCharacter = /\p{Cc}/u;

const programProblem =
  'must not start with "-", and neither must its user, host or path: git would read it as an option.';

const schemeProblem = (schemes: readonly string[]): string =>
  `must be a URL with ${schemes.join(', ')}, or user@host:path.`;

/** git decodes percent signs before it uses a URL. */
const decoded = (text: string): string =>
  text.replaceAll(/%[0-9a-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));

/** `https://user:password@host:80/path`, or null. */
const urlParts = (text: string): { scheme: string; authority: string } | null => {
  const [, scheme, authority] = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)/i.exec(text) ?? [];
  return scheme === undefined || authority === undefined ? null : { scheme: scheme.toLowerCase(), authority };
};

/** `user@host:path` or `user@[2001:db8::1]:path`, or null. */
const scpParts = (text: string): { authority: string; path: string } | null => {
  const [, authority, path] = /^((?:[^/:@[\]]+@)?\[[^\]/]*\]|[^/:]+):(?!:)(.*)$/s.exec(text) ?? [];
  return authority === undefined || path === undefined ? null : { authority, path };
};

/** A user or host that starts with a dash is an option of the programs that git starts. */
const startsWithOption = (authority: string): boolean =>
  decoded(authority)
    .split(/[@[]/)
    .some((part) => part.startsWith('-'));

const urlProblem = (text: string, schemes: readonly string[]): string | null => {
  const url = urlParts(text);
  if (url) {
    if (!schemes.includes(url.scheme)) return schemeProblem(schemes);
    return startsWithOption(url.authority) ? programProblem : null;
  }
  const scp = scpParts(text);
  if (!scp) return null;
  return startsWithOption(scp.authority) || scp.path.startsWith('-') ? programProblem : null;
};

/** An IPv6 address contains `::`. */
const withoutAddress = (text: string): string =>
  text.replace(/^([^/:@[\]]+@)?\[[0-9a-f:.]+\]:(?!:)/i, '$1host:');

const locationProblem = (text: string, schemes: readonly string[]): string | null => {
  if (controlCharacter.test(text)) return 'must not contain control characters.';
  if (text.startsWith('-')) return programProblem;
  // `ext::program` runs a program.
  if (/^[^/]*::/.test(withoutAddress(text))) return schemeProblem(schemes);
  return urlProblem(text, schemes);
};

/** A git repository. Refuses what makes git run a program or read the instance's own files. */
export const repositoryProblem: Format = (text) =>
  locationProblem(text, gitSchemes) ?? (urlParts(text) || scpParts(text) ? null : schemeProblem(gitSchemes));

/** A git repository, or a path in an object store. */
export const codeLocationProblem: Format = (text) => locationProblem(text, [...gitSchemes, 's3']);

export const gitReferenceProblem: Format = (text) => {
  if (text.startsWith('-')) return 'must not start with "-": git would read it as an option.';
  return /\p{Cc}| /u.test(text) ? 'must not contain spaces or control characters.' : null;
};
