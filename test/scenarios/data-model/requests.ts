import { Failure } from '../../../src/basics/failure.ts';
import { restoreData } from '../../../src/operations/data/change-data.ts';
import { cancelUpdate } from '../../../src/operations/stacks/change/cancel-update.ts';
import { deleteStack } from '../../../src/operations/stacks/change/delete-stack.ts';
import { rollBack } from '../../../src/operations/stacks/change/roll-back.ts';
import { previewUpdate } from '../../../src/operations/stacks/read/preview-template.ts';
import { updateTemplate } from '../../../src/operations/stacks/submit/apply-template.ts';
import type { DataWord } from '../../../src/operations/stacks/submit/guard-data.ts';
import { storesOfStack } from '../../../src/store/data/stores.ts';
import { versionIdsFrom } from '../../../src/store/stacks/prune-versions.ts';
import { oneServer, type World, written } from '../../world.ts';
import type { Random } from './random.ts';

/** A stack with some of: databases of either engine, protected or not, Redis, persistent files, one to three servers. */
export function randomTemplate(random: Random) {
  const { configurations, ...rest } = oneServer(1 + random.below(3));
  const [layer] = configurations;
  const rds = {
    engine: random.of(['mysql', 'mysql', 'postgres']),
    storage: random.of([20, 20, 40]),
    ...(random.isTrue(0.15) ? { deletion_protection: true } : {}),
    ...(random.isTrue(0.15) ? { replica: 1 } : {}),
  };
  const cache = { engine: random.of(['redis', 'redis', 'memcached']), node_type: 'cache.t2.micro' };
  const provision = {
    ...layer?.provision,
    instance_type: random.of(['t2.micro', 't2.micro', 't2.large']),
    volume_size: random.of([30, 30, 40]),
    ...(random.isTrue(0.6) ? { rds } : {}),
    ...(random.isTrue(0.3) ? { elasticache: cache } : {}),
  };
  const storage = random.isTrue(0.4) ? { container_storage: { type: 'local' } } : {};
  const container = { container_image: 'shop/web', ...storage };
  return { ...rest, configurations: [{ ...layer, provision, container }] };
}

const randomWord = (random: Random): DataWord => ({
  data: random.of([undefined, undefined, 'keep', 'delete', { DatabaseInstanceweb0: 'keep' }] as const),
  servers: random.of([undefined, 'replace', 'replace'] as const),
});

export interface Acting {
  world: World;
  stackId: string;
  random: Random;
}

const conditionsOf = (word: DataWord) => ({ fingerprint: '', ...word });

/** Preview and refusal say the same sentences about the same stores. */
async function previewedUpdate({ world, stackId, random }: Acting): Promise<void> {
  const template = written(randomTemplate(random));
  const word = randomWord(random);
  const preview = await previewUpdate(world.service, world.actor, { stackId, template });
  const sentences = new Set(preview.data.map(({ sentence }) => sentence));
  const request = { stackId, template, conditions: conditionsOf(word) };
  const failure = await updateTemplate(world.service, world.actor, request).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (failure instanceof Failure)
    for (const { sentence } of failure.stores)
      if (!sentences.has(sentence)) throw new Error(`The preview did not say: ${sentence}`);
  if (failure) throw failure;
}

async function rollBackSomewhere({ world, stackId, random }: Acting): Promise<void> {
  const versionId = random.of(await versionIdsFrom(world.database.query, stackId, null));
  const restore = random.of([undefined, 'latest', 'empty']);
  const conditions = conditionsOf(randomWord(random));
  await rollBack(world.service, world.actor, { stackId, versionId, restore, conditions });
}

const cancel = ({ world, stackId, random }: Acting) =>
  cancelUpdate(world.service, world.actor, { stackId, conditions: conditionsOf(randomWord(random)) });

const remove = ({ world, stackId, random }: Acting) =>
  deleteStack(world.service, world.actor, {
    stackId,
    language: 'v3',
    conditions: conditionsOf(randomWord(random)),
  });

async function restoreSomething({ world, stackId, random }: Acting): Promise<void> {
  const kept = (await storesOfStack(world.database.query, stackId)).filter(({ state }) => state === 'kept');
  if (kept.length === 0) return;
  const conditions = conditionsOf(randomWord(random));
  await restoreData(world.service, world.actor, { id: random.of(kept).id, conditions });
}

const failSoon = ({ world, stackId, random }: Acting) =>
  world.fault({ kind: 'fail_resource', position: 1 + random.below(4) }, stackId);

const outage = ({ world, stackId, random }: Acting) =>
  world.fault({ kind: 'unreachable', seconds: 1 + random.below(30) }, stackId);

const requests: readonly [weight: number, request: (acting: Acting) => Promise<unknown>][] = [
  [40, previewedUpdate],
  [12, rollBackSomewhere],
  [16, cancel],
  [4, remove],
  [10, restoreSomething],
  [8, failSoon],
  [4, outage],
];

const total = requests.reduce((sum, [weight]) => sum + weight, 0);

/** Sends a random request. What Almanac refuses is part of the history. Returns the name of the request and its end. */
export async function actAtRandom(acting: Acting): Promise<string> {
  let rest = acting.random.next() * total;
  const [, request] = requests.find(([weight]) => (rest -= weight) < 0) ?? [0, cancel];
  try {
    await request(acting);
    return `${request.name}: accepted`;
  } catch (error) {
    if (error instanceof Failure && error.kind !== 'internal') return `${request.name}: ${error.message}`;
    throw error;
  }
}
