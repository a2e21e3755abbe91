import type { Query } from '../../../store/database/database.ts';
import { addEvents } from '../../../store/stacks/events.ts';
import { desireVersionAgain, type StackRow } from '../../../store/stacks/stacks.ts';
import { clearAllowed, findNewestVersion, findVersion } from '../../../store/stacks/versions.ts';
import { type Actor, nameOf } from '../../access/access.ts';
import type { Service } from '../../service.ts';
import { reviseLayers } from '../submit/layer-revisions.ts';
import { findUpdatable, type Submitted } from '../submit/submit-document.ts';
import { requireVersion, retryOnConflict } from '../submit/vendor-choices.ts';
import {
  refuseStale,
  rememberResult,
  unconditional,
  type WriteConditions,
} from '../submit/write-conditions.ts';
import { lastSettled, refuseCancel, stopLosses } from './stop-update.ts';

/** Only after a cancelled update is the desired version not the newest one. */
async function isGoingBack(
  query: Query,
  { id, status, desired_version: desired }: StackRow,
): Promise<boolean> {
  return status === 'UPDATE_IN_PROGRESS' && (await findNewestVersion(query, id))?.id !== desired;
}

interface GoingBack {
  actor: Actor;
  stack: StackRow;
  /** The data that the cancelled update would have removed; empty: none. */
  losses: string;
}

async function goBack(service: Service, query: Query, { actor, stack, losses }: GoingBack): Promise<string> {
  const now = service.clock.now();
  const settled = lastSettled(stack);
  const version = await findVersion(query, stack.id, settled);
  if (!version)
    return refuseCancel(
      `Version ${settled} of stack ${stack.id}, to which it would go back, is no longer stored`,
      'Send another update, which replaces this one.',
    );
  await reviseLayers(service, query, { version });
  await clearAllowed(query, settled);
  const cancelled = { version: stack.desired_version, losses };
  await desireVersionAgain(query, stack.id, { version: settled, now, by: nameOf(actor), cancelled });
  const message = `${nameOf(actor)} cancelled the update; going back to version ${settled}.`;
  const request = { at: now, kind: 'request', status: 'UPDATE_IN_PROGRESS', message } as const;
  await addEvents(query, stack.id, [{ ...request, versionId: settled }]);
  return settled;
}

export interface UpdateCancellation {
  stackId: string;
  conditions?: WriteConditions | undefined;
}

/**
 * Makes the last complete version the desired one again, even if the vendor is in the middle of the update. If the update
 * removes data, the vendor must stop it first; too late, the request is refused. A repeated request changes nothing.
 */
export const cancelUpdate = (
  service: Service,
  actor: Actor,
  { stackId, conditions = unconditional }: UpdateCancellation,
): Promise<Submitted> =>
  retryOnConflict(async () => {
    const { database } = service;
    const before = await findUpdatable(database.query, actor, { stackId, language: 'v3' });
    refuseStale(before, conditions);
    const isRepeated = await isGoingBack(database.query, before);
    const losses = isRepeated ? '' : await stopLosses(service, before);
    const submitted = await database.transaction(async (query) => {
      await database.lock(query, `stack ${stackId}`);
      const stack = await findUpdatable(query, actor, { stackId, language: 'v3' });
      requireVersion(stack, before.desired_version);
      const versionId = (await isGoingBack(query, stack))
        ? stack.desired_version
        : await goBack(service, query, { actor, stack, losses });
      const result = { stackId, versionId };
      await rememberResult(service, query, { actor, conditions, result });
      return result;
    });
    await database.notify('stack-due', stackId);
    return submitted;
  });
