import { useMutation } from '@tanstack/react-query';
import type { SuccessOf } from '../../contract/route.ts';
import type { applyTemplate, updateTemplate } from '../../contract/v3/templates.ts';
import { call } from '../api/call.ts';
import { hasStatus } from '../api/failure.ts';
import { readAgain } from '../api/read.ts';
import { queryOf } from '../data/question.ts';
import { reloadStackList } from '../stacks/stack-list.ts';
import { keyOf, type Order } from './order.ts';

export type Accepted = SuccessOf<typeof updateTemplate>;

async function send(order: Order): Promise<Accepted> {
  const { draft, stackId, word } = order;
  const body = { text: draft.text, format: draft.format };
  const key = { 'idempotency-key': keyOf(order) };
  if (stackId === null)
    return call<typeof applyTemplate>('POST', '/v3/alm/template', {
      query: draft.nickname ? { nickname: draft.nickname } : {},
      headers: key,
      body,
    });
  return call<typeof updateTemplate>('PUT', '/v3/alm/template/{stack_id}', {
    params: { stack_id: stackId },
    query: queryOf(word),
    headers: { ...key, ...(draft.base === null ? {} : { 'if-match': draft.base }) },
    body,
  });
}

export const useApply = (onDone: (accepted: Accepted, order: Order) => void) =>
  useMutation({
    mutationFn: send,
    onSuccess: (accepted, order) => {
      void reloadStackList();
      void readAgain('/v3/alm/template');
      onDone(accepted, order);
    },
    // The error is shown after this: what another user applied must be known by then.
    onError: async (error) => {
      if (hasStatus(error, 412)) await reloadStackList();
    },
  });
