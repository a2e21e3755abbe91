import { Failure, failureKinds } from '../../basics/failure.ts';
import { addEvents } from '../../store/stacks/events.ts';
import { type Actor, nameOf } from '../access/access.ts';
import { type Call, recordNow } from '../audit/audit.ts';
import type { Service } from '../service.ts';
import type { SshTarget } from './target.ts';

/** The actor that connects to an instance, and the route it calls. */
export interface SshCaller {
  actor: Actor;
  route: Call['route'];
  request: Call['request'];
}

export interface SshSession {
  caller: SshCaller;
  target: SshTarget;
}

export const placeOf = ({ instanceId, host, user }: SshTarget): string =>
  `instance ${instanceId} (${user}@${host})`;

/** Adds an entry to the audit log, which has every detail and is readable by the master only. */
export const auditSsh = (
  service: Service,
  { caller, target }: SshSession,
  entry: { detail: string; status: number },
): Promise<void> =>
  recordNow(service, {
    ...caller,
    stackId: target.stack.id,
    named: new Map(),
    readOnly: false,
    denied: false,
    ...entry,
  });

interface SshEvent extends Pick<SshTarget, 'stack' | 'instanceId'> {
  /** Completes the sentence "<user> …". */
  action: string;
}

/** Adds an event to the stack, for everyone who may see the stack. */
export async function addSshEvent(
  { database, clock }: Service,
  actor: Actor,
  { stack, instanceId, action }: SshEvent,
): Promise<void> {
  const event = {
    at: clock.now(),
    kind: 'request' as const,
    resource: instanceId,
    message: `${nameOf(actor)} ${action}`,
    versionId: stack.desired_version,
  };
  await database.transaction(async (query) => {
    await addEvents(query, stack.id, [event]);
  });
  await database.notify('stack-event', stack.id);
}

/** Records the same sentence in the audit log and in the stack's events. `detail` completes "<user> …". */
export async function recordSsh(
  service: Service,
  session: SshSession,
  { detail, status }: { detail: string; status: number },
): Promise<void> {
  await auditSsh(service, session, { detail, status });
  await addSshEvent(service, session.caller.actor, { ...session.target, action: `${detail}.` });
}

/** Records a failed attempt. `action` completes "tried to …". */
export function recordFailure(
  service: Service,
  session: SshSession,
  { action, error }: { action: string; error: unknown },
): Promise<void> {
  const reason = error instanceof Failure ? error.message : 'internal error';
  const { status } = failureKinds[error instanceof Failure ? error.kind : 'internal'];
  const detail = `tried to ${action} on ${placeOf(session.target)} and failed: ${reason}`;
  return recordSsh(service, session, { detail, status });
}

export const asSeconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;
