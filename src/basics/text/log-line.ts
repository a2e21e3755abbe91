/** Where a line was written: by the agent of an instance, or by a container that it runs. */
export const logSources = ['agent', 'container'] as const;
type LogSource = (typeof logSources)[number];

export const logStreams = ['stdout', 'stderr'] as const;
export type LogStream = (typeof logStreams)[number];

/** One line of a log. */
export interface LogLine {
  /** In the form of `logTime`: as text, lines sort by time. */
  time: string;
  source: LogSource;
  /** Name of the container; empty for lines of the agent. */
  container: string;
  stream: LogStream;
  text: string;
}

/** What of the logs is asked for. */
export interface LogFilter {
  /** Null: both. */
  source: LogSource | null;
  /** Name of a container; null: all. */
  container: string | null;
  /** The last lines of each container and of the agent. */
  lines: number;
  /** Only lines after this time; null: of any time. */
  since: string | null;
  /** Also lines that are written later. */
  follow: boolean;
}

/** Longer lines are cut: with every byte of UTF-8, a line fits into one notification of the database. */
const maxLineLength = 1700;
/** Of each container and of the agent. */
export const maxLines = 1000;

/** `2030-01-01T00:00:00.000000000Z` */
export const logTime = (ms: number): string => new Date(ms).toISOString().replace('Z', '000000Z');

const rfc3339 = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9})\d*)?(Z|[+-]\d\d:\d\d)$/;

/** The time of RFC 3339 in UTC and with nanoseconds; undefined: it is none. */
export function parseLogTime(text: string): string | undefined {
  const [, seconds = '', fraction = '', offset = ''] = rfc3339.exec(text) ?? [];
  const ms = Date.parse(`${seconds}${offset}`);
  return Number.isNaN(ms)
    ? undefined
    : `${new Date(ms).toISOString().slice(0, 19)}.${fraction.padEnd(9, '0')}Z`;
}

export const earlier = (time: string, ms: number): string => logTime(Date.parse(time) - ms);

/** Cut with a remark, so that nobody takes the rest for complete. */
export const shortened = (text: string): string =>
  text.length <= maxLineLength ? text : `${text.slice(0, maxLineLength - 40)} … (${text.length} characters)`;

export const matchesFilter = ({ source, container }: LogFilter, line: LogLine): boolean =>
  (source === null || source === line.source) && (container === null || container === line.container);
