import { createHash } from 'node:crypto';
import { type LogLine, logTime } from '../../basics/text/log-line.ts';
import type { VendorLogRequest } from '../logs.ts';
import type { Instance } from '../vendor.ts';
import type { SandboxStack } from './cloud.ts';
import { instanceIn } from './observe.ts';

const container = 'app';
const slotMs = 1000;
/** On average, every fourth second has a line. */
const slotsPerLine = 4;

const paths = ['/', '/items', '/items/42', '/login', '/assets/site.css', '/cart', '/healthz'];

const numberOf = (text: string): number => createHash('sha1').update(text).digest().readUInt32BE(0);

const accessText = (number: number): string => {
  const path = paths[number % paths.length] ?? '/';
  return `GET ${path} 200 ${1 + ((number >>> 8) % 90)} ms`;
};

/** The line of one second of an instance, if it has one: the same whenever it is read. */
function lineAt({ id }: Instance, slot: number): LogLine[] {
  const number = numberOf(`${id} ${slot}`);
  if (number % slotsPerLine !== 0) return [];
  const rest = Math.floor(number / slotsPerLine);
  const isWarning = rest % 50 === 0;
  return [
    {
      time: logTime(slot * slotMs + (rest % slotMs)),
      source: 'container',
      container,
      stream: isWarning ? 'stderr' : 'stdout',
      text: isWarning ? 'warning: a query took 1.2 s' : accessText(rest),
    },
  ];
}

function agentLines({ id, flag, launchedAt }: Instance, now: number): LogLine[] {
  const written: [seconds: number, text: string][] = [
    [0, `agent started: instance ${id} is simulated, and so is its log`],
    [1, `deploying revision 1 of layer ${flag}`],
    [4, 'revision 1 is serving'],
  ];
  return written
    .map(([seconds, text]) => ({ at: launchedAt + seconds * 1000, text }))
    .filter(({ at }) => at <= now)
    .map(({ at, text }) => ({
      time: logTime(at),
      source: 'agent',
      container: '',
      stream: 'stdout',
      text,
    }));
}

/** From the newest back. The number of seconds is limited: reading must not depend on the age of the instance. */
function containerLines(instance: Instance, { lines, since }: VendorLogRequest, now: number): LogLine[] {
  const first = Math.floor(instance.launchedAt / slotMs) + 5;
  const last = Math.floor(now / slotMs);
  const found: LogLine[] = [];
  const oldest = Math.max(first, last - (lines + 10) * slotsPerLine * 2);
  for (let slot = last; slot >= oldest && found.length < lines; slot -= 1)
    found.unshift(...lineAt(instance, slot).filter(({ time }) => time <= logTime(now)));
  return found.filter(({ time }) => since === null || time > since);
}

/** What a small web application and its agent on the instance would have written until now. */
export function logsIn(stack: SandboxStack | undefined, request: VendorLogRequest, now: number): LogLine[] {
  const instance = stack && instanceIn(stack, request.instanceId, now);
  if (!instance) return [];
  const { since, lines } = request;
  const ofAgent = agentLines(instance, now)
    .filter(({ time }) => since === null || time > since)
    .slice(-lines);
  return [...ofAgent, ...containerLines(instance, request, now)].toSorted((one, other) =>
    one.time < other.time ? -1 : 1,
  );
}
