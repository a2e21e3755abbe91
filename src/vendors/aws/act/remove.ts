import { type Answer, accepted, type StackOnVendor } from '../../vendor.ts';
import { act, ask } from '../errors.ts';
import type { CloudStack } from '../observe/list-stacks.ts';
import { standingOf } from '../observe/statuses.ts';
import { findCloudStack, noteAccepted, type Region } from '../region.ts';
import { removeAgentToken } from './agent-token.ts';
import { removeLifecycleHooks } from './lifecycle-hook.ts';
import { roleOf } from './requests.ts';

/** Also what lies beside the stack goes, whether the stack was ever made or not. */
export async function remove(region: Region, { id }: StackOnVendor): Promise<Answer> {
  return act(async () => {
    const standing = await findSurely(region, id);
    const gone = !standing || (await beginDeletion(region, standing));
    // Servers that an update still brings need it: it stays until the deletion has begun.
    if (gone) await removeAgentToken(region, id);
    return accepted;
  });
}

/** That there is none is believed only on fresh knowledge: another server may have made it just now. */
async function findSurely(region: Region, id: string): Promise<CloudStack | undefined> {
  const { value } = await findCloudStack(region, id, region.pollMs / 5);
  return value ?? (await findCloudStack(region, id, 0)).value;
}

/** False: CloudFormation first finishes what it is at, and is to be asked again. */
async function beginDeletion(region: Region, standing: CloudStack): Promise<boolean> {
  const { kind, doing } = standingOf(standing.status);
  if (kind === 'busy' && doing === 'remove') return true;
  // With a hook every server that leaves would be held for a heartbeat, the whole deletion with it.
  if (kind !== 'busy') await removeLifecycleHooks(region, standing);
  return deleteStack(region, standing);
}

async function deleteStack(region: Region, { stackId, arn, version }: CloudStack): Promise<boolean> {
  const cloudFormation = await region.clients.cloudFormation();
  try {
    await ask(() => cloudFormation.deleteStack({ StackName: arn, ...roleOf(region) }));
  } catch (cause) {
    if (cause instanceof Error && /_IN_PROGRESS/.test(cause.message)) return false;
    throw cause;
  }
  noteAccepted(region, stackId, { doing: 'remove', version });
  return true;
}
