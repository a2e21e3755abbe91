import type { SuccessOf } from '../../../contract/route.ts';
import type { readLogs } from '../../../contract/v3/logs.ts';
import { word } from '../../parts/acts/command.ts';

type Logs = SuccessOf<typeof readLogs>;
export type LogLine = Logs['lines'][number];
export type InstanceLogs = Logs['instances'][number];

/** What of the logs the page shows. Empty: everything. */
export interface LogChoice {
  instance: string;
  source: string;
}

/** Older lines are left out of the page. */
export const keptLines = 2000;

export const firstLines = 200;

/** `12:00:01.123`, in UTC: lines are compared with those of other places. */
export const clockText = ({ time }: LogLine): string => time.slice(11, 23);

export const writerOf = ({ source, container }: LogLine): string =>
  source === 'agent' ? 'agent' : container;

export const keyOf = (line: LogLine): string =>
  [line.instance_id, line.source, line.container, line.time, line.text].join(' ');

/** Lines in the order of time, each once: after a lost connection some are sent again. */
export function merged(known: readonly LogLine[], added: readonly LogLine[]): LogLine[] {
  const keys = new Set(known.slice(-keptLines).map(keyOf));
  const fresh = added.filter((line) => {
    const key = keyOf(line);
    if (keys.has(key)) return false;
    keys.add(key);
    return true;
  });
  return [...known, ...fresh]
    .toSorted((one, other) => (one.time === other.time ? 0 : one.time < other.time ? -1 : 1))
    .slice(-keptLines);
}

export const passing = (lines: readonly LogLine[], filter: string): readonly LogLine[] => {
  const wanted = filter.trim().toLowerCase();
  return wanted === '' ? lines : lines.filter(({ text }) => text.toLowerCase().includes(wanted));
};

export const asText = (lines: readonly LogLine[]): string =>
  lines.map((line) => `${line.time} ${line.instance_id} ${writerOf(line)} ${line.text}\n`).join('');

/** The same on the command line. */
export const logCommand = (stackId: string, { instance, source }: LogChoice): string =>
  [
    `alm logs ${stackId} --follow --lines ${firstLines}`,
    ...(instance === '' ? [] : [`--instance ${word(instance, 'instance')}`]),
    ...(source === '' ? [] : [`--source ${word(source, 'source')}`]),
  ].join(' ');

/** Whether lines that are written now appear, in words; from the states of the instances. */
export function statusWords(instances: readonly InstanceLogs[]): { live: boolean; words: string } {
  const count = (state: string): number => instances.filter((each) => each.state === state).length;
  const sending = count('sending');
  if (instances.length === 0) return { live: false, words: 'No instances' };
  if (sending === instances.length) return { live: true, words: 'Live' };
  if (count('waiting') > 0) return { live: false, words: 'Waiting for agents, up to 10 s' };
  return { live: false, words: `${sending} of ${instances.length} instances live` };
}
