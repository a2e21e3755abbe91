import { useEffect, useRef } from 'react';
import type { SuccessOf } from '../../../contract/route.ts';
import type { listRollouts } from '../../../contract/v3/rollouts.ts';
import { useRead } from '../../api/read.ts';
import { useStackList } from '../../stacks/stack-list.ts';
import { readOfStackAgain } from './of-stack.ts';
import { isInProgress, readStackAgain, type StackNow } from './stack-now.ts';

export type Rollout = SuccessOf<typeof listRollouts>['rollouts'][number];
export type RolloutInstance = Rollout['instances'][number];

const none: readonly Rollout[] = [];

/** Reports of single instances make no event: while containers may roll out, they are asked for. */
const askInterval = 2000;

/** The newest first. */
export const useRollouts = (stack: Pick<StackNow, 'id' | 'health' | 'status'>): readonly Rollout[] =>
  useRead<typeof listRollouts>(
    '/v3/alm/stack/{stack_id}/rollouts',
    { params: { stack_id: stack.id }, query: { limit: 100 } },
    { enabled: stack.health !== 'none', ...(isInProgress(stack) ? { refetchInterval: askInterval } : {}) },
  ).data?.rollouts ?? none;

/** The health changes by reports of agents, without an event of the stack: the list of stacks tells. */
export function useFollowHealth({ api, id }: Pick<StackNow, 'api' | 'id'>): void {
  const row = useStackList().data?.find(({ stack_id }) => stack_id === id);
  const said = row && [row.health, row.health_reason, row.doing, row.doing_reason].join('\n');
  const before = useRef(said);
  useEffect(() => {
    if (before.current !== undefined && before.current !== said) {
      void readStackAgain(id);
      readOfStackAgain({ api, id });
    }
    before.current = said;
  }, [said, api, id]);
}
