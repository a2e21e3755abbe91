import { CredentialRejected, type ServerUp, type StackOnVendor, Unreachable } from '../../vendor.ts';
import { CloudError, ifThere } from '../errors.ts';
import { serverType } from '../layout/stores.ts';
import { member } from '../names.ts';
import { readByName } from '../observe/list-stacks.ts';
import { type HeatResource, readResources } from '../observe/resources.ts';
import type { Region } from '../region.ts';
import { nestedDepth } from './missing-servers.ts';

const handleType = 'OS::Heat::WaitConditionHandle';

/** Whether a handle is for a server: any beside a member's server, and those of the same number of a fixed one. */
function isFor(server: HeatResource, { name }: HeatResource): boolean {
  if (server.name === member.server) return true;
  const number = server.name.replace(/^Instance/, '');
  return new RegExp(`^WaitHandle_[0-9a-f]+_${number}$`).test(name);
}

interface Waits {
  /** The handles of waits that have begun and are not over. */
  handles: HeatResource[];
  /** Whether another wait will begin. */
  isOneAhead: boolean;
}

/**
 * What waits for these servers. A wait begins when its server is made. Before, the handle is for a server that does not exist
 * yet, and the server of that name is the one that will be replaced.
 */
function waitsFor(servers: readonly HeatResource[], resources: readonly HeatResource[]): Waits {
  const keyOf = (stack: string, name: string): string => `${stack} ${name}`;
  const statuses = new Map(resources.map(({ stack, name, status }) => [keyOf(stack, name), status]));
  const statusOf = ({ stack, name }: HeatResource): string =>
    statuses.get(keyOf(stack, name.replace(/^WaitHandle/, 'WaitCondition'))) ?? '';
  const all = resources.filter(({ type }) => type === handleType);
  const own = servers.flatMap((server) =>
    all.filter((handle) => handle.stack === server.stack && isFor(server, handle)),
  );
  return {
    handles: own.filter((handle) => statusOf(handle) === 'CREATE_IN_PROGRESS'),
    isOneAhead: own.some((handle) => statusOf(handle).startsWith('INIT_')),
  };
}

/** An operation may begin to wait for a server after its agent reported. */
const againMs = 60_000;
/** A wait is about to begin, or its handle rejected the signal. */
const soonMs = 10_000;

function isDue({ reportedUp, clock }: Region, stackId: string, instanceIds: readonly string[]): boolean {
  const last = reportedUp.get(stackId);
  if (!last || instanceIds.some((id) => !last.instanceIds.has(id))) return true;
  return clock.now() - last.at >= (last.isDone ? againMs : soonMs);
}

const signal = ({ client }: Region, { stack, name }: HeatResource): Promise<unknown> =>
  ifThere(async () =>
    client.change({
      service: 'orchestration',
      method: 'POST',
      path: `${stack}/resources/${name}/signal`,
      body: { status: 'SUCCESS', id: '1', data: '', reason: '' },
      // A signal is short work, so the token of the reads outlives it.
      session: await client.session(),
    }),
  );

/** Whether the cloud answered, so that it may accept the next signal. */
const isAnswer = (error: unknown): boolean =>
  error instanceof CloudError ||
  (error instanceof Unreachable &&
    !(error instanceof CredentialRejected) &&
    error.cause instanceof CloudError);

/** False: a handle rejects the signal, as it does while it is deleted. */
async function signalAll(region: Region, handles: readonly HeatResource[]): Promise<boolean> {
  const errors: unknown[] = [];
  for (const handle of handles)
    await signal(region, handle).catch((error: unknown) => {
      if (!isAnswer(error)) throw error;
      errors.push(error);
    });
  const outage = errors.find((error) => error instanceof Unreachable);
  if (outage) throw outage;
  return errors.length === 0;
}

/** Lets operations continue that wait for the agents of these servers. */
export async function reportUp(
  region: Region,
  { id }: StackOnVendor,
  servers: readonly ServerUp[],
): Promise<boolean> {
  const instanceIds = new Set(servers.map(({ instanceId }) => instanceId));
  if (!isDue(region, id, [...instanceIds])) return region.reportedUp.get(id)?.isDone ?? false;
  const { client, clock, reportedUp } = region;
  const stack = await readByName(client, id);
  const resources = stack ? await readResources(client, stack, { depth: nestedDepth }) : [];
  const up = resources.filter(({ type, physicalId }) => type === serverType && instanceIds.has(physicalId));
  const { handles, isOneAhead } = waitsFor(up, resources);
  const isDone = (await signalAll(region, handles)) && !isOneAhead;
  reportedUp.set(id, { at: clock.now(), instanceIds, isDone });
  return isDone;
}
