import { readFile } from 'node:fs/promises';
import type { ServedConfig } from './service/almanac-service.ts';
import type { Settings } from './settings.ts';
import { type AgentState, openStateDirectory } from './state.ts';

type Line = readonly [name: string, value: string];

const formatTime = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

function wantedRevision(config: ServedConfig | null | undefined): string {
  if (config === undefined) return 'not known yet';
  return config === null ? 'no container' : `revision ${config.container_updated}`;
}

function containerLines({ running, fault }: AgentState): Line[] {
  if (!running) return [['serves', 'nothing']];
  return [
    [
      'serves',
      fault ? `nothing since ${formatTime(fault.since)}: ${fault.reason}` : `revision ${running.revision}`,
    ],
    ['runs', `revision ${running.revision}, image ${running.image}`],
    ['container', `${running.name}, since ${formatTime(running.since)}`],
    ['ports', running.ports.join(', ') || 'none'],
  ];
}

const failureLines = ({ failed }: AgentState): Line[] =>
  failed
    ? [
        ['failed', `revision ${failed.revision}: ${failed.message}`],
        ...(failed.lastLines ?? '').split('\n').flatMap((line): Line[] => (line ? [['', `  ${line}`]] : [])),
        ['next try', formatTime(failed.tryAgainAt)],
      ]
    : [];

function reportLine({ report }: AgentState): string {
  if (!report) return 'none';
  const { status, at, failure } = report;
  return failure === null
    ? `${status}, accepted ${formatTime(at)}`
    : `${status}, not accepted ${formatTime(at)}: ${failure}`;
}

/** Describes what the agent runs, from its files alone: makes no request. */
export async function describeStatus(settings: Settings): Promise<string> {
  const directory = openStateDirectory(settings.stateDirectory);
  const { state, isNew } = await directory.readState();
  const ready = await readFile(settings.readyFile, 'utf8').catch(() => undefined);
  const lines: readonly Line[] = [
    ['stack', `${settings.stackId}, layer ${settings.flag || '(only one)'}`],
    ['agent', isNew ? 'has never run here' : state.agentId],
    ['ready', ready === undefined ? 'no' : 'yes'],
    ['wanted', wantedRevision(await directory.readConfig())],
    ...containerLines(state),
    ...failureLines(state),
    ['report', reportLine(state)],
  ];
  return lines.map(([name, value]) => `${name.padEnd(10)}${value}`).join('\n');
}
