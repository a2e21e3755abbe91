import { afterEach, beforeEach, expect, it } from 'vitest';
import type { StackStatus } from '../../src/model/status.ts';
import type { Json } from '../http.ts';
import { makeTestPlace, type TestPlace } from '../open-database.ts';
import { oneServer } from '../world.ts';
import { AlmanacProcess, knownLogin } from './almanac-process.ts';
import { letLeasesRunOut, readSandboxWorld } from './behind-the-servers.ts';

const rounds = 10;
const stacksPerRound = 3;
/** The pretend cloud allows 20 virtual networks in a region. */
const regions = ['ap-northeast-1', 'us-east-1', 'us-west-1'];

let place: TestPlace;
let server: AlmanacProcess;
beforeEach(async () => {
  place = await makeTestPlace();
});
afterEach(async () => {
  await server.kill('SIGKILL');
  await place.remove();
});

interface Wish {
  number: number;
  stackId: string;
  status: StackStatus;
  instances: number;
}

const templateOf = (wish: Pick<Wish, 'number' | 'instances'>) => ({
  ...oneServer(wish.instances, regions[wish.number % regions.length]),
  nickname: `stack ${wish.number}`,
});

/** Where a crash leaves open whether the stack was made, its nickname tells. */
async function create(wish: Wish): Promise<void> {
  const path = `/v3/alm/stack?nickname=${encodeURIComponent(`stack ${wish.number}`)}`;
  const [known] = (await server.call<Json[]>('GET', path)).body;
  wish.stackId = known ? String(known.stack_id) : await server.applyTemplate(templateOf(wish));
}

const update = async (wish: Wish): Promise<void> => {
  const json = templateOf(wish);
  expect((await server.call('PUT', `/v3/alm/template/${wish.stackId}`, { json })).status).toBe(202);
};

/** Asked again after a crash, it may be gone already. */
const remove = async ({ stackId }: Wish): Promise<void> => {
  expect([200, 404]).toContain((await server.call('DELETE', `/v3/alm/stack/${stackId}`)).status);
};

/** Three new stacks, the three before updated, and one from before that deleted. */
function workOf(round: number, wishes: Wish[]): (() => Promise<void>)[] {
  const from = (roundBefore: number) =>
    wishes.filter(({ number }) => Math.floor(number / stacksPerRound) === roundBefore);
  const old = from(round - 1).map((wish) => () => {
    Object.assign(wish, { instances: 2 + (wish.number % 2), status: 'UPDATE_COMPLETE' });
    return update(wish);
  });
  const oldest = from(round - 2)
    .slice(0, 1)
    .map((wish) => () => {
      Object.assign(wish, { instances: 0, status: 'DELETE_COMPLETE' });
      return remove(wish);
    });
  const fresh = Array.from({ length: stacksPerRound }, (_, index) => {
    const number = round * stacksPerRound + index;
    const wish: Wish = { number, stackId: '', status: 'CREATE_COMPLETE', instances: 1 };
    wishes.push(wish);
    return () => create(wish);
  });
  return [...fresh, ...old, ...oldest];
}

const restart = async (): Promise<void> => {
  const token = server.userToken();
  await letLeasesRunOut(place);
  server = await AlmanacProcess.serve(place, { ...knownLogin, ALM_SANDBOX_SPEED: '0.05' });
  server.useToken(token);
};

/** All at once, and SIGKILL when so many are answered; what was cut off is asked again of the next server. */
async function killDuring(work: (() => Promise<void>)[], answers: number): Promise<void> {
  let answered = 0;
  const outcomes = await Promise.allSettled(
    work.map(async (job) => {
      await job();
      answered += 1;
      if (answered === answers) await server.kill('SIGKILL');
    }),
  );
  await restart();
  const cutOff = work.filter((_, index) => outcomes[index]?.status === 'rejected');
  for (const job of cutOff) await job();
}

it('ten times killed while 30 stacks come, change and go, every stack ends as wanted and nothing is there twice', async () => {
  server = await AlmanacProcess.serve(place, { ...knownLogin, ALM_SANDBOX_SPEED: '0.05' });
  await server.userToken();
  const wishes: Wish[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const work = workOf(round, wishes);
    await killDuring(work, 1 + (round % work.length));
  }
  for (const { stackId, status, instances } of wishes) {
    const stack = await server.waitFor(stackId, status);
    expect(stack.instances).toHaveLength(instances);
  }
  const list = (await server.call<Json[]>('GET', '/v3/alm/stack')).body;
  const living = wishes.filter(({ status }) => status !== 'DELETE_COMPLETE');
  const ids = (found: Iterable<string>) => [...found].toSorted();
  const wanted = ids(living.map(({ stackId }) => stackId));
  expect(ids(list.map(({ stack_id }) => String(stack_id)))).toEqual(wanted);
  const world = await readSandboxWorld(place);
  expect(ids(world.keys())).toEqual(wanted);
  for (const { stackId, instances } of living) {
    const names = world.get(stackId) ?? [];
    expect(names).toEqual([...new Set(names)]);
    expect(names.filter((name) => /instance/i.test(name))).toHaveLength(instances);
  }
});
