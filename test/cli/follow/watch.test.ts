import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/basics/clock.ts';
import { CliError } from '../../../src/cli/cli-error.ts';
import type { Context } from '../../../src/cli/command.ts';
import { Line } from '../../../src/cli/follow/connection.ts';
import { badEnding } from '../../../src/cli/follow/ending.ts';
import { Progress } from '../../../src/cli/follow/progress.ts';
import { dataOf } from '../../../src/cli/follow/server-sent.ts';
import { StackCalls, type StackEvent, type StackNow } from '../../../src/cli/follow/stack-calls.ts';
import { presentOperation, Watch } from '../../../src/cli/follow/watch.ts';
import { ApiError } from '../../../src/cli/net/api-error.ts';
import { stackEvent } from './stack-event.ts';

let number = 0;
const event = (given: Partial<StackEvent>): StackEvent => stackEvent({ event_id: (number += 1), ...given });
const request = (operation: string, version: string, time = '2030-01-01T00:00:00+00:00') =>
  event({
    kind: 'request',
    status: `${operation}_IN_PROGRESS`,
    version_id: version,
    message: `${version} asked`,
    time,
  });
const rest = (status: string, version: string, time = '2030-01-01T00:00:12+00:00') =>
  event({ kind: 'status', status, version_id: version, time, message: `It is ${status}.` });
const now = (status: string, versionId: string): StackNow => ({ status, versionId, reason: '', outputs: [] });

describe('server-sent events', () => {
  it('come whole, however the bytes were cut', async () => {
    const text =
      'retry: 2000\n\n: nothing new\n\nid: 1\nevent: step\ndata: {"a":1}\n\ndata:two\r\ndata: lines\r\n\r\ndata: cut';
    async function* letterByLetter() {
      yield* text;
    }
    const found: string[] = [];
    for await (const data of dataOf(letterByLetter())) found.push(data);
    expect(found).toEqual(['{"a":1}', 'two\nlines']);
  });
});

describe('all events', () => {
  it('are read page by page', async () => {
    const all = Array.from({ length: 2500 }, (_, index) => event({ event_id: index + 1 }));
    const call = async (
      _method: string,
      _path: string,
      input: { query: { after: number; limit: number } },
    ) => {
      const { after, limit } = input.query;
      return { body: all.slice(after, after + limit) };
    };
    const context = { api: { call }, version: 'v3' } as unknown as Context;
    const calls = new StackCalls(context, 'mo-1', new AbortController().signal);
    expect(await calls.events(0)).toEqual(all);
    expect(await calls.events(500)).toEqual(all.slice(500));
  });
});

describe('the present operation', () => {
  const old = [request('CREATE', 'one'), rest('CREATE_COMPLETE', 'one')];
  const hook = event({ kind: 'request', message: 'root saved a hook.' });

  it('begins with the newest request for a change', () => {
    const asked = request('UPDATE', 'two');
    expect(presentOperation([...old, asked, hook])).toEqual([asked, hook]);
    expect(presentOperation([hook])).toEqual([]);
  });

  it('begins with the request for the version that is awaited', () => {
    const [own, other] = [request('UPDATE', 'two'), request('UPDATE', 'three')];
    expect(presentOperation([...old, own, other], 'two')).toEqual([own, other]);
    expect(presentOperation([...old, own], 'unknown')).toEqual([own]);
  });
});

describe('how it ended', () => {
  const stackId = 'mo-1';
  const began = request('UPDATE', 'two');
  const codeOf = (versionId: string | undefined, at: StackNow, first = began) =>
    badEnding({ stackId, versionId }, { now: at, began: first, asked: first })?.code ?? 0;

  it.each<[string, string | undefined, StackNow, StackEvent, number]>([
    ['complete', 'two', now('UPDATE_COMPLETE', 'two'), began, 0],
    ['failed', 'two', now('UPDATE_FAILED', 'two'), began, 3],
    ['another version is in force', 'two', now('UPDATE_COMPLETE', 'one'), began, 3],
    ['nobody said which version', undefined, now('UPDATE_COMPLETE', 'one'), began, 0],
    ['deleted meanwhile', undefined, now('DELETE_COMPLETE', 'two'), began, 3],
    ['deleted, and the version is still the same', 'two', now('DELETE_COMPLETE', 'two'), began, 3],
    ['a deletion was awaited', undefined, now('DELETE_COMPLETE', 'two'), request('DELETE', 'two'), 0],
    ['an awaited deletion failed', undefined, now('DELETE_FAILED', 'two'), request('DELETE', 'two'), 3],
  ])('%s', (_, versionId, at, first, code) => {
    expect(codeOf(versionId, at, first)).toBe(code);
  });
});

describe('a watch', () => {
  const watched = (past: StackEvent[], at: StackNow[], versionId?: string) => {
    const clock = new VirtualClock();
    const { signal } = new AbortController();
    const silent = { lost: () => {}, back: () => {} };
    const calls = {
      describe: async () => at.shift() ?? now('', ''),
      events: async () => past,
      stream: () => Promise.reject(new Error('not followed')),
      estimate: () => Promise.reject(new Error('not known')),
    };
    const line = new Line({ clock, signal, ...silent });
    const display = { event: () => {} };
    return new Watch({ calls, line, display, progress: new Progress(clock), signal }, versionId).untilRest();
  };

  it('holds to the end of its own version, though the next change is at work', async () => {
    const past = [request('UPDATE', 'two'), rest('UPDATE_FAILED', 'two'), request('UPDATE', 'three')];
    const outcome = await watched(past, [now('UPDATE_IN_PROGRESS', 'three')], 'two');
    expect(outcome.now).toMatchObject({
      status: 'UPDATE_FAILED',
      reason: 'It is UPDATE_FAILED.',
      versionId: 'two',
    });
  });

  it('looks again when it came to rest between looking and reading', async () => {
    const past = [request('UPDATE', 'two'), rest('UPDATE_COMPLETE', 'two')];
    const outputs = [{ OutputKey: 'Address', OutputValue: '203.0.113.1' }];
    const at = { ...now('UPDATE_COMPLETE', 'two'), outputs };
    const outcome = await watched(past, [now('UPDATE_IN_PROGRESS', 'two'), at]);
    expect(outcome.now).toEqual(at);
  });
});

describe('a line', () => {
  const refused = (status: number, text: string) =>
    new ApiError({ status, statusLine: String(status), text });
  const unreached = new CliError('noAnswer', 'It was not reached.');
  const answer = '{"code":"0404","message":"Gone","description":""}';
  const holding = (errors: unknown[]) => {
    const clock = new VirtualClock();
    const stop = new AbortController();
    const said: string[] = [];
    const tell = { lost: (why: string) => said.push(why), back: () => said.push('back') };
    const line = new Line({ clock, signal: stop.signal, ...tell });
    let tries = 0;
    const held = line.hold(async () => {
      tries += 1;
      const error = errors.shift();
      if (error) throw error;
      return 'found';
    });
    const pass = async (ms: number) => {
      clock.advance(ms);
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    };
    return { held, said, pass, stop, tries: () => tries };
  };

  it('is told lost once and back once, and the pauses between tries grow', async () => {
    const { held, said, pass, tries } = holding([unreached, refused(503, ''), refused(404, '<html>')]);
    await pass(0);
    expect(tries()).toBe(1);
    await pass(500);
    expect(tries()).toBe(2);
    await pass(900);
    expect(tries()).toBe(2);
    await pass(100);
    expect(tries()).toBe(3);
    await pass(2000);
    expect(await held).toBe('found');
    expect(said).toEqual(['It was not reached.', 'back']);
  });

  it.each([refused(401, ''), refused(403, ''), refused(404, answer), new Error('ours')])(
    'is given up when the service refuses: %s',
    async (error) => {
      const { held, said } = holding([error]);
      await expect(held).rejects.toBe(error);
      expect(said).toEqual([]);
    },
  );

  it('ends with the stay, also in a pause', async () => {
    const { held, stop, pass } = holding([unreached]);
    const ending = expect(held).rejects.toBe('interrupted');
    await pass(0);
    stop.abort('interrupted');
    await ending;
  });
});
