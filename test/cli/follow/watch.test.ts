import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/basics/clock.ts';
import { CliError } from '../../../src/cli/cli-error.ts';
import type { Context } from '../../../src/cli/command.ts';
import { Connection } from '../../../src/cli/follow/connection.ts';
import { eventData } from '../../../src/cli/follow/follow-events.ts';
import { failureOf } from '../../../src/cli/follow/outcome.ts';
import { Progress } from '../../../src/cli/follow/progress.ts';
import { StackCalls, type StackEvent, type StackState } from '../../../src/cli/follow/stack-calls.ts';
import { currentOperation, Watch } from '../../../src/cli/follow/watch.ts';
import { ApiError } from '../../../src/cli/net/api-error.ts';
import { stackEvent } from './stack-event.ts';

let lastId = 0;
const event = (members: Partial<StackEvent>): StackEvent =>
  stackEvent({ event_id: (lastId += 1), ...members });
const request = (operation: string, version: string, time = '2030-01-01T00:00:00+00:00') =>
  event({
    kind: 'request',
    status: `${operation}_IN_PROGRESS`,
    version_id: version,
    message: `${version} asked`,
    time,
  });
const settled = (status: string, version: string, time = '2030-01-01T00:00:12+00:00') =>
  event({ kind: 'status', status, version_id: version, time, message: `It is ${status}.` });
const state = (status: string, versionId: string): StackState => ({
  status,
  versionId,
  reason: '',
  outputs: [],
});

describe('server-sent events', () => {
  const dataIn = async (chunks: Iterable<string>): Promise<string[]> => {
    async function* stream() {
      yield* chunks;
    }
    const found: string[] = [];
    for await (const data of eventData(stream())) found.push(data);
    return found;
  };

  it('are complete when the stream is split at every character', async () => {
    const text =
      'retry: 2000\n\n: nothing new\n\nid: 1\nevent: step\ndata: {"a":1}\n\ndata:two\r\ndata: lines\r\n\r\ndata: cut';
    expect(await dataIn(text)).toEqual(['{"a":1}', 'two\nlines']);
  });

  it('may come several in one chunk', async () => {
    expect(await dataIn(['data: 1\n\ndata: 2\n\nda', 'ta: 3\n', '\n'])).toEqual(['1', '2', '3']);
  });

  it('may end their lines with CRLF, also when a chunk ends between CR and LF', async () => {
    expect(await dataIn(['data: 1\r\n\r\n', 'data: 2\r', '\n\r', '\ndata: 3\r\n\r\n'])).toEqual([
      '1',
      '2',
      '3',
    ]);
  });

  it('do not include comments and heartbeats', async () => {
    expect(await dataIn([': heartbeat\n\n', 'data: 1\n: heartbeat\n\n', ':\n\n'])).toEqual(['1']);
  });

  it('join several lines of data with line feeds', async () => {
    expect(await dataIn(['data: {\ndata:   "a": 1\n', 'data: }\n\n'])).toEqual(['{\n  "a": 1\n}']);
  });

  it('are dropped when the stream ends before they are complete', async () => {
    expect(await dataIn(['data: 1\n\ndata: 2\n'])).toEqual(['1']);
  });
});

describe('the event list', () => {
  it('is read page by page', async () => {
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

describe('the current operation', () => {
  const old = [request('CREATE', 'one'), settled('CREATE_COMPLETE', 'one')];
  const hook = event({ kind: 'request', message: 'root saved a hook.' });

  it('starts with the latest request for a change', () => {
    const latest = request('UPDATE', 'two');
    expect(currentOperation([...old, latest, hook])).toEqual([latest, hook]);
    expect(currentOperation([hook])).toEqual([]);
  });

  it('starts with the request for the awaited version', () => {
    const [own, other] = [request('UPDATE', 'two'), request('UPDATE', 'three')];
    expect(currentOperation([...old, own, other], 'two')).toEqual([own, other]);
    expect(currentOperation([...old, own], 'unknown')).toEqual([own]);
  });
});

describe('the exit code of a wait', () => {
  const stackId = 'mo-1';
  const began = request('UPDATE', 'two');
  const codeOf = (versionId: string | undefined, at: StackState, first = began) =>
    failureOf({ stackId, versionId }, { state: at, began: first, latest: first })?.code ?? 0;

  it.each<[string, number, string | undefined, StackState, StackEvent]>([
    ['the awaited version completed', 0, 'two', state('UPDATE_COMPLETE', 'two'), began],
    ['the awaited version failed', 3, 'two', state('UPDATE_FAILED', 'two'), began],
    ['another version is current', 3, 'two', state('UPDATE_COMPLETE', 'one'), began],
    ['no version is awaited and the stack is complete', 0, undefined, state('UPDATE_COMPLETE', 'one'), began],
    ['the stack was deleted during an update', 3, undefined, state('DELETE_COMPLETE', 'two'), began],
    ['the stack was deleted at the awaited version', 3, 'two', state('DELETE_COMPLETE', 'two'), began],
    [
      'an awaited deletion completed',
      0,
      undefined,
      state('DELETE_COMPLETE', 'two'),
      request('DELETE', 'two'),
    ],
    ['an awaited deletion failed', 3, undefined, state('DELETE_FAILED', 'two'), request('DELETE', 'two')],
  ])('when %s is %d', (_, code, versionId, at, first) => {
    expect(codeOf(versionId, at, first)).toBe(code);
  });
});

describe('a watch', () => {
  const watched = (past: StackEvent[], at: StackState[], versionId?: string) => {
    const clock = new VirtualClock();
    const { signal } = new AbortController();
    const silent = { onLost: () => {}, onRestored: () => {} };
    const calls = {
      describe: async () => at.shift() ?? state('', ''),
      events: async () => past,
      stream: () => Promise.reject(new Error('not followed')),
      estimate: () => Promise.reject(new Error('not known')),
      rollouts: async () => [],
    };
    const connection = new Connection({ clock, signal, ...silent });
    const display = { event: () => {}, progressed: () => {} };
    const progress = new Progress(clock);
    return new Watch({ calls, clock, connection, display, progress, signal }, versionId).untilSettled();
  };

  it('reports the result of its own version while a later change is in progress', async () => {
    const past = [request('UPDATE', 'two'), settled('UPDATE_FAILED', 'two'), request('UPDATE', 'three')];
    const outcome = await watched(past, [state('UPDATE_IN_PROGRESS', 'three')], 'two');
    expect(outcome.state).toMatchObject({
      status: 'UPDATE_FAILED',
      reason: 'It is UPDATE_FAILED.',
      versionId: 'two',
    });
  });

  it('describes the stack again when it settled between the first two calls', async () => {
    const past = [request('UPDATE', 'two'), settled('UPDATE_COMPLETE', 'two')];
    const outputs = [{ OutputKey: 'Address', OutputValue: '203.0.113.1' }];
    const at = { ...state('UPDATE_COMPLETE', 'two'), outputs };
    const outcome = await watched(past, [state('UPDATE_IN_PROGRESS', 'two'), at]);
    expect(outcome.state).toEqual(at);
  });
});

describe('a connection', () => {
  const refused = (status: number, text: string) =>
    new ApiError({ status, statusLine: String(status), text });
  const unreachable = new CliError('noAnswer', 'It was not reached.');
  const errorBody = '{"code":"0404","message":"Gone","description":""}';
  const retrying = (errors: unknown[]) => {
    const clock = new VirtualClock();
    const stop = new AbortController();
    const reports: string[] = [];
    const connection = new Connection({
      clock,
      signal: stop.signal,
      onLost: (reason) => reports.push(reason),
      onRestored: () => reports.push('restored'),
    });
    let attempts = 0;
    const result = connection.retry(async () => {
      attempts += 1;
      const error = errors.shift();
      if (error) throw error;
      return 'found';
    });
    const pass = async (ms: number) => {
      clock.advance(ms);
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    };
    return { result, reports, pass, stop, attempts: () => attempts };
  };

  it('reports the loss once and the recovery once, with growing pauses between attempts', async () => {
    const { result, reports, pass, attempts } = retrying([
      unreachable,
      refused(503, ''),
      refused(404, '<html>'),
    ]);
    await pass(0);
    expect(attempts()).toBe(1);
    await pass(500);
    expect(attempts()).toBe(2);
    await pass(900);
    expect(attempts()).toBe(2);
    await pass(100);
    expect(attempts()).toBe(3);
    await pass(2000);
    expect(await result).toBe('found');
    expect(reports).toEqual(['It was not reached.', 'restored']);
  });

  it.each([refused(401, ''), refused(403, ''), refused(404, errorBody), new Error('ours')])(
    'does not retry a permanent error: %s',
    async (error) => {
      const { result, reports } = retrying([error]);
      await expect(result).rejects.toBe(error);
      expect(reports).toEqual([]);
    },
  );

  it('stops retrying when the wait is aborted during a pause', async () => {
    const { result, stop, pass } = retrying([unreachable]);
    const ending = expect(result).rejects.toBe('interrupted');
    await pass(0);
    stop.abort('interrupted');
    await ending;
  });
});
