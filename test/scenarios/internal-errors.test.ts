import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Service } from '../../src/operations/service.ts';
import { markForReplacement } from '../../src/store/stacks/replacements.ts';
import { wakeStack } from '../../src/store/stacks/schedule.ts';
import { CredentialRejected, type Observation, Unreachable } from '../../src/vendors/vendor.ts';
import { oneServer, World } from '../world.ts';
import { asyncBug, type Fault, ObservedServer, throwBug, withDriver } from './faults.ts';

const reason = 'Internal error while working on this stack; retrying. Details are in the server log.';

let world: World;
let server: ObservedServer;
beforeEach(async () => {
  world = await World.open();
  server = new ObservedServer();
});
afterEach(() => world.close());

const serverLoop = (fault?: Fault, service: Service = world.service) => server.loop(service, fault);

interface Situation {
  fault: Fault;
  /** What must be in the stack trace. */
  trace: RegExp;
  /** Brings the stack to where the fault strikes. */
  before?: (stack: string) => Promise<unknown>;
  operation?: string;
  during?: string;
  after?: string;
}

const impossible = { kind: 'melted', version: '', view: { events: [], instances: [] } } as unknown;

const settledThenUpdated = (stack: string) => world.settle().then(() => world.update(stack, oneServer(2)));
const deletion = {
  before: (stack: string) => world.settle().then(() => world.delete(stack)),
  operation: 'DELETE',
  during: 'DELETE_IN_PROGRESS',
  after: 'DELETE_COMPLETE',
};
const update = {
  before: settledThenUpdated,
  operation: 'UPDATE',
  during: 'UPDATE_IN_PROGRESS',
  after: 'UPDATE_COMPLETE',
};

const situations: Record<string, Situation> = {
  'connecting to the vendor': { fault: (tools) => ({ ...tools, connect: asyncBug }), trace: /throwBug/ },
  'reading the secrets of the stack': {
    fault: (tools) => ({ ...tools, secretsOf: asyncBug }),
    trace: /throwBug/,
  },
  observing: { fault: withDriver({ observe: asyncBug }), trace: /throwBug/ },
  'deciding on a create': {
    fault: withDriver({ observe: async () => impossible as Observation }),
    trace: /decide/,
  },
  'deciding on a deletion': {
    ...deletion,
    fault: withDriver({ observe: async () => impossible as Observation }),
    trace: /decide/,
  },
  applying: { fault: withDriver({ apply: asyncBug }), trace: /throwBug/ },
  'applying an update': { ...update, fault: withDriver({ apply: asyncBug }), trace: /throwBug/ },
  removing: { ...deletion, fault: withDriver({ remove: asyncBug }), trace: /throwBug/ },
  'the work before completion': {
    before: async () => {
      await world.worker('applies').runDue();
      world.clock.advance(120_000);
    },
    fault: (tools) => ({ ...tools, beforeComplete: asyncBug }),
    trace: /throwBug/,
  },
  'replacing an instance': {
    before: async (stack) => {
      await world.settle();
      const [instance] = (await world.describe(stack)).view.instances;
      await markForReplacement(world.database.query, {
        stackId: stack,
        instanceId: instance?.id ?? '',
        now: world.clock.now(),
      });
      await wakeStack(world.database.query, stack, world.clock.now());
    },
    fault: withDriver({ replaceInstance: asyncBug }),
    trace: /throwBug/,
    during: 'CREATE_COMPLETE',
  },
  'recording the pass': {
    fault: (tools) => ({ ...tools, database: { ...tools.database, transaction: asyncBug } }),
    trace: /throwBug/,
  },
};

describe.each(Object.entries(situations))('an internal error while %s', (_name, situation) => {
  const { fault, trace, before, operation = 'CREATE', during = 'CREATE_IN_PROGRESS' } = situation;
  const { after = 'CREATE_COMPLETE' } = situation;

  it('is shown, logged with its stack trace, counted and retried with growing delays until it is gone', async () => {
    const stack = await world.create();
    await before?.(stack);
    const loop = serverLoop(fault);
    const delays: number[] = [];
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      expect(await loop.runDue()).toBe(1);
      expect(await world.describe(stack)).toMatchObject({ status: during, statusReason: reason });
      const row = await world.row(stack);
      expect(row).toMatchObject({ operation, lease_owner: '', troubles: attempt });
      expect(await server.internalErrors()).toBe(attempt);
      expect(server.logLines).toHaveLength(attempt);
      expect(server.logLines.at(-1)).toMatchObject({ level: 'error', stack_id: stack, operation });
      expect(server.logLines.at(-1)?.err.stack).toMatch(trace);
      delays.push((row.next_at ?? 0) - world.clock.now());
      world.clock.advance(delays.at(-1) ?? 0);
    }
    expect(delays).toEqual([1000, 2000, 4000, 8000]);
    expect((await world.story(stack)).filter((line) => line === reason)).toHaveLength(1);

    await world.settle(serverLoop());
    expect(await world.describe(stack)).toMatchObject({ status: after, statusReason: '' });
    expect(await world.row(stack)).toMatchObject({ troubles: 0 });
    const story = await world.story(stack);
    expect(story.filter((line) => line === 'The internal error no longer occurs.')).toHaveLength(1);
    expect(story.filter((line) => /reach/.test(line))).toEqual([]);
  });
});

describe('an internal error', () => {
  it('is reported for a missing version row', async () => {
    const stack = await world.create();
    const { desired_version: version } = await world.row(stack);
    const missing = 'no-such-version';
    const desire = (id: string) =>
      world.database.query
        .updateTable('stacks')
        .set({ desired_version: id })
        .where('id', '=', stack)
        .execute();
    await desire(missing);
    await serverLoop().runDue();
    expect(await world.row(stack)).toMatchObject({ status_reason: reason, status: 'CREATE_IN_PROGRESS' });
    expect(server.logLines[0]?.err.message).toContain(missing);
    await desire(version);
    await world.settle(serverLoop());
    expect(await world.describe(stack)).toMatchObject({ status: 'CREATE_COMPLETE', statusReason: '' });
  });

  it('does not delay a newer request that arrived during the pass', async () => {
    const stack = await world.create();
    await world.settle();
    await world.update(stack, oneServer(2));
    let connections = 0;
    const failsOnce: Fault = (tools) => ({
      ...tools,
      connect: async (claim) => {
        connections += 1;
        if (connections > 1) return tools.connect(claim);
        await world.update(stack, oneServer(3));
        return throwBug();
      },
    });
    expect(await serverLoop(failsOnce).runDue()).toBe(2);
    expect(await server.internalErrors()).toBe(1);
    expect(await world.describe(stack)).toMatchObject({ status: 'UPDATE_IN_PROGRESS', statusReason: '' });
    await world.settle(serverLoop());
    expect(await world.describe(stack)).toMatchObject({ status: 'UPDATE_COMPLETE', statusReason: '' });
    expect((await world.describe(stack)).view.instances).toHaveLength(3);
  });

  it('after a recorded pass does not overwrite what the pass recorded', async () => {
    const stack = await world.create();
    await world.settle();
    await world.delete(stack);
    const failing: Fault = (tools) => ({ ...tools, database: { ...tools.database, notify: asyncBug } });
    await world.settle(serverLoop(failing));
    expect(await world.describe(stack)).toMatchObject({ status: 'DELETE_COMPLETE', statusReason: '' });
    expect(await server.internalErrors()).toBeGreaterThan(0);
  });

  it('of the database, which keeps the reason from being written, is logged, counted and retried', async () => {
    const stack = await world.create();
    const service = { ...world.service, database: { ...world.database, transaction: asyncBug } };
    expect(await serverLoop(undefined, service).runDue()).toBe(1);
    expect(server.logLines.length).toBeGreaterThan(0);
    expect(server.logLines[0]).toMatchObject({ level: 'error', stack_id: stack, operation: 'CREATE' });
    expect(server.logLines[0]?.err.stack).toMatch(/throwBug/);
    expect(await server.internalErrors()).toBe(server.logLines.length);
    world.clock.advance(61_000);
    await world.settle(serverLoop());
    expect(await world.describe(stack)).toMatchObject({ status: 'CREATE_COMPLETE', statusReason: '' });
  });
});

describe('an unreachable vendor', () => {
  const unreachable = async () => Promise.reject(new Unreachable('connect ECONNREFUSED 192.0.2.1:443'));
  const faults: [string, Fault][] = [
    ['connecting', (tools) => ({ ...tools, connect: unreachable })],
    ['observing', withDriver({ observe: unreachable })],
    ['applying', withDriver({ apply: unreachable })],
  ];

  it.each(faults)(
    'while %s is reported as unreachable, and is not an internal error',
    async (_name, fault) => {
      const stack = await world.create();
      const loop = serverLoop(fault);
      await loop.runDue();
      expect(await world.describe(stack)).toMatchObject({
        status: 'CREATE_IN_PROGRESS',
        statusReason: 'The vendor cannot be reached; retrying: connect ECONNREFUSED 192.0.2.1:443',
      });
      expect(server.logLines).toEqual([]);
      expect(await server.internalErrors()).toBe(0);
      expect(await server.recordedPasses()).toBe(1);
      await world.settle(serverLoop());
      expect(await world.describe(stack)).toMatchObject({ status: 'CREATE_COMPLETE', statusReason: '' });
    },
  );

  it('that rejects the credential keeps the status, shows what to do, and continues with a valid one', async () => {
    const stack = await world.create();
    const rejects = async () => Promise.reject(new CredentialRejected('The key has expired. Save a new one'));
    const loop = serverLoop(withDriver({ apply: rejects }));
    await loop.runDue();
    expect(await world.describe(stack)).toMatchObject({
      status: 'CREATE_IN_PROGRESS',
      statusReason: 'The vendor rejects the credential; retrying: The key has expired. Save a new one',
    });
    await world.settle(serverLoop());
    expect(await world.describe(stack)).toMatchObject({ status: 'CREATE_COMPLETE', statusReason: '' });
    expect(await world.story(stack)).toContain('The vendor accepts the credential again.');
  });

  it('that is not driven by this server any more is reported as unreachable', async () => {
    const stack = await world.create();
    await serverLoop(undefined, { ...world.service, vendors: new Map() }).runDue();
    expect((await world.row(stack)).status_reason).toMatch(
      /^The vendor cannot be reached; retrying: .*sandbox/,
    );
    expect(server.logLines).toEqual([]);
    await world.settle(serverLoop());
    expect(await world.describe(stack)).toMatchObject({ status: 'CREATE_COMPLETE', statusReason: '' });
  });
});
