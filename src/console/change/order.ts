import { shellQuote } from '../../basics/shell-quote.ts';
import { flagsOf, type Word } from '../data/question.ts';
import type { Draft } from '../editor/draft.ts';
import { keyFor } from '../stack/data/request-key.ts';

/** What is sent to the service when a draft is applied. */
export interface Order {
  draft: Draft;
  /** Null for a new stack. */
  stackId: string | null;
  /** What becomes of data. */
  word?: Word | undefined;
}

/** Pressed twice, or again after a lost connection, the service sees the same key and applies once. */
export const keyOf = ({ draft, word }: Order): string =>
  keyFor(draft.key, `${flagsOf(word)} ${draft.nickname} ${draft.text}`);

/** Whether the draft is what was sent: what was shown and ticked for one text is not so for another. */
export const isStill = (sent: Draft, now: Draft): boolean =>
  (['text', 'format', 'nickname', 'base', 'key'] as const).every((name) => sent[name] === now[name]);

/** The same as a command. */
export function commandOf({ stackId, draft: { format, nickname }, word }: Order): string {
  const file = `--alm-template stack.${format}`;
  if (stackId !== null) return `alm stack update --id ${stackId} ${file}${flagsOf(word)} --wait`;
  return `alm stack create ${file}${nickname ? ` --nickname ${shellQuote(nickname)}` : ''} --wait`;
}
