import { readFile } from 'node:fs/promises';
import type { Settings } from './settings.ts';
import { openStateDirectory } from './state.ts';

const timeOf = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/** What the agent runs, from what it wrote down. Nothing is asked of anybody. */
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
          ['container', `${running.name}, since ${timeOf(running.since)}`],
          ['ports', running.ports.join(', ') || 'none'],
        ] as const)
      : []),
    ...(failed
      ? ([
          ['failed', failed.message],
          ['next try', timeOf(failed.tryAgainAt)],
        ] as const)
      : []),
  ];
  return lines.map(([name, value]) => `${name.padEnd(10)}${value}`).join('\n');
}
