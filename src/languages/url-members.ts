import { isAmbiguous } from '../basics/text/url-authority.ts';
import { replaceUrlSecrets, urlSecrets } from '../basics/text/url-secrets.ts';
import { sealedPlaceholder } from './language.ts';
import { mentionsSealed, replaceSealed, sealedAs } from './placeholders.ts';

/** Secrets inside URLs, such as `https://user:password@host/shop.git`: the URL stays readable, its secrets are sealed. */

/** What follows the layer in the names of secrets in URLs. */
export const urlKinds = { image: 'image', repository: 'git_repo' } as const;

/** Formats of members that may be URLs. */
const urlFormats = new Set(['code-location', 'git-repository', 'image']);

const isFunction = (value: string): boolean => value.includes('${') && value !== sealedPlaceholder;

/** The URL as stored and shown. */
export const shownUrl = (text: string): string =>
  replaceUrlSecrets(text, ({ value }) => (isFunction(value) ? value : sealedPlaceholder));

/**
 * The URL with a named placeholder for each secret. Names are not accepted from outside: with them, a document could send a
 * secret to another server.
 */
export const extractFromUrl = (
  text: string,
  prefix: string,
  found: (name: string, value: string) => void,
): string => {
  if (replaceSealed(text, () => '') !== text) return sealedPlaceholder;
  return replaceUrlSecrets(text, ({ name, value }) => {
    if (isFunction(value)) return value;
    found(`${prefix}/${name}`, value);
    return sealedAs(`${prefix}/${name}`);
  });
};

const standIn = 'sealed';
const nameOfUrlSecret = new RegExp(`^[^/]+/(?:${Object.values(urlKinds).join('|')})/`);

/** The URL without its sealed secrets, which have been checked. */
export const withoutSealedParts = (text: string, format: string): string =>
  urlFormats.has(format)
    ? replaceSealed(text, (name) => (nameOfUrlSecret.test(name) ? standIn : sealedPlaceholder))
    : text;

const ambiguous =
  'has an @ after the server or port, so that it is unclear where its password ends; write the special characters of the user, password and path percent-encoded: @ as %40, / as %2F, ? as %3F, # as %23.';

/** A secret that is still there was put together by functions, from texts that are not secrets. */
export const urlSecretProblem = (plain: string, format: string): string | null => {
  if (!urlFormats.has(format) || mentionsSealed(plain)) return null;
  if (isAmbiguous(plain)) return ambiguous;
  return urlSecrets(plain).some(({ value }) => value !== standIn)
    ? 'must contain its secret itself, not a function; write it here, or "${use(…)}" the whole URL of another layer.'
    : null;
};
