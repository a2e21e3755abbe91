import type { Failure } from '../../basics/failure.ts';
import { addEvents } from '../../store/stacks/events.ts';
import type { StackRow } from '../../store/stacks/stacks.ts';
import type { Actor } from '../access/access.ts';
import { recordNow } from '../audit/audit.ts';
import type { Service } from '../service.ts';
import { updateTemplate } from '../stacks/submit/apply-template.ts';
import type { Submitted } from '../stacks/submit/submit-document.ts';
import { updateAction } from './responsible.ts';

export interface AutomaticUpdate {
  /** As it was when the document was read: a change in between is not overwritten. */
  stack: StackRow;
  document: object;
  cause: string;
  redeploy?: readonly string[];
  /** Of the request that caused it, if there is one. */
  request?: { id: string; address: string };
}

const audited = (actor: Actor, { stack, cause, request }: Omit<AutomaticUpdate, 'document'>) => ({
  actor,
  route: {
    name: 'automatic',
    path: '/v3/alm/template/{stack_id}',
    access: { action: updateAction },
  } as const,
  stackId: stack.id,
  named: new Map<string, string>(),
  readOnly: false,
  request: request ?? { id: '', address: '' },
  detail: cause,
});

/** Submits a version in the name of a user, like an update of theirs: with the guard of data, quotas and permissions. */
export async function submitAutomatic(
  service: Service,
  actor: Actor,
  update: AutomaticUpdate,
): Promise<Submitted> {
  const { stack, document, cause, redeploy } = update;
  const submitted = await updateTemplate(service, actor, {
    stackId: stack.id,
    template: { text: JSON.stringify(document), format: 'json' },
    conditions: { fingerprint: '', ifMatch: stack.desired_version },
    cause,
    redeploy,
  });
  await recordNow(service, { ...audited(actor, update), denied: false, status: 202 });
  return submitted;
}

/** Says in the events of the stack why nothing was deployed. */
export async function noteRefusal(
  { database, clock }: Pick<Service, 'database' | 'clock'>,
  stack: StackRow,
  { cause, failure }: { cause: string; failure: Failure },
): Promise<void> {
  const { message, description } = failure;
  const why = description === '' ? message : `${message}. ${description}`;
  const event = {
    at: clock.now(),
    kind: 'trouble',
    message: `${cause}. It was not deployed: ${why}`,
    versionId: stack.desired_version,
  } as const;
  await addEvents(database.query, stack.id, [event]);
  await database.notify('stack-event', stack.id);
}
