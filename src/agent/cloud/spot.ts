import { backOff } from '../../basics/back-off.ts';
import type { Clock } from '../../basics/clock.ts';
import { pause } from '../../basics/pause.ts';
import { type AgentLog, reasonOf } from '../log.ts';
import type { Reporter } from '../service/reporter.ts';
import type { Metadata } from './metadata.ts';

interface SpotTools {
  clock: Clock;
  log: AgentLog;
  metadata: Pick<Metadata, 'spotNotice'>;
  reporter: Pick<Reporter, 'spotNotice'>;
  pollSeconds: number;
  signal: AbortSignal;
}

/** Describes `{"action": "terminate", "time": "…"}`, or a time alone. A notice with other content is a notice too. */
export function describeSpotNotice(notice: string): string {
  const summary = 'Spot notice: the cloud will reclaim this instance';
  if (/^\d{4}-\d\d-\d\dT[\d:]+Z$/.test(notice)) return `${summary}: terminate at ${notice}.`;
  try {
    const { action, time } = JSON.parse(notice) as { action?: string; time?: string };
    return `${summary}: ${action ?? 'terminate'}${time ? ` at ${time}` : ''}.`;
  } catch {
    return `${summary}.`;
  }
}

async function report({ clock, log, reporter, signal }: SpotTools, message: string): Promise<void> {
  for (let failures = 0; !signal.aborted; failures += 1) {
    try {
      await reporter.spotNotice(message);
      return log('spot notice reported');
    } catch (error) {
      if (failures === 0) log(`cannot report the spot notice, retrying: ${reasonOf(error)}`);
      await pause(clock, backOff(failures, { first: 0.5, max: 5 }) * 1000, signal);
    }
  }
}

/** Polls for a notice. Calls `onNotice` immediately, then reports the notice until Almanac accepts it. */
export async function watchForSpotNotice(tools: SpotTools, onNotice: () => void): Promise<void> {
  const { clock, log, metadata, pollSeconds, signal } = tools;
  while (!signal.aborted) {
    const notice = await metadata.spotNotice().catch(() => undefined);
    if (notice !== undefined) {
      const message = describeSpotNotice(notice);
      log(message);
      onNotice();
      return report(tools, message);
    }
    await pause(clock, pollSeconds * 1000, signal);
  }
}
