import { Failure } from '../../basics/failure.ts';
import { markReturned } from '../../store/stacks/rollouts.ts';
import type { Actor } from '../access/access.ts';
import { findExistingStack } from '../find-stack.ts';
import type { Service } from '../service.ts';
import { rollBack } from '../stacks/change/roll-back.ts';
import type { Submitted } from '../stacks/submit/submit-document.ts';
import type { WriteConditions } from '../stacks/submit/write-conditions.ts';

interface ReturnRequest {
  stackId: string;
  conditions?: WriteConditions | undefined;
}

/** Goes back to the last version that was complete, as a new version. */
export async function returnRollout(
  service: Service,
  actor: Actor,
  { stackId, conditions }: ReturnRequest,
): Promise<Submitted> {
  const stack = await findExistingStack(service.database.query, actor.accountId, { stackId, language: 'v3' });
  const { settled_version: versionId, desired_version: current } = stack;
  if (versionId === null || versionId === current)
    throw new Failure(
      'conflict',
      versionId === null
        ? `Stack ${stackId} was never complete, so there is no version to go back to`
        : `Stack ${stackId} already has its last complete version`,
      { description: 'To go back further: alm stack rollback --id <stack> --version <version>.' },
    );
  const submitted = await rollBack(service, actor, { stackId, versionId, conditions });
  await markReturned(service.database.query, { stackId, versionId: current, now: service.clock.now() });
  return submitted;
}
