import { Failure } from '../../../basics/failure.ts';
import { Secret } from '../../../basics/secret.ts';
import { newHookId, newHookSecret } from '../../../model/names.ts';
import { type DeployHookRow, findHook, noteHookUse } from '../../../store/automatic/deploy-hooks.ts';
import {
  countCalls,
  deleteOldDeliveries,
  forgetDeliveries,
  hasDelivery,
  insertCall,
} from '../../../store/automatic/hook-deliveries.ts';
import { findPause } from '../../../store/automatic/paused-stacks.ts';
import { findStackById } from '../../../store/stacks/stacks.ts';
import { readDesiredVersion } from '../../../store/stacks/versions.ts';
import { type Service, sealedFor } from '../../service.ts';
import { requireResponsible } from '../responsible.ts';
import { noteRefusal, submitAutomatic } from '../submit-automatic.ts';
import { planDelivery } from './plan-delivery.ts';
import { readDelivery, type Wish } from './read-delivery.ts';
import { type Proof, type Verified, verifyDelivery } from './verify.ts';

export interface Delivery {
  hookId: string;
  proof: Proof;
  text: string;
  request: { id: string; address: string };
}

export interface HookResult {
  result: 'deployed' | 'nothing to deploy' | 'paused' | 'already processed';
  versionId: string | null;
}

const perMinute = 10;
const minuteMs = 60_000;
const deliveriesKeptMs = 90 * 24 * 3_600_000;

/** The same for an unknown hook and a wrong secret: nobody finds out which hooks there are. */
const unknown = (): Failure =>
  new Failure('not_found', 'There is no such deploy hook, or the signature is wrong', {
    description: 'Use the URL and the secret as `alm deploy-hook create` printed them.',
  });

/** Does the same work for an unknown hook, whose check then takes as long. */
function secretOf({ sealer }: Service, hook: DeployHookRow | undefined): Secret {
  const context = sealedFor.deployHook(hook?.id ?? '');
  const decoy = sealer.seal(new Secret(newHookSecret()), context);
  return sealer.unseal(hook?.sealed_secret ?? decoy, context);
}

/** Counts and remembers a delivery. False: it was processed before. */
async function isNew(
  { database, clock }: Service,
  stackId: string,
  deliveries: readonly string[],
): Promise<boolean> {
  const now = clock.now();
  return database.transaction(async (query) => {
    await database.lock(query, `deploy hook of ${stackId}`);
    if (await hasDelivery(query, stackId, deliveries)) return false;
    if ((await countCalls(query, stackId, now - minuteMs)) >= perMinute)
      throw new Failure('too_many_requests', `A deploy hook accepts ${perMinute} calls in a minute`, {
        retryAfter: minuteMs / 1000,
      });
    await deleteOldDeliveries(query, stackId, now - deliveriesKeptMs);
    await insertCall(query, { stackId, id: newHookId(), deliveries, at: now });
    return true;
  });
}

interface Called {
  hook: DeployHookRow;
  wish: Wish;
  request: Delivery['request'];
}

const maxTries = 5;

/** Another update in between is not overwritten: the plan is made again from it. */
async function deploy(service: Service, { hook, wish, request }: Called): Promise<HookResult> {
  const { query } = service.database;
  for (let tries = 1; ; tries += 1) {
    const stack = await findStackById(query, hook.stack_id);
    if (!stack || stack.deleted_at !== null) throw unknown();
    const version = await readDesiredVersion(query, stack);
    const plan = planDelivery(version, wish);
    if (!plan) return { result: 'nothing to deploy', versionId: null };
    if (await findPause(query, stack.id)) return { result: 'paused', versionId: null };
    try {
      const actor = await requireResponsible(service, stack, hook);
      const { versionId } = await submitAutomatic(service, actor, { stack, ...plan, request });
      return { result: 'deployed', versionId };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (error.kind === 'precondition_failed' && tries < maxTries) continue;
      await noteRefusal(service, stack, { cause: plan.cause, failure: error });
      throw error;
    }
  }
}

async function process(
  service: Service,
  called: Called,
  { deliveries }: Pick<Verified, 'deliveries'>,
): Promise<HookResult> {
  const { query } = service.database;
  const stackId = called.hook.stack_id;
  // Forges send many events that do not concern anybody here: they must not use up the limit.
  if (called.wish.kind === 'nothing') return { result: 'nothing to deploy', versionId: null };
  if (!(await isNew(service, stackId, deliveries))) return { result: 'already processed', versionId: null };
  try {
    return await deploy(service, called);
  } catch (error) {
    await forgetDeliveries(query, stackId, deliveries);
    throw error;
  }
}

/** A call of a deploy hook by a forge or CI. */
export async function callHook(service: Service, delivery: Delivery): Promise<HookResult> {
  const { hookId, proof, text, request } = delivery;
  const { query } = service.database;
  const hook = await findHook(query, hookId);
  const verified = verifyDelivery(proof, secretOf(service, hook), text);
  if (!hook || !verified) throw unknown();
  const note = (result: string) => noteHookUse(query, hook.id, { now: service.clock.now(), result });
  try {
    const wish = readDelivery(verified.kind, text);
    const done = await process(service, { hook, wish, request }, verified);
    if (done.result !== 'already processed') await note(done.result);
    return done;
  } catch (error) {
    await note(error instanceof Failure ? `failed: ${error.message}` : 'failed: internal error');
    throw error;
  }
}
