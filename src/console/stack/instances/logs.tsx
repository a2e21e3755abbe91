import { useEffect, useRef, useState } from 'react';
import { useSearchValues } from '../../address/search.ts';
import { useLivenessOf } from '../../live/live-state.ts';
import { Act, Button } from '../../parts/acts/button.tsx';
import { AsCommand, Copy } from '../../parts/acts/copy.tsx';
import { Field, Select, Tick } from '../../parts/forms/field.tsx';
import { ErrorCard } from '../../parts/messages/error-card.tsx';
import { Card, Row, Stack } from '../../parts/page/card.tsx';
import { Pill } from '../../parts/status/status-phase.tsx';
import type { StackNow } from '../data/stack-now.ts';
import {
  asText,
  clockText,
  type InstanceLogs,
  keyOf,
  type LogChoice,
  type LogLine,
  logCommand,
  passing,
  statusWords,
  writerOf,
} from './log-lines.ts';
import styles from './logs.module.css';
import { streamName, useLogs } from './use-logs.ts';

/** Stays at the newest line, unless the reader has scrolled up. */
function useNewest(lines: readonly LogLine[]) {
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  useEffect(() => {
    if (box.current && isAtEnd.current) box.current.scrollTop = box.current.scrollHeight;
  }, [lines]);
  const onScroll = (): void => {
    const { scrollTop = 0, scrollHeight = 0, clientHeight = 0 } = box.current ?? {};
    isAtEnd.current = scrollHeight - scrollTop - clientHeight < 40;
  };
  return { box, onScroll };
}

const Lines = ({ lines }: { lines: readonly LogLine[] }) => {
  const { box, onScroll } = useNewest(lines);
  return (
    // Scrollable regions can be reached by keyboard. Reading every line aloud would be too much.
    <div
      ref={box}
      className={styles.lines}
      role="log"
      aria-live="off"
      aria-label="Lines"
      tabIndex={0}
      onScroll={onScroll}
    >
      {lines.map((line) => (
        <div key={keyOf(line)} className={line.stream === 'stderr' ? styles.error : undefined}>
          <span className={styles.place}>
            {clockText(line)} {line.instance_id} {writerOf(line)}
          </span>{' '}
          {line.text}
        </div>
      ))}
    </div>
  );
};

/** Says whether lines that are written now appear here. */
const Liveness = ({
  stackId,
  on,
  instances,
}: {
  stackId: string;
  on: boolean;
  instances: readonly InstanceLogs[];
}) => {
  const { state } = useLivenessOf(streamName(stackId));
  const { live, words } = statusWords(instances);
  if (!on) return <Pill tone="none">Paused</Pill>;
  if (state !== 'live') return <Pill tone="work">Connecting …</Pill>;
  return (
    <span role="status">
      <Pill tone={live ? 'good' : 'work'}>{words}</Pill>
    </span>
  );
};

function download(stackId: string, lines: readonly LogLine[]): void {
  const address = URL.createObjectURL(new Blob([asText(lines)], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = `${stackId}.log`;
  link.click();
  URL.revokeObjectURL(address);
}

const Problems = ({ instances, hasGap }: { instances: readonly InstanceLogs[]; hasGap: boolean }) => (
  <>
    {instances
      .filter(({ message }) => message !== '')
      .map(({ instance_id, message }) => (
        <p key={instance_id} className={styles.problem}>
          {message}
        </p>
      ))}
    {hasGap && (
      <p className={styles.problem}>Some lines are missing: they were written faster than they arrive.</p>
    )}
  </>
);

interface ControlsProps {
  stack: StackNow;
  choice: LogChoice;
  filter: string;
}

const Controls = ({ stack, choice, filter }: ControlsProps) => {
  const [, change] = useSearchValues();
  const ids = stack.instances.map(({ InstanceId }) => InstanceId);
  return (
    <div className={styles.controls}>
      <Select
        label="Instance"
        value={choice.instance}
        options={[
          { value: '', label: 'All instances' },
          ...new Set([...ids, choice.instance].filter(Boolean)),
        ]}
        onChange={(event) => change({ logs_of: event.target.value })}
      />
      <Select
        label="Written by"
        value={choice.source}
        options={[
          { value: '', label: 'Agents and containers' },
          { value: 'agent', label: 'Agents' },
          { value: 'container', label: 'Containers' },
        ]}
        onChange={(event) => change({ logs_by: event.target.value })}
      />
      <Field
        label="Lines with"
        type="search"
        value={filter}
        onChange={(event) => change({ logs_with: event.target.value })}
      />
    </div>
  );
};

const OpenLogs = ({ stack, choice }: { stack: StackNow; choice: LogChoice }) => {
  const [on, setOn] = useState(true);
  const [{ logs_with: filter = '' }] = useSearchValues();
  const { lines, instances, hasGap, refused } = useLogs(stack.id, choice, on);
  const shown = passing(lines, filter);
  return (
    <Stack>
      <Controls stack={stack} choice={choice} filter={filter} />
      <Row>
        <Tick label="Follow" checked={on} onChange={(event) => setOn(event.target.checked)} />
        {!refused && <Liveness stackId={stack.id} on={on} instances={instances} />}
        <span className={styles.count}>{shown.length === 1 ? '1 line' : `${shown.length} lines`}</span>
        <Copy text={asText(shown)} what="lines" label="Copy" />
        <Button
          small
          look="quiet"
          off={shown.length === 0 ? 'There is no line yet.' : undefined}
          onClick={() => download(stack.id, shown)}
        >
          Download
        </Button>
      </Row>
      {refused && <ErrorCard error={refused} />}
      <Problems instances={instances} hasGap={hasGap} />
      <Lines lines={shown} />
      <AsCommand command={logCommand(stack.id, choice)} />
    </Stack>
  );
};

const closed = { logs: undefined, logs_of: undefined, logs_by: undefined, logs_with: undefined };

/** The logs of the stack. They are asked for only when a user opens them. */
export const Logs = ({ stack }: { stack: StackNow }) => {
  const [{ logs, logs_of: instance = '', logs_by: source = '' }, change] = useSearchValues();
  const isOpen = logs === 'open';
  return (
    <Card
      title="Logs"
      aside={
        isOpen ? (
          <Button small look="quiet" onClick={() => change(closed)}>
            Close the logs
          </Button>
        ) : (
          <Act action="stack:readLogs" stackId={stack.id} small onClick={() => change({ logs: 'open' })}>
            Show logs
          </Act>
        )
      }
    >
      {isOpen ? (
        <OpenLogs stack={stack} choice={{ instance, source }} />
      ) : (
        <p className={styles.note}>What the agents and the containers of the stack write.</p>
      )}
    </Card>
  );
};
