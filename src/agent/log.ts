import type { Clock } from '../basics/clock.ts';

/** Writes one short line per event to the journal of the instance. */
export interface AgentLog {
  (event: string): void;
  /** Redacts these texts from now on. */
  hide(secrets: Iterable<string | undefined>): void;
  /** Redacts known secrets and everything that looks like one. */
  clean(text: string): string;
}

/** The message of an error. */
export const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  // A refused connection to a name with two addresses is an AggregateError without a message.
  const { message, code } = error as Error & { code?: string };
  return message || code || error.name;
};

const looksSecret: readonly [RegExp, string][] = [
  [/\b(Bearer|Basic) +[\w.~+/=-]{4,}/g, '$1 [hidden]'],
  [/:\/\/[^/\s@]+@/g, '://[hidden]@'],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g, '[hidden key]'],
];

/** Redacting shorter texts would make lines unreadable and protect nothing. */
const minSecretLength = 4;

// oxlint-disable-next-line no-control-regex -- replaces control characters
const onOneLine = (text: string): string => text.replaceAll(/[\u0000-\u001f\u007f]+/g, ' ').trim();

/** The secret and its lines, so that a single line of a multi-line key is redacted too. */
const piecesOf = (secret: string): string[] =>
  [secret, ...secret.split(/\s*\n\s*/)].filter(
    (piece) => piece.length >= minSecretLength && !/^-----(BEGIN|END) /.test(piece.trim()),
  );

export function createAgentLog(clock: Clock, write: (line: string) => void): AgentLog {
  const hidden = new Set<string>();
  const clean = (text: string): string => {
    const known = [...hidden].reduce((rest, secret) => rest.replaceAll(secret, '[hidden]'), text);
    return looksSecret.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), known);
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
