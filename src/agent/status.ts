import { readFile } from 'node:fs/promises';
import type { Settings } from './settings.ts';
import { openStateDirectory } from './state.ts';

const formatTime = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/** Describes what the agent runs, from its files alone: makes no request. */
export async function describeStatus(settings: Settings): Promise<string> {
  const { state, isNew } = await openStateDirectory(settings.stateDirectory).readState();
  const { running, failed } = state;
  const ready = await readFile(settings.readyFile, 'utf8').catch(() => undefined);
  const lines: readonly (readonly [string, string])[] = [
    ['stack', `${settings.stackId}, layer ${settings.flag || '(only one)'}`],
    ['agent', isNew ? 'has never run here' : state.agentId],
    ['ready', ready === undefined ? 'no' : 'yes'],
    ['runs', running ? `revision ${running.revision}, image ${running.image}` : 'nothing'],
    ...(running
      ? ([
          ['container', `${running.name}, since ${formatTime(running.since)}`],
          ['ports', running.ports.join(', ') || 'none'],
        ] as const)
      : []),
    ...(failed
      ? ([
          ['failed', failed.message],
          ['next try', formatTime(failed.tryAgainAt)],
        ] as const)
      : []),
  ];
  return lines.map(([name, value]) => `${name.padEnd(10)}${value}`).join('\n');
}
