import { expect, it } from 'vitest';
import { createAgentLog } from '../../../src/agent/log.ts';
import { type Application, createReporter } from '../../../src/agent/service/reporter.ts';
import type { AgentState, SentReport } from '../../../src/agent/state.ts';
import { VirtualClock } from '../../../src/basics/clock.ts';
import type { Json } from '../../http.ts';

function open() {
  const clock = new VirtualClock();
  const world = {
    clock,
    sent: [] as Json[],
    containers: 0,
    recorded: [] as SentReport[],
    isDown: false,
    application: { revision: undefined, serving: null } as Application,
  };
  const reporter = createReporter({
    clock,
    log: createAgentLog(clock, () => undefined),
    store: {
      state: { agentId: 'a1' } as AgentState,
      update: async ({ report }) => void (report && world.recorded.push(report)),
    },
    instance: { stackId: 'mo-1', flag: 'web', instanceId: 'i1' },
    service: {
      reportAgent: async (body) => {
        if (world.isDown) throw new Error('connection refused');
        world.sent.push(body);
      },
      reportContainer: async () => void (world.containers += 1),
    },
    application: () => world.application,
  });
  return { ...world, world, reporter };
}

it('a delivered report is repeated after 60 seconds and not before, as a heartbeat', async () => {
  const { clock, reporter, sent, world } = open();
  await reporter.agent('uptodate');
  await reporter.container('complete');
  clock.advance(59_000);
  await reporter.agent('uptodate');
  await reporter.flush();
  expect(sent).toHaveLength(1);
  clock.advance(1000);
  await reporter.flush();
  expect(sent).toHaveLength(2);
  expect(sent[1]).toEqual(sent[0]);
  expect(world.containers).toBe(1);
});

it('a report that differs only in the revision that serves is sent at once', async () => {
  const { reporter, sent, world } = open();
  world.application = { revision: 5, serving: null };
  await reporter.agent('error', { message: 'no' });
  world.application = { revision: 5, serving: { revision: 5, image: 'web:5', digest: 'sha256:5' } };
  await reporter.agent('error', { message: 'no' });
  expect(sent.map((each) => each['serving_revision'])).toEqual([0, 5]);
});

it('a report that failed is sent again, and both outcomes are recorded', async () => {
  const { reporter, sent, recorded, world } = open();
  world.isDown = true;
  await reporter.agent('installing');
  await reporter.agent('uptodate');
  world.isDown = false;
  await reporter.flush();
  expect(sent).toMatchObject([{ status: 'uptodate' }]);
  expect(recorded.at(-2)).toMatchObject({ status: 'uptodate', failure: 'connection refused' });
  expect(recorded.at(-1)).toMatchObject({ status: 'uptodate', failure: null });
});

it('a spot notice is repeated instead of earlier reports, and no pass that ends later replaces it', async () => {
  const { clock, reporter, sent } = open();
  await reporter.agent('uptodate');
  await reporter.spotNotice('reclaimed');
  await reporter.agent('uptodate');
  clock.advance(60_000);
  await reporter.flush();
  await reporter.agent('stopped');
  const statuses = sent.map((each) => each['status']);
  expect(statuses.join(' ')).toBe('uptodate spot_terminate spot_terminate stopped');
});
