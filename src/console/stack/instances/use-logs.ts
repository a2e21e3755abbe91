import { useEffect, useState } from 'react';
import type { CallFailed } from '../../api/failure.ts';
import { after } from '../../clock.ts';
import { expectStream, forgetStream, heard, lost } from '../../live/live-state.ts';
import { follow } from '../../live/stream.ts';
import { firstLines, type InstanceLogs, type LogChoice, type LogLine, merged } from './log-lines.ts';

export interface LogView {
  lines: readonly LogLine[];
  instances: readonly InstanceLogs[];
  /** Lines are missing among those shown. */
  hasGap: boolean;
  refused: CallFailed | null;
}

const nothing: LogView = { lines: [], instances: [], hasGap: false, refused: null };

/** Lines come one by one; the page is drawn at most this often. */
const drawEvery = 150;

export const streamName = (stackId: string): string => `logs ${stackId}`;

type Change = (change: (view: LogView) => LogView) => void;

/** Collects events of the stream and hands them on together. */
class LogInflow {
  lastId = '';
  readonly #change: Change;
  #waiting: ((view: LogView) => LogView)[] = [];
  #lines: LogLine[] = [];

  constructor(change: Change) {
    this.#change = change;
  }

  take({
    event = '',
    data,
    id,
  }: {
    event?: string | undefined;
    data: string;
    id?: string | undefined;
  }): void {
    this.lastId = id ?? this.lastId;
    if (event === 'line') this.#lines.push(JSON.parse(data) as LogLine);
    else if (event === 'instance') this.#state(JSON.parse(data) as InstanceLogs);
    else if (event === 'gap') this.#waiting.push((view) => ({ ...view, hasGap: true }));
    if (this.#waiting.length + this.#lines.length === 1) after(drawEvery, () => this.#draw());
  }

  #state(logs: InstanceLogs): void {
    this.#waiting.push((view) => {
      const others = view.instances.filter(({ instance_id }) => instance_id !== logs.instance_id);
      return { ...view, instances: logs.state === 'gone' ? others : [...others, logs] };
    });
  }

  #draw(): void {
    const [changes, lines] = [this.#waiting.splice(0), this.#lines.splice(0)];
    this.#change((view) => {
      const changed = changes.reduce((before, change) => change(before), view);
      return lines.length === 0 ? changed : { ...changed, lines: merged(changed.lines, lines) };
    });
  }
}

interface Reading extends LogChoice {
  stackId: string;
  inflow: LogInflow;
}

const requestOf = ({ stackId, instance, source, inflow }: Reading) => ({
  method: 'GET',
  path: '/v3/alm/stack/{stack_id}/logs/stream',
  params: { stack_id: stackId },
  query: { lines: firstLines, instance_id: instance || undefined, source: source || undefined },
  headers: inflow.lastId === '' ? {} : { 'last-event-id': inflow.lastId },
});

async function run(reading: Reading, change: Change, signal: AbortSignal): Promise<void> {
  const name = streamName(reading.stackId);
  expectStream(name);
  signal.addEventListener('abort', () => forgetStream(name));
  const refused = await follow(
    {
      request: () => requestOf(reading),
      onEvent: (event) => reading.inflow.take(event),
      onAlive: () => heard(name),
      onLost: () => lost(name),
    },
    signal,
  );
  forgetStream(name);
  if (refused && !signal.aborted) change((view) => ({ ...view, refused }));
}

interface Read {
  choice: string;
  view: LogView;
}

/** Lines of a former choice may still be on their way: they change nothing. */
const changeOf =
  (choice: string, setRead: (change: (read: Read) => Read) => void): Change =>
  (change) =>
    setRead((read) => (read.choice === choice ? { choice, view: change(read.view) } : read));

/** Follows the logs while `on`. What was read stays when it is switched off. */
export function useLogs(stackId: string, { instance, source }: LogChoice, on: boolean): LogView {
  const choice = `${stackId} ${instance} ${source}`;
  const [read, setRead] = useState<Read>({ choice, view: nothing });
  const [inflow, setInflow] = useState(() => new LogInflow(changeOf(choice, setRead)));
  if (read.choice !== choice) {
    // Another choice is another log: nothing of the former one stays.
    setRead({ choice, view: nothing });
    setInflow(new LogInflow(changeOf(choice, setRead)));
  }
  useEffect(() => {
    if (!on) return undefined;
    const stop = new AbortController();
    void run({ stackId, instance, source, inflow }, changeOf(choice, setRead), stop.signal);
    return () => stop.abort();
  }, [stackId, instance, source, choice, inflow, on]);
  return read.view;
}
