import { backOff } from '../../basics/back-off.ts';
import type { Clock } from '../../basics/clock.ts';
import { pause } from '../../basics/pause.ts';
import { type AgentLog, reasonOf } from '../log.ts';
import type { Reporter } from '../service/reporter.ts';
import type { Metadata } from './metadata.ts';

export interface SpotTools {
  clock: Clock;
  log: AgentLog;
  metadata: Pick<Metadata, 'spotNotice'>;
  reporter: Pick<Reporter, 'spotNotice'>;
  pollSeconds: number;
  signal: AbortSignal;
}

/** `{"action": "terminate", "time": "…"}`; a notice that says nothing is a notice too. */
export function wordsOfNotice(notice: string): string {
  const usual = 'The cloud takes the instance back';
  try {
    const { action, time } = JSON.parse(notice) as { action?: string; time?: string };
    return `${usual}: ${action ?? 'terminate'}${time ? ` at ${time}` : ''}.`;
  } catch {
    return `${usual}.`;
  }
}

async function report({ clock, log, reporter, signal }: SpotTools, message: string): Promise<void> {
  for (let failures = 0; !signal.aborted; failures += 1) {
    try {
      await reporter.spotNotice(message);
      return log('spot notice reported');
    } catch (error) {
      if (failures === 0) log(`the spot notice was not heard, it will be repeated: ${reasonOf(error)}`);
      await pause(clock, backOff(failures, { first: 0.5, max: 5 }) * 1000, signal);
    }
  }
}

/** Looks for a notice until there is one; `noticed` is told at once, Almanac until it has answered. */
export async function watchForSpotNotice(tools: SpotTools, noticed: () => void): Promise<void> {
  const { clock, log, metadata, pollSeconds, signal } = tools;
  while (!signal.aborted) {
    const notice = await metadata.spotNotice().catch(() => undefined);
    if (notice !== undefined) {
      const message = wordsOfNotice(notice);
      log(message);
      noticed();
      return report(tools, message);
    }
    await pause(clock, pollSeconds * 1000, signal);
  }
}
