import { type Answer, accepted, type StackOnVendor } from '../../vendor.ts';
import { toAnswer } from '../errors.ts';
import type { CloudStack } from '../observe/list-stacks.ts';
import { phaseOf } from '../observe/stack-phase.ts';
import { findCloudStack, type Region, recordAccepted } from '../region.ts';
import { removeAgentToken } from './agent-token.ts';
import { removeLifecycleHooks } from './lifecycle-hook.ts';
import { requestDeletion } from './requests.ts';

/** Deletes the stack, and what Almanac keeps for it outside the stack, even if the stack was never created. */
export async function remove(region: Region, { id }: StackOnVendor): Promise<Answer> {
  return toAnswer(async () => {
    const existing = await findFresh(region, id);
    const deleting = !existing || (await startDeletion(region, existing));
    // Servers that a running update launches still need the token: keep it until the deletion starts.
    if (deleting) await removeAgentToken(region, id);
    return accepted;
  });
}

/** Reads again before reporting that there is no stack: another Almanac server may have just created it. */
async function findFresh(region: Region, id: string): Promise<CloudStack | undefined> {
  const { value } = await findCloudStack(region, id, region.pollMs / 5);
  return value ?? (await findCloudStack(region, id, 0)).value;
}

/** False while CloudFormation finishes another operation: call again later. */
async function startDeletion(region: Region, existing: CloudStack): Promise<boolean> {
  const { kind, doing } = phaseOf(existing.status);
  if (kind === 'busy' && doing === 'remove') return true;
  // A hook would hold every terminating server, and so the deletion, for a heartbeat.
  if (kind !== 'busy') await removeLifecycleHooks(region, existing);
  return deleteStack(region, existing);
}

async function deleteStack(region: Region, existing: CloudStack): Promise<boolean> {
  const { stackId, version } = existing;
  try {
    await requestDeletion(region, existing);
  } catch (cause) {
    if (cause instanceof Error && /_IN_PROGRESS/.test(cause.message)) return false;
    throw cause;
  }
  recordAccepted(region, stackId, { doing: 'remove', version });
  return true;
}
