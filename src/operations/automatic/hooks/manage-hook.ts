import { Failure, notFound } from '../../../basics/failure.ts';
import { Secret } from '../../../basics/secret.ts';
import { newHookId, newHookSecret } from '../../../model/names.ts';
import {
  type DeployHookRow,
  deleteHook,
  findHookOfStack,
  saveHook,
} from '../../../store/automatic/deploy-hooks.ts';
import { type Actor, nameOf } from '../../access/access.ts';
import { findExistingStack } from '../../find-stack.ts';
import { type Service, sealedFor } from '../../service.ts';
import { submitterOf } from '../../submitter/submitter.ts';

export interface MadeHook {
  url: string;
  secret: Secret;
}

/** Forges and CI call it. */
export const hookUrl = ({ settings }: Service, id: string): string =>
  `${settings.baseUrl}/v3/alm/hooks/deploy/${id}`;

/** Creates the deploy hook of a stack, or gives it a new secret: the old one is invalid then. It acts in the name of the caller. */
export async function createHook(service: Service, actor: Actor, stackId: string): Promise<MadeHook> {
  const { database, sealer, clock } = service;
  const submitter = submitterOf(actor);
  if (!submitter) throw new Failure('forbidden', 'Agents cannot create deploy hooks');
  const secret = new Secret(newHookSecret());
  return database.transaction(async (query) => {
    await database.lock(query, `stack ${stackId}`);
    const stack = await findExistingStack(query, actor.accountId, { stackId, language: 'v3' });
    const id = (await findHookOfStack(query, stack.id))?.id ?? newHookId();
    await saveHook(query, {
      id,
      stack_id: stack.id,
      sealed_secret: sealer.seal(secret, sealedFor.deployHook(id)),
      ...submitter,
      created_by: nameOf(actor),
      created_at: clock.now(),
      last_used_at: null,
      last_result: '',
    });
    return { url: hookUrl(service, id), secret };
  });
}

export async function readHook(
  { database }: Service,
  actor: Actor,
  stackId: string,
): Promise<DeployHookRow | undefined> {
  const stack = await findExistingStack(database.query, actor.accountId, { stackId, language: 'v3' });
  return findHookOfStack(database.query, stack.id);
}

export async function removeHook({ database }: Service, actor: Actor, stackId: string): Promise<void> {
  const stack = await findExistingStack(database.query, actor.accountId, { stackId, language: 'v3' });
  if (!(await deleteHook(database.query, stack.id))) throw notFound('Deploy hook of stack', stackId);
}
