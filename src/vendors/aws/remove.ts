import { type Answer, accepted, type StackOnVendor } from '../vendor.ts';
import { removeAgentToken } from './agent-token.ts';
import { act, ask, errorName } from './errors.ts';
import { removeLifecycleHooks } from './lifecycle-hook.ts';
import type { CloudStack } from './list-stacks.ts';
import { findCloudStack, noteAccepted, type Region } from './region.ts';
import { roleOf } from './requests.ts';
import { standingOf } from './statuses.ts';

/** Also what lies beside the stack goes, whether the stack was ever made or not. */
export async function remove(region: Region, { id }: StackOnVendor): Promise<Answer> {
  return act(async () => {
    const { value: standing } = await findCloudStack(region, id, region.pollMs / 5);
    const { kind, doing } = standing ? standingOf(standing.status) : { kind: 'absent', doing: 'remove' };
    if (kind === 'busy' && doing === 'remove') return accepted;
    await removeAgentToken(region, id);
    if (!standing) return accepted;
    // With a hook every server that leaves would be held for a heartbeat, the whole deletion with it.
    if (kind !== 'busy') await removeLifecycleHooks(region, standing);
    return deleteStack(region, standing);
  });
}

/** Where an update is under way CloudFormation may say to wait for its end; it is asked again then. */
async function deleteStack(region: Region, { stackId, arn, version }: CloudStack): Promise<Answer> {
  const cloudFormation = await region.clients.cloudFormation();
  try {
    await ask(() => cloudFormation.deleteStack({ StackName: arn, ...roleOf(region) }));
  } catch (cause) {
    const inProgress = cause instanceof Error && /_IN_PROGRESS state/.test(cause.message);
    if (errorName(cause) !== 'ValidationError' || !inProgress) throw cause;
    return accepted;
  }
  noteAccepted(region, stackId, { doing: 'remove', version });
  return accepted;
}
