import { Failure } from '../../basics/failure.ts';
import type { Submitter } from '../../store/automatic/version-submitters.ts';
import type { StackRow } from '../../store/stacks/stacks.ts';
import { type Actor, refuseUnlessMayCall } from '../access/access.ts';
import { refuseSuspended } from '../access/suspension.ts';
import type { Service } from '../service.ts';
import { actorOfSubmitter } from '../submitter/submitter.ts';

export const updateAction = 'template:updateAlmTemplate';

/** In whose name a stack is updated automatically. Refused if that user may not update it now, as a request of theirs would be. */
export async function requireResponsible(
  service: Service,
  stack: StackRow,
  submitter: Submitter | undefined,
): Promise<Actor> {
  const { query } = service.database;
  const accountId = stack.account_id;
  await refuseSuspended(query, accountId);
  const now = service.clock.now();
  const actor = submitter ? await actorOfSubmitter(query, { accountId, now, submitter }) : null;
  if (!actor)
    throw new Failure('forbidden', 'The user, API client or token that stands for it no longer exists', {
      description: submitter
        ? 'Another user must submit the template, or create the deploy hook, again.'
        : 'An older release did not record who submitted the template. Submit it again.',
    });
  const route = {
    version: 'v3',
    access: { action: updateAction },
    readOnly: false,
    stackId: stack.id,
  } as const;
  await refuseUnlessMayCall(service, actor, route);
  return actor;
}
