import { shellQuote } from '../../basics/shell-quote.ts';
import type { QueryOf } from '../../contract/route.ts';
import type { updateTemplate } from '../../contract/v3/templates.ts';
import type { Draft } from '../editor/draft.ts';

export type DataChoice = NonNullable<QueryOf<typeof updateTemplate>['data']>;

/** What is sent to the service when a draft is applied. */
export interface Order {
  draft: Draft;
  /** Null for a new stack. */
  stackId: string | null;
  /** Confirms what happens to data. */
  data?: DataChoice | undefined;
}

/** Not a secret, only short: the same text gets the same key, another text another one. */
function fingerprint(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const letter of text)
    hash = BigInt.asUintN(64, (hash ^ BigInt(letter.codePointAt(0) ?? 0)) * 0x100000001b3n);
  return hash.toString(36);
}

/** Pressed twice, or again after a lost connection, the service sees the same key and applies once. */
export const keyOf = ({ draft, data }: Order): string =>
  `${draft.key}-${fingerprint(`${data ?? ''} ${draft.nickname} ${draft.text}`)}`;

/** Whether the draft is what was sent: what was shown and ticked for one text is not so for another. */
export const isStill = (sent: Draft, now: Draft): boolean =>
  (['text', 'format', 'nickname', 'base', 'key'] as const).every((name) => sent[name] === now[name]);

/** The same as a command. */
export function commandOf({ stackId, draft: { format, nickname } }: Order): string {
  const file = `--alm-template stack.${format}`;
  if (stackId !== null) return `alm stack update --id ${stackId} ${file} --wait`;
  return `alm stack create ${file}${nickname ? ` --nickname ${shellQuote(nickname)}` : ''} --wait`;
}
