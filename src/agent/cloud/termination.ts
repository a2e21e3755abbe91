import { backOff } from '../../basics/back-off.ts';
import type { Clock } from '../../basics/clock.ts';
import { pause } from '../../basics/pause.ts';
import { lifecycleHookName } from '../../model/hook-name.ts';
import { type AgentLog, reasonOf } from '../log.ts';
import { type AwsAccess, completeLifecycleAction } from './aws.ts';
import type { Metadata } from './metadata.ts';

interface TerminationTools {
  clock: Clock;
  log: AgentLog;
  metadata: Pick<Metadata, 'isTerminating' | 'groupName' | 'instanceId'>;
  aws: AwsAccess;
  stackId: string;
  pollSeconds: number;
  signal: AbortSignal;
}

/**
 * Watches for the group's decision to terminate this instance. Calls `leave`, and then tells the group that it need not
 * wait for the rest of the heartbeat. A restarted agent starts again from the metadata, so nothing is stored.
 */
export async function watchForTermination(
  tools: TerminationTools,
  leave: () => Promise<void>,
): Promise<void> {
  const { clock, log, metadata, pollSeconds, signal } = tools;
  while (!signal.aborted) {
    if (await metadata.isTerminating().catch(() => false)) {
      log('the group terminates this instance');
      await leave().catch((error: unknown) => log(`cannot stop the container: ${reasonOf(error)}`));
      return complete(tools);
    }
    await pause(clock, pollSeconds * 1000, signal);
  }
}

/** Repeats until the group accepts: the instance may not be waiting yet. Without a hook there is nothing to accept. */
async function complete({ clock, log, metadata, aws, stackId, signal }: TerminationTools): Promise<void> {
  for (let failures = 0; !signal.aborted; failures += 1) {
    try {
      const [group, instanceId] = await Promise.all([metadata.groupName(), metadata.instanceId()]);
      if (!group || !instanceId) return log('cannot tell the group: its name is not in the metadata');
      await completeLifecycleAction(aws, { group, hook: lifecycleHookName(stackId), instanceId });
      return log('drained; the group may terminate this instance');
    } catch (error) {
      if (failures === 0) log(`cannot tell the group yet, retrying: ${reasonOf(error)}`);
      await pause(clock, backOff(failures, { first: 1, max: 15 }) * 1000, signal);
    }
  }
}
