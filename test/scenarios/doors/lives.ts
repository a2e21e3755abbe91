import { afterEach, beforeEach, expect } from 'vitest';
import { cancelUpdate } from '../../../src/operations/stacks/change/cancel-update.ts';
import { readEvents } from '../../../src/operations/stacks/read/describe-stack.ts';
import type { DataWord } from '../../../src/operations/stacks/submit/guard-data.ts';
import { storesOfStack } from '../../../src/store/data/stores.ts';
import { contentOf } from '../../../src/vendors/sandbox/data.ts';
import { resourcesAt } from '../../../src/vendors/sandbox/timeline.ts';
import { oneServer, World } from '../../world.ts';

/** For tests of ways on which data was lost once. */

export let world: World;

/** Call it in each file: files share modules, but not hooks. */
export function useLives(): void {
  beforeEach(async () => {
    world = await World.open();
  });
  afterEach(async () => {
    expect(world.errors).toEqual([]);
    await world.close();
  });
}

interface Parts {
  servers?: number;
  rds?: object;
  container?: object;
  provision?: object;
}

export const template = ({ servers = 1, rds, container, provision = {} }: Parts = {}) => {
  const { configurations, ...rest } = oneServer(servers);
  const [layer] = configurations;
  const whole = { ...layer?.provision, ...(rds ? { rds } : {}), ...provision };
  return { ...rest, configurations: [{ ...layer, provision: whole, ...(container ? { container } : {}) }] };
};

export const rds = { engine: 'mysql', storage: 20 };
export const local = { container_image: 'shop/web', container_storage: { type: 'local' } };

export const update = (stackId: string, document: object, word: DataWord = {}) =>
  world.update(stackId, document, word);
export const cancel = (stackId: string, word: DataWord = {}) =>
  cancelUpdate(world.service, world.actor, { stackId, conditions: { fingerprint: '', ...word } });
export const versionOf = async (stackId: string) => (await world.describe(stackId)).versionId;
export const messagesOf = async (stackId: string) =>
  (await readEvents(world.service, world.actor, { stackId, language: 'v3', after: 0, limit: 1000 })).map(
    ({ message }) => message,
  );

export const settled = async (document: object): Promise<string> => {
  const stackId = await world.create(document);
  await world.settle();
  return stackId;
};

/** What the simulated cloud really has, whatever Almanac believes. */
export async function inCloud(stackId: string, type: string) {
  const { account_id: account, credential_id: credential } = await world.row(stackId);
  const { stack } = await world.cloud.read(`${account}/${credential}`, stackId);
  const resources = stack ? resourcesAt(stack, world.clock.now()) : [];
  return resources.filter((resource) => resource.type === type);
}

export const contentIn = async (stackId: string, type: string) =>
  (await inCloud(stackId, type)).map(contentOf);
export const storesIn = async (stackId: string, kind: string) =>
  (await storesOfStack(world.database.query, stackId)).filter((row) => row.kind === kind);

/** The vendor completes the version that adds a database while a newer one already waits. */
export async function completedInPassing(more: object = {}) {
  const stackId = await settled(template());
  const first = await versionOf(stackId);
  const { versionId: second } = await update(stackId, template({ rds: { ...rds, ...more } }));
  await world.worker('one').runDue();
  await update(stackId, template({ rds: { ...rds, ...more }, servers: 2 }));
  while ((await world.row(stackId)).settled_version === first) await world.advance(0.5);
  const [content] = await contentIn(stackId, 'DatabaseInstance');
  return { stackId, first, second, content };
}
