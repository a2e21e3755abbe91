import type { Clock } from '../basics/clock.ts';
import { logTime } from '../basics/text/log-line.ts';
import { withoutSecrets } from '../basics/text/redact.ts';

/** Writes one short line per event to the journal of the instance. */
export interface AgentLog {
  (event: string): void;
  /** Redacts these texts from now on. */
  hide(secrets: Iterable<string | undefined>): void;
  /** Redacts known secrets and everything that looks like one. */
  clean(text: string): string;
  /** The last lines since the agent was started, oldest first. */
  recent(): readonly OwnLine[];
  /** Calls back with every new line. Returns how to stop. */
  watch(onLine: (line: OwnLine) => void): () => void;
}

export interface OwnLine {
  time: string;
  text: string;
}

const maxRecentLines = 1000;

/** The message of an error. */
export const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  // A refused connection to a name with two addresses is an AggregateError without a message.
  const { message, code } = error as Error & { code?: string };
  return message || code || error.name;
};

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
    const known = [...hidden].reduce((rest, secret) => rest.replaceAll(secret, '[redacted]'), text);
    return withoutSecrets(known);
  };
  const recent: OwnLine[] = [];
  const watchers = new Set<(line: OwnLine) => void>();
  const keep = (line: OwnLine): void => {
    recent.push(line);
    if (recent.length > maxRecentLines) recent.shift();
    for (const watcher of watchers) watcher(line);
  };
  const log = (event: string) => {
    const text = onOneLine(clean(event));
    const now = clock.now();
    write(`${new Date(now).toISOString().slice(0, 19)}Z ${text}\n`);
    keep({ time: logTime(now), text });
  };
  return Object.assign(log, {
    clean,
    // Cleaned again: a secret may have become known after the line was written.
    recent: () => recent.map(({ time, text }) => ({ time, text: clean(text) })),
    watch(onLine: (line: OwnLine) => void) {
      watchers.add(onLine);
      return () => void watchers.delete(onLine);
    },
    hide(secrets: Iterable<string | undefined>) {
      for (const secret of secrets) for (const piece of piecesOf(secret ?? '')) hidden.add(piece);
    },
  });
}
