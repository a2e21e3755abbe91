import { fatesOfStack } from '../../../data/at-vendor.ts';
import { type Fate, isDisk } from '../../../data/fates.ts';
import { dropReleases, saveReleases } from '../../../store/data/releases.ts';
import type { Query } from '../../../store/database/database.ts';
import { addEvents } from '../../../store/stacks/events.ts';
import { lockStackRow } from '../../../store/stacks/health.ts';
import { desireVersionAgain, type StackRow } from '../../../store/stacks/stacks.ts';
import {
  clearSkipped,
  findNewestVersion,
  findVersion,
  markCancelled,
  readDesiredModel,
  type VersionRow,
} from '../../../store/stacks/versions.ts';
import { type Actor, nameOf } from '../../access/access.ts';
import type { Service } from '../../service.ts';
import {
  type DataWord,
  describeReleased,
  refuseProtected,
  releaseOrRefuse,
  releaseRows,
  replacesServers,
} from '../submit/guard-data.ts';
import { reviseLayers } from '../submit/layer-revisions.ts';
import { findUpdatable, type Submitted } from '../submit/submit-document.ts';
import { vendorOf } from '../submit/vendor-access.ts';
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
  word: DataWord;
}

/** The disk of a server that only this update made, or one that was cancelled before. */
async function isOfCancelled(query: Query, stack: StackRow, { store }: Fate): Promise<boolean> {
  if (!isDisk(store)) return false;
  if (store.version_id === stack.desired_version) return true;
  const made = await findVersion(query, stack.id, store.version_id);
  return made !== undefined && made.cancelled_at !== null;
}

/**
 * Going back passes the same guard as an update: what came up since the last complete version would go. The disks of servers that
 * only the cancelled update made are part of it.
 */
async function guardReturn(
  service: Service,
  query: Query,
  { stack, word, actor, target }: GoingBack & { target: VersionRow },
): Promise<string[]> {
  const vendor = await vendorOf(service, stack, query);
  const found = await fatesOfStack(query, { stack, vendor, after: target.vendor_document });
  const fates: Fate[] = [];
  for (const fate of found) if (!(await isOfCancelled(query, stack, fate))) fates.push(fate);
  refuseProtected(fates, [target.model, (await readDesiredModel(query, stack)).model]);
  const released = releaseOrRefuse(service, { fates, word, what: 'The cancellation' });
  await dropReleases(query, stack.id, target.id);
  const implied = found
    .filter((fate) => !fates.includes(fate))
    .map((fate) => ({ fate, choice: 'delete' }) as const);
  const request = { intent: target.id, by: nameOf(actor), now: service.clock.now() };
  await saveReleases(query, releaseRows([...released, ...implied], request));
  return describeReleased(released);
}

async function goBack(service: Service, query: Query, request: GoingBack): Promise<string> {
  const { actor, stack, losses } = request;
  const now = service.clock.now();
  const settled = lastSettled(stack);
  const version = await findVersion(query, stack.id, settled);
  if (!version)
    return refuseCancel(
      `Version ${settled} of stack ${stack.id}, to which it would go back, is no longer stored`,
      'Send another update, which replaces this one.',
    );
  const sentences = await guardReturn(service, query, { ...request, target: version });
  await reviseLayers(service, query, { version });
  await clearSkipped(query, settled);
  await markCancelled(query, stack.desired_version, now);
  const cancelled = { version: stack.desired_version, losses };
  await desireVersionAgain(query, stack.id, {
    version: settled,
    now,
    by: nameOf(actor),
    replacesServers: replacesServers(service, request.word),
    cancelled,
  });
  const cancellation = `${nameOf(actor)} cancelled the update; going back to version ${settled}.`;
  const message = [cancellation, ...sentences].join(' ');
  const event = { at: now, kind: 'request', status: 'UPDATE_IN_PROGRESS', message } as const;
  await addEvents(query, stack.id, [{ ...event, versionId: settled }]);
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
      await lockStackRow(query, stackId);
      const stack = await findUpdatable(query, actor, { stackId, language: 'v3' });
      requireVersion(stack, before.desired_version);
      const versionId = (await isGoingBack(query, stack))
        ? stack.desired_version
        : await goBack(service, query, { actor, stack, losses, word: conditions });
      const result = { stackId, versionId };
      await rememberResult(service, query, { actor, conditions, result });
      return result;
    });
    await database.notify('stack-due', stackId);
    return submitted;
  });
