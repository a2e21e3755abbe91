import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { awaitLogRequests, takeLogs } from '../../../src/operations/logs/agent-logs.ts';
import { maxRequestsPerStack } from '../../../src/operations/logs/desk.ts';
import { stackActor } from '../../actors.ts';
import { readableTexts, secretTexts } from '../../basics/text/secret-texts.ts';
import { LogWorld, line, onSqlite } from './log-world.ts';

let logs: LogWorld;
beforeEach(async () => {
  logs = await LogWorld.open();
  await logs.report('i-1', true);
});
afterEach(() => logs.close());

describe('reading logs', () => {
  it('an agent on any server is asked, and its lines reach the caller in the order of time', async () => {
    const reading = logs.read('i-1');
    const request = await logs.request('i-1', logs.otherServer);
    expect(request).toMatchObject({ lines: 100, follow: false, instances: ['i-1'] });
    const server = logs.otherServer;
    expect(await logs.send(request, [line('second', 2), line('first', 1)], { server })).toBe(true);
    expect(await logs.send(request, [line('third', 3)], { server, isLast: true })).toBe(true);
    const result = await reading;
    expect(result.lines.map(({ text, instanceId }) => [instanceId, text])).toEqual([
      ['i-1', 'first'],
      ['i-1', 'second'],
      ['i-1', 'third'],
    ]);
    expect(result.instances).toEqual([{ instanceId: 'i-1', flag: '', state: 'complete', message: '' }]);
  });

  onSqlite('after the answer nothing is wanted any more, and further lines are refused', async () => {
    expect(logs.isWanted()).toBe(false);
    const reading = logs.read('i-1');
    const request = await logs.request('i-1');
    await logs.send(request, [], { isLast: true });
    await reading;
    expect([logs.isWanted(), logs.isWanted(logs.otherServer)]).toEqual([false, false]);
    expect(await logs.send(request, [line('late')])).toBe(false);
  });

  it('an agent of another maker is reported at once as one that cannot send logs', async () => {
    await logs.report('i-2', undefined);
    const { instances, lines } = await logs.read('i-2');
    expect(lines).toEqual([]);
    expect(instances).toEqual([
      expect.objectContaining({
        state: 'unavailable',
        message: expect.stringContaining('The agent of instance i-2 cannot send logs.') as string,
      }),
    ]);
    expect(logs.isWanted()).toBe(false);
  });

  onSqlite('an agent that does not answer is reported as silent after 25 seconds', async () => {
    const reading = logs.read('i-1');
    await logs.request('i-1');
    await logs.advance(24);
    expect(logs.isWanted()).toBe(true);
    await logs.advance(6);
    const { instances } = await reading;
    expect(instances).toEqual([expect.objectContaining({ instanceId: 'i-1', state: 'silent' })]);
  });

  it('a long message is split into notifications without losing or reordering a line', async () => {
    const reading = logs.read('i-1');
    const request = await logs.request('i-1');
    const sent = Array.from({ length: 300 }, (_, index) => line(`${index} ${'\u20ac'.repeat(1600)}`, index));
    await logs.send(request, sent, { isLast: true });
    const { lines } = await reading;
    expect(lines.map(({ text }) => Number.parseInt(text, 10))).toEqual(sent.map((_, index) => index));
  });

  it('escape codes, control characters and what looks like a secret never reach the caller; indentation does', async () => {
    const reading = logs.read('i-1');
    const request = await logs.request('i-1');
    const hostile = [
      '\u001b[31mred\u001b[0m\u0007 \u202ereversed',
      '\tat shop (index.js:1)',
      'Authorization: Bearer abcdef0123456789',
      'fetch https://user:hunter22@example.com/',
    ];
    await logs.send(
      request,
      hostile.map((text, index) => line(text, index)),
      { isLast: true },
    );
    const { lines } = await reading;
    expect(lines.map(({ text }) => text)).toEqual([
      'red   reversed',
      '    at shop (index.js:1)',
      'Authorization: [redacted] [redacted]',
      'fetch https://[redacted]@example.com/',
    ]);
  });

  it('what looks like a secret is redacted in every line, and similar texts stay readable', async () => {
    const reading = logs.read('i-1');
    const request = await logs.request('i-1');
    const written = [...secretTexts.map(([text]) => text), ...readableTexts];
    await logs.send(
      request,
      written.map((text, index) => line(text, index)),
      { isLast: true },
    );
    const texts = (await reading).lines.map(({ text }) => text);
    expect(texts.slice(secretTexts.length)).toEqual(readableTexts);
    for (const [, secret] of secretTexts) expect(texts.join('\n')).not.toContain(secret);
  });

  onSqlite('at most a fixed number of callers read the logs of a stack at a time', async () => {
    const readings = Array.from({ length: maxRequestsPerStack }, () => logs.read('i-1'));
    await logs.request('i-1');
    await logs.advance(1);
    await expect(logs.read('i-1')).rejects.toMatchObject({ kind: 'too_many_requests' });
    for (const request of await logs.requests('i-1')) await logs.send(request, [], { isLast: true });
    await Promise.all(readings);
    expect(logs.isWanted()).toBe(false);
  });
});

describe('requests of an agent', () => {
  onSqlite(
    'are held while nothing changes, and answered when a request arrives or after 20 seconds',
    async () => {
      const held = logs.requests('i-1');
      const reading = logs.read('i-1');
      const [request] = await held;
      expect(request).toMatchObject({ instances: ['i-1'] });
      const again = logs.requests('i-1', [request?.id ?? '']);
      await logs.advance(21);
      expect(await again).toHaveLength(1);
      await logs.advance(10);
      await reading;
    },
  );

  onSqlite('do not show the requests for other instances', async () => {
    const reading = logs.read('i-1');
    await logs.request('i-1');
    const other = logs.requests('i-2');
    await logs.advance(26);
    expect(await other).toEqual([]);
    await reading;
  });

  it('an agent of another stack can neither see nor answer a request', async () => {
    const other = await logs.world.create();
    const stranger = stackActor(logs.world.actor.accountId, other);
    const reading = logs.read('i-1');
    const request = await logs.request('i-1');
    const question = { stackId: logs.stackId, instanceId: 'i-1', known: [] };
    const { service } = logs.world;
    await expect(awaitLogRequests(service, stranger, question)).rejects.toMatchObject({ kind: 'forbidden' });
    const sent = {
      requestId: request.id,
      instanceId: 'i-1',
      batch: 1,
      leftOut: 0,
      isLast: true,
      problem: '',
    };
    const lines = [line('forged')];
    await expect(
      takeLogs(service, stranger, { ...sent, lines, stackId: logs.stackId }),
    ).rejects.toMatchObject({ kind: 'forbidden' });
    expect(await takeLogs(service, stranger, { ...sent, lines, stackId: other })).toBe(false);
    await logs.send(request, [line('own')], { isLast: true });
    expect((await reading).lines.map(({ text }) => text)).toEqual(['own']);
  });
});
