import type { LogFilter, LogLine } from '../../basics/text/log-line.ts';
import { maxPayloadBytes } from '../../store/database/database.ts';

/** A request for logs, as the server of its caller announces it to all servers: agents may talk to any of them. */
export interface LogRequest extends LogFilter {
  id: string;
  stackId: string;
  instances: readonly string[];
}

/** Lines that an agent sent for a request, as the server that took them passes them on. */
export interface LogPart {
  requestId: string;
  stackId: string;
  instanceId: string;
  /** Number of the agent's message, from 1 on, and of the part of it: what is repeated or missing shows. */
  batch: number;
  part: number;
  lines: readonly LogLine[];
  /** Lines that the agent left out before these. */
  leftOut: number;
  /** Nothing follows. */
  isLast: boolean;
  /** Why the agent cannot send more; empty: it can. */
  problem: string;
}

export type LogNotice = { kind: 'wanted'; request: LogRequest } | { kind: 'over'; requestId: string };

export const readNotice = (payload: string): LogNotice => JSON.parse(payload) as LogNotice;
export const readPart = (payload: string): LogPart => JSON.parse(payload) as LogPart;

/** Room for the members besides the lines, with identifiers of the greatest length. */
const headBytes = 2000;

/** Splits what an agent sent into notifications. */
export function partsOf(message: Omit<LogPart, 'part'>): LogPart[] {
  const groups: LogLine[][] = [[]];
  let room = maxPayloadBytes - headBytes;
  for (const line of message.lines) {
    const bytes = Buffer.byteLength(JSON.stringify(line)) + 1;
    if (bytes > room) {
      groups.push([]);
      room = maxPayloadBytes - headBytes;
    }
    room -= bytes;
    groups.at(-1)?.push(line);
  }
  return groups.map((lines, part) => partOf(message, { lines, part, isEnd: part === groups.length - 1 }));
}

const partOf = (
  message: Omit<LogPart, 'part'>,
  { lines, part, isEnd }: { lines: LogLine[]; part: number; isEnd: boolean },
): LogPart => ({
  ...message,
  lines,
  part,
  leftOut: part === 0 ? message.leftOut : 0,
  isLast: message.isLast && isEnd,
  problem: isEnd ? message.problem : '',
});
