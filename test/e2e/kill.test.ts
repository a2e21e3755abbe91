import { afterEach, beforeEach, expect, it } from 'vitest';
import type { StackStatus } from '../../src/model/status.ts';
import type { Json } from '../http.ts';
import { makeTestPlace, type TestPlace } from '../open-database.ts';
import { oneServer } from '../world.ts';
import { AlmanacProcess, knownLogin } from './almanac-process.ts';
import { expireLeases, readSandboxWorld } from './behind-the-servers.ts';

const rounds = 10;
const stacksPerRound = 3;
/** The simulated cloud allows 20 virtual networks per region. */
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

interface Desired {
  number: number;
  stackId: string;
  status: StackStatus;
  instances: number;
}

const templateOf = (desired: Pick<Desired, 'number' | 'instances'>) => ({
  ...oneServer(desired.instances, regions[desired.number % regions.length]),
  nickname: `stack ${desired.number}`,
});

/** After a crash, the nickname shows whether the stack was created. */
async function create(desired: Desired): Promise<void> {
  const path = `/v3/alm/stack?nickname=${encodeURIComponent(`stack ${desired.number}`)}`;
  const [known] = (await server.call<Json[]>('GET', path)).body;
  desired.stackId = known ? String(known.stack_id) : await server.applyTemplate(templateOf(desired));
}

const update = async (desired: Desired): Promise<void> => {
  const json = templateOf(desired);
  expect((await server.call('PUT', `/v3/alm/template/${desired.stackId}`, { json })).status).toBe(202);
};

/** Repeated after a crash, the stack may already be gone. */
const remove = async ({ stackId }: Desired): Promise<void> => {
  expect([200, 404]).toContain(
    (await server.call('DELETE', `/v3/alm/stack/${stackId}?servers=replace`)).status,
  );
};

/** Three new stacks, the three before updated, and one from before that deleted. */
function workOf(round: number, stacks: Desired[]): (() => Promise<void>)[] {
  const from = (roundBefore: number) =>
    stacks.filter(({ number }) => Math.floor(number / stacksPerRound) === roundBefore);
  const old = from(round - 1).map((desired) => () => {
    Object.assign(desired, { instances: 2 + (desired.number % 2), status: 'UPDATE_COMPLETE' });
    return update(desired);
  });
  const oldest = from(round - 2)
    .slice(0, 1)
    .map((desired) => () => {
      Object.assign(desired, { instances: 0, status: 'DELETE_COMPLETE' });
      return remove(desired);
    });
  const fresh = Array.from({ length: stacksPerRound }, (_, index) => {
    const number = round * stacksPerRound + index;
    const desired: Desired = { number, stackId: '', status: 'CREATE_COMPLETE', instances: 1 };
    stacks.push(desired);
    return () => create(desired);
  });
  return [...fresh, ...old, ...oldest];
}

const restart = async (): Promise<void> => {
  const token = server.userToken();
  await expireLeases(place);
  server = await AlmanacProcess.serve(place, { ...knownLogin, ALM_SANDBOX_SPEED: '0.05' });
  server.useToken(token);
};

/** Sends all requests at once, and SIGKILL after so many responses; the next server gets the interrupted requests again. */
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

it('after ten kills during 30 creates, updates and deletes every stack is as desired and no resource exists twice', async () => {
  server = await AlmanacProcess.serve(place, { ...knownLogin, ALM_SANDBOX_SPEED: '0.05' });
  await server.userToken();
  const stacks: Desired[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const work = workOf(round, stacks);
    await killDuring(work, 1 + (round % work.length));
  }
  for (const { stackId, status, instances } of stacks) {
    const stack = await server.waitFor(stackId, status);
    expect(stack.instances).toHaveLength(instances);
  }
  const list = (await server.call<Json[]>('GET', '/v3/alm/stack')).body;
  const living = stacks.filter(({ status }) => status !== 'DELETE_COMPLETE');
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
