import type { Clock } from '../basics/clock.ts';

/** One short line for each event, for people who read the journal of the instance. */
export interface AgentLog {
  (event: string): void;
  /** From now on these texts are never written. */
  hide(secrets: Iterable<string | undefined>): void;
  /** The text as it may be shown: known secrets, and what looks like one, are taken out. */
  clean(text: string): string;
}

/** Why something failed, in the words of whoever noticed. */
export const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  // A refused connection to a name with two addresses has its reasons one level down.
  const { message, code } = error as Error & { code?: string };
  return message || code || error.name;
};

const looksSecret: readonly [RegExp, string][] = [
  [/\b(Bearer|Basic) +[\w.~+/=-]{4,}/g, '$1 [hidden]'],
  [/:\/\/[^/\s@]+@/g, '://[hidden]@'],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g, '[hidden key]'],
];

/** Shorter texts would tear holes into every sentence without hiding anything worth it. */
const shortestSecret = 4;

// oxlint-disable-next-line no-control-regex -- these are what one line must not have
const onOneLine = (text: string): string => text.replaceAll(/[\u0000-\u001f\u007f]+/g, ' ').trim();

/** A key of several lines also hides when only one of its lines shows up. */
const piecesOf = (secret: string): string[] =>
  [secret, ...secret.split(/\s*\n\s*/)].filter(
    (piece) => piece.length >= shortestSecret && !/^-----(BEGIN|END) /.test(piece.trim()),
  );

export function createAgentLog(clock: Clock, write: (line: string) => void): AgentLog {
  const hidden = new Set<string>();
  const clean = (text: string): string => {
    const known = [...hidden].reduce((rest, secret) => rest.replaceAll(secret, '[hidden]'), text);
    return looksSecret.reduce((rest, [pattern, instead]) => rest.replace(pattern, instead), known);
  };
  const log = (event: string) =>
    write(`${new Date(clock.now()).toISOString().slice(0, 19)}Z ${onOneLine(clean(event))}\n`);
  return Object.assign(log, {
    clean,
    hide(secrets: Iterable<string | undefined>) {
      for (const secret of secrets) for (const piece of piecesOf(secret ?? '')) hidden.add(piece);
    },
  });
}
