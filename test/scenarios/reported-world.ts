import { afterEach, beforeEach, expect } from 'vitest';
import { reportAgentStatus } from '../../src/operations/agents/agent-report.ts';
import type { AppMembers } from '../../src/operations/agents/app-report.ts';
import { readRollouts } from '../../src/operations/rollouts/read-rollouts.ts';
import type { ReconcileTools } from '../../src/reconcile/tools.ts';
import { World } from '../world.ts';
import { web } from './web.ts';

export let world: World;

/** A world for each test of the file. */
export function useReportedWorld(): void {
  beforeEach(async () => {
    world = await World.open();
  });
  afterEach(async () => {
    expect(world.errors).toEqual([]);
    await world.close();
  });
}

/** A cloud that knows nothing about applications: only agents do. */
const tools = (): ReconcileTools => ({
  ...world.tools,
  connect: async (stack) => {
    const driver = { ...(await world.tools.connect(stack)) };
    delete driver.readApps;
    return driver;
  },
});
export const settle = () => world.settle(world.worker('settler', tools()));
export const advance = (seconds: number) => world.advance(seconds, world.worker('advancer', tools()));

export const agentOf = (stackId: string) =>
  ({
    kind: 'stack',
    stackId,
    accountId: world.actor.accountId,
    clientId: stackId,
    clientKind: 'stack',
  }) as never;
export const instancesOf = async (stackId: string) =>
  (await world.row(stackId)).view.instances.map(({ id }) => id);
export const revisionOf = async (stackId: string) => {
  const [newest] = await readRollouts(world.service, world.actor, { stackId });
  return newest?.row.revision ?? 0;
};

interface Said extends AppMembers {
  status?: string;
  message?: string;
}

export const report = (stackId: string, instanceId: string, { status = 'uptodate', message, ...app }: Said) =>
  reportAgentStatus(world.service, agentOf(stackId), {
    stackId,
    agentId: `agent of ${instanceId}`,
    instanceId,
    status,
    message,
    app: { everySeconds: 60, flag: 'web0', ...app },
  });

export async function allServe(stackId: string): Promise<void> {
  const revision = await revisionOf(stackId);
  for (const id of await instancesOf(stackId))
    await report(stackId, id, { revision, servingRevision: revision, image: 'shop:1', digest: 'sha256:1' });
}

/** A stack whose agents have named revisions. */
export async function served(servers = 2): Promise<string> {
  const stackId = await world.create(web('shop:1', { servers }));
  await advance(20);
  await allServe(stackId);
  await settle();
  return stackId;
}

export const stateOf = async (stackId: string) => {
  const { status, health } = await world.describe(stackId);
  return { status, health };
};
