import { describe, expect, it } from 'vitest';
import { nextTurn, VirtualClock } from '../../../../src/basics/clock.ts';
import { EventQueue } from '../../../../src/vendors/aws/events/event-queue.ts';
import { eventually } from '../../../http.ts';
import { cannedClients, cannedWorld } from '../canned-clients.ts';

const address = {
  url: 'https://sqs.eu-west-1.amazonaws.com/123456789012/almanac-events',
  region: 'eu-west-1',
  account: '123456789012',
};
const delayMs = 4000;
/** How long a stack waits for an event before it is polled. */
const waitMs = 60_000;

const eventOf = (name: string, account = address.account) =>
  JSON.stringify({
    source: 'aws.cloudformation',
    'detail-type': 'CloudFormation Stack Status Change',
    detail: { 'stack-id': `arn:aws:cloudformation:eu-west-1:${account}:stack/${name}/1` },
  });

/** Our fake of a queue. A message that is not deleted is delivered again. */
class FakeQueue {
  messages: string[] = [];
  failure: Error | undefined;
  tries = 0;
  #wake = () => {};

  /** A receiver that waits sees the change. */
  change(change: () => void): void {
    change();
    this.#wake();
  }

  clients = () => ({
    ...cannedClients(cannedWorld()),
    sqs: async () =>
      ({
        receiveMessage: async (_: object, { abortSignal }: { abortSignal: AbortSignal }) => {
          this.tries += 1;
          while (!this.failure && this.messages.length === 0 && !abortSignal.aborted)
            await new Promise<void>((resolve) => {
              this.#wake = resolve;
              abortSignal.addEventListener('abort', () => resolve());
            });
          if (this.failure) throw this.failure;
          return { Messages: this.messages.map((Body) => ({ Body, ReceiptHandle: Body })) };
        },
        deleteMessage: async ({ ReceiptHandle }: { ReceiptHandle: string }) => {
          this.messages = this.messages.filter((body) => body !== ReceiptHandle);
        },
      }) as never,
  });
}

const rejection = () =>
  Object.assign(new Error('no such queue'), {
    name: 'QueueDoesNotExist',
    $metadata: { httpStatusCode: 400 },
  });

/** Lets everything run that waits for no timer. */
const settled = async () => {
  for (let turn = 0; turn < 10; turn += 1) await nextTurn();
};

function setUp() {
  const clock = new VirtualClock();
  const stopping = new AbortController();
  const fake = new FakeQueue();
  const looks: { id: string; at: number }[] = [];
  const reports: string[] = [];
  const database = { fails: false };
  const queue = new EventQueue(address, delayMs, {
    clock,
    stopping: stopping.signal,
    lookAt: async ({ id, at }) => {
      if (database.fails) throw new Error('the database is away');
      looks.push({ id, at: at - clock.now() });
    },
    report: (_, reason = 'works') => reports.push(reason),
  });
  const send = async (...messages: string[]) => {
    fake.change(() => fake.messages.push(...messages));
    await eventually(
      async () => fake.messages.length,
      (left) => left === 0,
    );
  };
  return { clock, stopping, fake, looks, reports, database, queue, send };
}

describe('a queue of events (our own fake of SQS)', () => {
  it('schedules a look at the stack after cached reads have expired, and then deletes the message', async () => {
    const { queue, fake, looks, send } = setUp();
    queue.receiveWith(fake.clients());
    await send(eventOf('alm-mo-1'));
    expect(looks).toEqual([{ id: 'mo-1', at: delayMs }]);
  });

  it('deletes junk, stacks of others and events of another AWS account without looking at anything', async () => {
    const { queue, fake, looks, reports, send } = setUp();
    queue.receiveWith(fake.clients());
    await send('junk', '{}', eventOf('other'), eventOf('alm-mo-1', '999999999999'));
    expect({ looks, reports }).toEqual({ looks: [], reports: [] });
  });

  it('lets stacks wait only after an event has arrived, and not before a look could see what it is about', async () => {
    const { queue, fake, clock, send } = setUp();
    queue.receiveWith(fake.clients());
    expect(queue.mayWait('mo-1', waitMs)).toBe(false);
    await send(eventOf('alm-mo-1'));
    expect(queue.mayWait('mo-1', waitMs)).toBe(false);
    clock.advance(delayMs);
    expect(queue.mayWait('mo-1', waitMs)).toBe(true);
  });

  it('looks at waiting stacks at once when receiving fails, and reports the failure and its end once', async () => {
    const { queue, fake, clock, looks, reports, send } = setUp();
    queue.receiveWith(fake.clients());
    await send(eventOf('alm-mo-1'));
    clock.advance(delayMs);
    queue.mayWait('mo-1', waitMs);
    fake.change(() => (fake.failure = rejection()));
    await eventually(
      async () => looks.length,
      (count) => count === 2,
    );
    expect(looks[1]).toEqual({ id: 'mo-1', at: 0 });
    expect(queue.mayWait('mo-1', waitMs)).toBe(false);
    const before = fake.tries;
    for (let tries = before + 1; tries <= before + 4; tries += 1)
      await eventually(
        async () => clock.advance(100_000),
        () => fake.tries >= tries,
      );
    expect(reports).toHaveLength(1);
    expect(reports[0]).toMatch(/no such queue.*Create the queue from .*aws-events\.yaml, or remove its URL/);
    fake.change(() => (fake.failure = undefined));
    queue.receiveWith(fake.clients());
    fake.messages.push(eventOf('alm-mo-2'));
    await eventually(
      async () => clock.advance(100_000),
      () => reports.length === 2,
    );
    expect(reports[1]).toBe('works');
    expect(looks.at(-1)).toMatchObject({ id: 'mo-2' });
  });

  it('does not look at stacks that have been polled since, by this server or another, when receiving fails', async () => {
    const { queue, fake, clock, looks, send } = setUp();
    queue.receiveWith(fake.clients());
    await send(eventOf('alm-mo-1'));
    clock.advance(delayMs);
    queue.mayWait('polled', waitMs);
    queue.mayWait('waits', waitMs);
    clock.advance(waitMs);
    queue.mayWait('waits', waitMs);
    fake.change(() => (fake.failure = rejection()));
    await settled();
    expect(looks.slice(1)).toEqual([{ id: 'waits', at: 0 }]);
  });

  it('keeps a message whose look could not be scheduled, and handles it later', async () => {
    const { queue, fake, clock, looks, reports, database } = setUp();
    database.fails = true;
    queue.receiveWith(fake.clients());
    fake.change(() => fake.messages.push(eventOf('alm-mo-1')));
    await eventually(
      async () => reports,
      (all) => all.length === 1,
    );
    expect({ looks, kept: fake.messages.length }).toEqual({ looks: [], kept: 1 });
    database.fails = false;
    await eventually(
      async () => clock.advance(5_000),
      () => fake.messages.length === 0,
    );
    expect(looks).toMatchObject([{ id: 'mo-1' }]);
  });

  it('waits longer after each failure, up to five minutes', async () => {
    const { queue, fake, clock } = setUp();
    fake.failure = rejection();
    queue.receiveWith(fake.clients());
    await settled();
    for (const seconds of [5, 10, 20, 40, 80, 160, 300, 300]) {
      const before = fake.tries;
      queue.receiveWith(fake.clients());
      clock.advance(seconds * 1000 - 1);
      await settled();
      expect(fake.tries).toBe(before);
      clock.advance(1);
      await settled();
      expect(fake.tries).toBe(before + 1);
    }
  });

  it('stops to use a key with which no stack has been read for fifteen minutes', async () => {
    const { queue, fake, clock } = setUp();
    queue.receiveWith(fake.clients());
    clock.advance(901_000);
    fake.change(() => fake.messages.push('junk'));
    await eventually(
      async () => fake.messages.length,
      (left) => left === 0,
    );
    fake.messages.push('unread');
    await settled();
    expect(fake.tries).toBe(1);
    queue.receiveWith(fake.clients());
    await eventually(
      async () => fake.messages.length,
      (left) => left === 0,
    );
  });
});
