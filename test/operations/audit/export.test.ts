import { afterEach, beforeEach, expect, it } from 'vitest';
import { AuditLog } from '../../../src/operations/audit/audit.ts';
import { exportAudit } from '../../../src/operations/audit/read-audit.ts';
import { World } from '../../world.ts';

let world: World;
beforeEach(async () => {
  world = await World.open();
});
afterEach(() => world.close());

const recordReads = async (count: number): Promise<void> => {
  const log = new AuditLog(world.service, () => {});
  for (let each = 0; each < count; each += 1)
    await log.record({
      actor: world.actor,
      route: { name: 'v3ListStacks', path: '/v3/alm/stack', access: { action: 'stack:describeStacks' } },
      stackId: null,
      named: new Map(),
      readOnly: true,
      denied: false,
      status: 200,
      request: { id: 'request-1', address: '192.0.2.1' },
    });
  await log.stop();
};

/** Counts the turns of the event loop until it is stopped: in each of them another request could be answered. */
const countTurns = () => {
  let [turns, isRunning] = [0, true];
  const turn = (): void => {
    turns += 1;
    if (isRunning) setImmediate(turn);
  };
  setImmediate(turn);
  return () => {
    isRunning = false;
    return turns;
  };
};

it('an export lets other requests run after every page', async () => {
  await recordReads(2600);
  const stop = countTurns();
  let [pages, entries] = [0, 0];
  for await (const rows of exportAudit(world.service, world.actor, {})) {
    pages += 1;
    entries += rows.length;
  }
  expect(entries).toBe(2600);
  expect(stop()).toBeGreaterThanOrEqual(pages);
});
