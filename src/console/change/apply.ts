import { useMutation } from '@tanstack/react-query';
import type { QueryOf, SuccessOf } from '../../contract/route.ts';
import type { applyTemplate, updateTemplate } from '../../contract/v3/templates.ts';
import { call } from '../api/call.ts';
import { CallFailed } from '../api/failure.ts';
import { readAgain } from '../api/read.ts';
import type { Draft } from '../editor/draft.ts';
import { reloadStackList } from '../stacks/stack-list.ts';

export type DataChoice = NonNullable<QueryOf<typeof updateTemplate>['data']>;

type Accepted = SuccessOf<typeof updateTemplate>;

/** Not a secret, only short: the same text gets the same key, another text another one. */
function fingerprint(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const letter of text)
    hash = BigInt.asUintN(64, (hash ^ BigInt(letter.codePointAt(0) ?? 0)) * 0x100000001b3n);
  return hash.toString(36);
}

interface Order {
  draft: Draft;
  stackId: string | null;
  /** Confirms what happens to data. */
  data?: DataChoice | undefined;
}

/** Pressed twice, or again after a lost connection, the service sees the same key and applies once. */
const keyOf = ({ draft, data }: Order): string =>
  `${draft.key}-${fingerprint(`${data ?? ''} ${draft.nickname} ${draft.text}`)}`;

async function send(order: Order): Promise<Accepted> {
  const { draft, stackId, data } = order;
  const body = { text: draft.text, format: draft.format };
  const key = { 'idempotency-key': keyOf(order) };
  const query = data ? { data } : {};
  if (stackId === null)
    return call<typeof applyTemplate>('POST', '/v3/alm/template', {
      query: draft.nickname ? { nickname: draft.nickname } : {},
      headers: key,
      body,
    });
  return call<typeof updateTemplate>('PUT', '/v3/alm/template/{stack_id}', {
    params: { stack_id: stackId },
    query,
    headers: { ...key, ...(draft.base === null ? {} : { 'if-match': draft.base }) },
    body,
  });
}

export const useApply = (onDone: (accepted: Accepted) => void) =>
  useMutation({
    mutationFn: send,
    onSuccess: (accepted) => {
      void reloadStackList();
      void readAgain('/v3/alm/template');
      onDone(accepted);
    },
  });

/** The choice that the service asks to confirm; null if the error is another one. */
export function choiceAskedFor(error: unknown): DataChoice | null {
  if (!(error instanceof CallFailed) || error.status !== 409) return null;
  const [, choice] = /data=(keep|delete)/.exec(error.body?.description ?? '') ?? [];
  return (choice as DataChoice | undefined) ?? null;
}
