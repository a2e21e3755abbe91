import type { RemoveRequest } from '../../data.ts';
import { type Answer, accepted, type StackOnVendor } from '../../vendor.ts';
import { toAnswer } from '../errors.ts';
import type { CloudStack } from '../observe/list-stacks.ts';
import { phaseOf } from '../observe/stack-phase.ts';
import { findCloudStack, type Region } from '../region.ts';
import { removeAgentToken } from './agent-token.ts';
import { preparePolicies } from './deletion-policies.ts';
import { removeLifecycleHooks } from './lifecycle-hook.ts';
import { requestDeletion } from './requests.ts';

/** Deletes the stack, and what Almanac keeps for it outside the stack, even if the stack was never created. */
export async function remove(region: Region, { id }: StackOnVendor, request: RemoveRequest): Promise<Answer> {
  return toAnswer(async () => {
    const existing = await findFresh(region, id);
    const state = existing ? await startDeletion(region, existing, request) : 'deleting';
    // Servers that a running update launches still need the token: keep it until the deletion starts.
    if (state === 'deleting') await removeAgentToken(region, id);
    return typeof state === 'string' ? accepted : state;
  });
}

/** Reads again before reporting that there is no stack: another Almanac server may have just created it. */
async function findFresh(region: Region, id: string): Promise<CloudStack | undefined> {
  const { value } = await findCloudStack(region, id, region.pollMs / 5);
  return value ?? (await findCloudStack(region, id, 0)).value;
}

/** `waiting`: CloudFormation finishes another operation; call again later. */
type DeletionState = 'deleting' | 'waiting' | Answer;

async function startDeletion(
  region: Region,
  existing: CloudStack,
  request: RemoveRequest,
): Promise<DeletionState> {
  const { kind, doing } = phaseOf(existing.status);
  if (kind === 'busy' && doing === 'remove') return 'deleting';
  // A creation can be deleted at once, and holds no data yet.
  if (kind === 'busy') return isCreation(existing) ? deleteStack(region, existing) : 'waiting';
  const prepared = await preparePolicies(region, existing, request);
  if (prepared !== 'ready') return prepared === 'updating' ? 'waiting' : prepared;
  // A hook would hold every terminating server, and so the deletion, for a heartbeat.
  await removeLifecycleHooks(region, existing);
  return deleteStack(region, existing);
}

const isCreation = ({ status }: CloudStack): boolean => /^(CREATE|ROLLBACK)_IN_PROGRESS$/.test(status);

async function deleteStack(region: Region, existing: CloudStack): Promise<DeletionState> {
  const { stackId, version } = existing;
  try {
    await requestDeletion(region, existing);
  } catch (cause) {
    if (cause instanceof Error && /_IN_PROGRESS/.test(cause.message)) return 'waiting';
    throw cause;
  }
  region.operations.accept(stackId, { doing: 'remove', version });
  return 'deleting';
}
