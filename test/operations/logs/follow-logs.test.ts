import { afterEach, beforeEach, expect } from 'vitest';
import { LogWorld, line, onSqlite, TestFollower } from './log-world.ts';

let logs: LogWorld;
let follower: TestFollower;
beforeEach(async () => {
  logs = await LogWorld.open();
  follower = new TestFollower();
  await logs.report('i-1', true);
});
afterEach(() => logs.close());

onSqlite('lines arrive as they are sent, and the state of the instance with them', async () => {
  const stream = await logs.follow('i-1', follower);
  expect(follower.states).toEqual({ 'i-1': 'waiting' });
  const request = await logs.request('i-1');
  expect(request.follow).toBe(true);
  await logs.send(request, [line('one')]);
  await logs.send(request, [line('two')], { server: logs.otherServer });
  expect([follower.texts, follower.states]).toEqual([['one', 'two'], { 'i-1': 'sending' }]);
  stream.close();
});

onSqlite('a follower that leaves frees everything: agents stop, and no timer is left', async () => {
  const stream = await logs.follow('i-1', follower);
  const request = await logs.request('i-1');
  const held = logs.question('i-1', [request.id]);
  stream.close();
  stream.close();
  expect(await held).toEqual({ requests: [], over: [request.id] });
  expect([logs.isWanted(), logs.isWanted(logs.otherServer)]).toEqual([false, false]);
  expect(await logs.send(request, [line('late')])).toBe(false);
  const { heartbeats } = follower;
  await logs.advance(30);
  expect([follower.heartbeats, follower.texts]).toEqual([heartbeats, []]);
});

onSqlite('a request whose server was killed is forgotten after 15 seconds', async () => {
  const stream = await logs.follow('i-1', follower);
  await logs.request('i-1', logs.otherServer);
  // Killed: it neither renews the request nor withdraws it.
  const notify = logs.world.database.notify.bind(logs.world.database);
  Object.assign(logs.world.database, { notify: () => Promise.resolve() });
  await logs.advance(16);
  expect(logs.isWanted(logs.otherServer)).toBe(false);
  Object.assign(logs.world.database, { notify });
  stream.close();
});

onSqlite('a server that was started later knows an open request after 5 seconds', async () => {
  const stream = await logs.follow('i-1', follower);
  const started = { ...logs.world.service };
  expect(logs.isWanted(started)).toBe(false);
  await logs.advance(6);
  expect(logs.isWanted(started)).toBe(true);
  stream.close();
});

onSqlite('a repeated message is shown once, and a missing one as a gap', async () => {
  const stream = await logs.follow('i-1', follower);
  const request = await logs.request('i-1');
  await logs.send(request, [line('one', 1)], { batch: 7 });
  await logs.send(request, [line('one', 1)], { batch: 7 });
  await logs.send(request, [line('three', 3)], { batch: 9, leftOut: 4 });
  expect(follower.texts).toEqual(['one', 'three']);
  expect(follower.news.filter(({ kind }) => kind === 'gap')).toEqual([
    { kind: 'gap', instanceId: 'i-1', count: null, why: 'agent' },
    { kind: 'gap', instanceId: 'i-1', count: 4, why: 'agent' },
  ]);
  stream.close();
});

onSqlite('an agent that was restarted does not repeat lines that were shown', async () => {
  const stream = await logs.follow('i-1', follower);
  const request = await logs.request('i-1');
  await logs.send(request, [line('one', 1), line('two', 2)], { batch: 1000 });
  await logs.send(request, [line('one', 1), line('two', 2), line('three', 3)], { batch: 5000 });
  expect(follower.texts).toEqual(['one', 'two', 'three']);
  stream.close();
});

onSqlite(
  'a slow reader gets the newest lines and the number of those left out, and is disconnected after 30 seconds',
  async () => {
    const stream = await logs.follow('i-1', follower);
    const request = await logs.request('i-1');
    follower.takesMore = false;
    const many = Array.from({ length: 500 }, (_, index) => line(`line ${index}`, index));
    for (let round = 0; round < 6; round += 1) await logs.send(request, many);
    const taken = follower.texts.length;
    expect(taken).toBeLessThan(500);
    follower.takesMore = true;
    stream.resume();
    const [gap, ...others] = follower.news.filter((item) => item.kind === 'gap');
    expect([gap?.why, others]).toEqual(['reader', []]);
    expect(follower.texts.length + (gap?.count ?? 0)).toBe(6 * many.length);
    expect(follower.texts.at(-1)).toBe('line 499');
    follower.takesMore = false;
    await logs.send(request, [line('more')]);
    await logs.advance(36);
    expect([follower.isDropped, logs.isWanted()]).toEqual([true, false]);
  },
);

onSqlite('the stream ends when the stack is deleted, and after 15 minutes', async () => {
  await logs.follow('i-1', follower);
  await logs.advance(15 * 60 - 5);
  expect([follower.isEnded, follower.heartbeats > 100]).toEqual([false, true]);
  await logs.advance(10);
  expect([follower.isEnded, logs.isWanted()]).toEqual([true, false]);
  const second = new TestFollower();
  await logs.follow('i-1', second);
  await logs.world.delete(logs.stackId);
  await logs.world.settle();
  await logs.advance(6);
  expect([second.isEnded, logs.isWanted()]).toEqual([true, false]);
});

onSqlite('a silent agent is shown as silent, and as sending as soon as it sends', async () => {
  const stream = await logs.follow('i-1', follower);
  const request = await logs.request('i-1');
  await logs.advance(31);
  expect(follower.states).toEqual({ 'i-1': 'silent' });
  await logs.send(request, [line('back')]);
  expect(follower.states).toEqual({ 'i-1': 'sending' });
  stream.close();
});

onSqlite('simulated instances write lines while time passes, the same for every reader', async () => {
  const [instance] = (await logs.world.describe(logs.stackId)).view.instances;
  const id = instance?.id ?? '';
  const other = new TestFollower();
  const streams = [await logs.follow(id, follower), await logs.follow(id, other)];
  const before = follower.texts.length;
  await logs.advance(120);
  expect(follower.texts.length).toBeGreaterThan(before + 10);
  expect(follower.texts).toEqual(other.texts);
  expect(new Set(follower.news.flatMap((item) => (item.kind === 'line' ? item.line.time : []))).size).toBe(
    follower.texts.length,
  );
  expect(follower.states).toEqual({ [id]: 'sending' });
  for (const stream of streams) stream.close();
});
