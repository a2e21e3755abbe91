import type { Query } from '../../../store/database/database.ts';
import {
  listStacksGiven,
  listUngivenSecrets,
  markGiven,
  type SecretFacts,
} from '../../../store/secrets/secrets.ts';
import { addEvents } from '../../../store/stacks/events.ts';
import { lockStackRow } from '../../../store/stacks/health.ts';
import { wakeStack } from '../../../store/stacks/schedule.ts';
import { findStackById } from '../../../store/stacks/stacks.ts';
import { readDesiredModel } from '../../../store/stacks/versions.ts';
import type { Actor } from '../../access/access.ts';
import { type NewSecret, storeSecret } from '../../secrets/secrets.ts';
import type { Service } from '../../service.ts';
import { reviseLayers } from '../submit/layer-revisions.ts';

/** Revises the layers of a stack that have an older value. False: none has. */
async function giveToStack(
  service: Service,
  query: Query,
  { stackId, secret }: { stackId: string; secret: SecretFacts },
): Promise<boolean> {
  await service.database.lock(query, `stack ${stackId}`);
  await lockStackRow(query, stackId);
  const stack = await findStackById(query, stackId);
  if (!stack || stack.operation === 'DELETE') return false;
  const { id, model } = await readDesiredModel(query, stack);
  const cause = `Secret ${secret.name} changed.`;
  const revised = await reviseLayers(service, query, { version: { id, stack_id: stackId, model }, cause });
  if (revised.length === 0) return false;
  const now = service.clock.now();
  const message = `${secret.updated_by} changed secret ${secret.name}. Layers ${revised.join(', ')} are deployed again.`;
  await addEvents(query, stackId, [{ at: now, kind: 'request', message, versionId: id }]);
  await wakeStack(query, stackId, now);
  return true;
}

/**
 * Makes the agents of every stack that uses the secret deploy its value, without a new version. Each stack in a transaction of its
 * own: safe to repeat after an interruption. Returns the stacks that have work to do.
 */
async function giveSecret(service: Service, secret: SecretFacts): Promise<string[]> {
  const { database } = service;
  const { account_id: accountId, name } = secret;
  const given: string[] = [];
  for (const stackId of await listStacksGiven(database.query, { accountId, name })) {
    const hasWork = await database.transaction((query) => giveToStack(service, query, { stackId, secret }));
    if (!hasWork) continue;
    given.push(stackId);
    await database.notify('stack-due', stackId);
    await database.notify('stack-event', stackId);
  }
  await markGiven(database.query, secret);
  return given;
}

export interface SetSecret {
  /** False: it had this value before. */
  isChanged: boolean;
  /** Stacks whose containers are deployed again. */
  stacks: readonly string[];
}

/** Creates a secret or gives it another value, which the containers that use it get without a new version of their stacks. */
export async function setSecret(service: Service, actor: Actor, secret: NewSecret): Promise<SetSecret> {
  const row = await service.database.transaction((query) =>
    storeSecret(service, query, { actor, ...secret }),
  );
  return row ? { isChanged: true, stacks: await giveSecret(service, row) } : { isChanged: false, stacks: [] };
}

/** Finishes what a server that ended, or a failed request, left. One that fails does not keep the others waiting. */
export async function giveUngivenSecrets(
  service: Service,
  onError: (error: unknown, secret: SecretFacts) => void,
): Promise<void> {
  for (const secret of await listUngivenSecrets(service.database.query))
    await giveSecret(service, secret).catch((error: unknown) => onError(error, secret));
}
