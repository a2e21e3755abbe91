import { Failure, failureKinds } from '../../basics/failure.ts';
import { addEvents } from '../../store/stacks/events.ts';
import { type Actor, nameOf } from '../access/access.ts';
import { type Call, recordNow } from '../audit/audit.ts';
import type { Service } from '../service.ts';
import type { SshTarget } from './target.ts';

/** Whoever reaches an instance, and by which route. */
export interface SshCaller {
  actor: Actor;
  route: Call['route'];
  request: Call['request'];
}

export const placeOf = ({ instanceId, host, user }: SshTarget): string =>
  `instance ${instanceId} (${user}@${host})`;

/** Into the audit log, where everything is told; the master account alone reads it. */
export const recordSsh = (
  service: Service,
  caller: SshCaller,
  target: SshTarget,
  said: { detail: string; status: number },
): Promise<void> =>
  recordNow(service, {
    ...caller,
    stackId: target.stack.id,
    named: new Map(),
    readOnly: false,
    denied: false,
    ...said,
  });

/** Into the stack's events, for everybody who may look at the stack. */
export async function tellStack(
  { database, clock }: Service,
  actor: Actor,
  { stack, instanceId }: Pick<SshTarget, 'stack' | 'instanceId'>,
  did: string,
): Promise<void> {
  const event = {
    at: clock.now(),
    kind: 'request' as const,
    resource: instanceId,
    message: `${nameOf(actor)} ${did}`,
    versionId: stack.desired_version,
  };
  await database.transaction(async (query) => {
    await addEvents(query, stack.id, [event]);
  });
  await database.notify('stack-event', stack.id);
}

/** What came of trying, when nothing did. */
export async function recordFailure(
  service: Service,
  caller: SshCaller,
  target: SshTarget,
  { tried, error }: { tried: string; error: unknown },
): Promise<void> {
  const reason = error instanceof Failure ? error.message : 'trouble on our side';
  const said = `${tried} on ${placeOf(target)}, in vain: ${reason}`;
  const { status } = failureKinds[error instanceof Failure ? error.kind : 'internal'];
  await recordSsh(service, caller, target, { detail: said, status });
  await tellStack(service, caller.actor, target, `${said}.`);
}

export const asSeconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;
