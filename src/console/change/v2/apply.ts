import { useMutation } from '@tanstack/react-query';
import type { updateV2Stack } from '../../../contract/v2/stacks.ts';
import { call } from '../../api/call.ts';
import { CallFailed } from '../../api/failure.ts';
import { readAgain } from '../../api/read.ts';
import { queryOf, type Word } from '../../data/question.ts';
import type { Draft } from '../../editor/draft.ts';
import type { Problem } from '../../editor/locate.ts';
import { reloadStackList, rereadStackList } from '../../stacks/stack-list.ts';
import { keyOf } from '../order.ts';
import { type MemberChange, patchOf } from './changes.ts';

export interface V2Order {
  draft: Draft;
  stackId: string;
  /** What was shown is what is sent. */
  changes: readonly MemberChange[];
  word?: Word | undefined;
}

const send = ({ draft, stackId, changes, word }: V2Order) =>
  call<typeof updateV2Stack>('PUT', '/v2/alm/stack/{stack_id}', {
    params: { stack_id: stackId },
    query: queryOf(word),
    headers: {
      'idempotency-key': keyOf({ draft, stackId, word }),
      ...(draft.base === null ? {} : { 'if-match': draft.base }),
    },
    body: { configurations: patchOf(changes) },
  });

/** The answer of API v2 does not name the version that it made. */
async function versionOf(stackId: string): Promise<string | null> {
  const stacks = await rereadStackList().catch(() => []);
  return stacks.find(({ stack_id }) => stack_id === stackId)?.version.version_id ?? null;
}

export const useV2Apply = (onDone: (order: V2Order, version: string | null) => void) =>
  useMutation({
    mutationFn: send,
    onSuccess: async (_, order) => onDone(order, await versionOf(order.stackId)),
    // After success and after a refusal: what is in force now decides what the page shows.
    onSettled: async (_answer, error, { stackId }) => {
      if (error) await reloadStackList();
      await readAgain('/v2/alm/stack/{stack_id}', { stack_id: stackId });
    },
  });

/** With the path of the text, which has only the configuration. */
const inText = (problem: Problem): Problem => ({
  ...problem,
  path: problem.path.replace(/^configurations\/?/, ''),
});

export const problemsOf = (error: unknown): readonly Problem[] =>
  error instanceof CallFailed && error.status === 400 ? (error.body?.problems ?? []).map(inText) : [];
