import { sealedPlaceholder } from './language.ts';

/** Asks the service to determine a value. */
export const computed = '${computed}';

/**
 * Stands for a secret while a document is compiled: it names the secret, so that a function that copies it into
 * another layer copies the name and never the text.
 */
export const sealedAs = (name: string): string => `\${sealed:${name}}`;

export const sealedName = (text: string): string | null => /^\$\{sealed:(.+)\}$/s.exec(text)?.[1] ?? null;

/** Whether a text speaks of a sealed secret anywhere. */
export const mentionsSealed = (text: string): boolean => text.includes(sealedPlaceholder.slice(0, -1));
