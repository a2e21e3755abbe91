import { sealedPlaceholder } from './language.ts';

/** Lets the vendor choose a value. */
export const computed = '${computed}';

/**
 * Replaces a secret while a document is compiled. It names the secret, so that a function that copies it into another
 * layer copies the name and never the value.
 */
export const sealedAs = (name: string): string => `\${sealed:${name}}`;

export const sealedName = (text: string): string | null => /^\$\{sealed:(.+)\}$/s.exec(text)?.[1] ?? null;

/** Whether a text contains a sealed secret's placeholder. */
export const mentionsSealed = (text: string): boolean => text.includes(sealedPlaceholder.slice(0, -1));

/** A name inside a text: that of a secret in a URL. It contains no braces. */
const inlineSealed = /\$\{sealed:([^{}]+)\}/g;

/** Names of the secrets inside a URL of the model. */
export const sealedNamesIn = (text: string): string[] =>
  [...text.matchAll(inlineSealed)].map(([, name = '']) => name);

/** Replaces the secrets inside a URL of the model. */
export const replaceSealed = (text: string, replacement: (name: string) => string): string =>
  text.replaceAll(inlineSealed, (_, name: string) => replacement(name));
