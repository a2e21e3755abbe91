import { useSearchValues } from '../address/search.ts';
import { TableWindow } from '../lists/table-window.tsx';
import { stackCommand } from '../parts/acts/command.ts';
import { Copy } from '../parts/acts/copy.tsx';
import { Select, Tick } from '../parts/forms/field.tsx';
import { Empty } from '../parts/messages/empty.tsx';
import { Card, Row } from '../parts/page/card.tsx';
import { When } from '../parts/reading/when.tsx';
import type { StackEvent } from '../picture/resource.ts';
import { asText, byOperation, isFailure, keptEvents } from './data/event-list.ts';
import { useEvents } from './data/follow-stack.ts';
import { nameOfVersion, useVersions, type Version } from './data/of-stack.ts';
import type { StackNow } from './data/stack-now.ts';
import { EventRow } from './event-row.tsx';
import styles from './events.module.css';
import { StackFrame } from './frame.tsx';

/** Rows have one height, so that only those near the screen exist. */
const rowHeight = 46;

type Line = { kind: 'operation'; request: StackEvent; count: number } | { kind: 'event'; event: StackEvent };

interface Filter {
  resource: string;
  onlyFailures: boolean;
}

const passes =
  ({ resource, onlyFailures }: Filter) =>
  (event: StackEvent): boolean =>
    (resource === '' || event.resource === resource) && (!onlyFailures || isFailure(event));

/** Newest operation first; inside it, newest event first. Operations without a matching event are left out. */
function linesOf(events: readonly StackEvent[], filter: Filter): Line[] {
  const lines: Line[] = [];
  for (const { request, events: own } of byOperation(events)) {
    const matching = own.filter(passes(filter)).toReversed();
    if (matching.length > 0) lines.push({ kind: 'operation', request, count: matching.length });
    for (const event of matching) lines.push({ kind: 'event', event });
  }
  return lines;
}

const Filters = ({ events, shown }: { events: readonly StackEvent[]; shown: readonly StackEvent[] }) => {
  const [{ resource = '', failures }, change] = useSearchValues();
  const names = [...new Set(events.map((event) => event.resource))].filter(Boolean).toSorted();
  return (
    <div className={styles.filters}>
      <Select
        label="Resource"
        value={resource}
        options={[{ value: '', label: 'All resources' }, ...names]}
        onChange={(event) => change({ resource: event.target.value })}
      />
      <Tick
        label="Only failures"
        checked={failures === 'only'}
        onChange={(event) => change({ failures: event.target.checked ? 'only' : undefined })}
      />
      <Copy text={asText(shown)} what="events as text" label="Copy as text" />
    </div>
  );
};

const Operation = ({
  line,
  versions,
}: {
  line: Extract<Line, { kind: 'operation' }>;
  versions: readonly Version[];
}) => (
  <div className={styles.operation}>
    <h2>{line.request.message || line.request.status}</h2>
    <span>
      {line.request.version_id && `${nameOfVersion(versions, line.request.version_id)} · `}
      <When at={line.request.time} /> · {line.count === 1 ? '1 event' : `${line.count} events`}
    </span>
  </div>
);

const keyOf = (line: Line): string =>
  line.kind === 'event' ? String(line.event.event_id) : `operation ${line.request.event_id}`;

const EventsOf = ({ stack }: { stack: StackNow }) => {
  const events = useEvents(stack.id);
  const versions = useVersions(stack);
  const [{ resource = '', failures }] = useSearchValues();
  const filter = { resource, onlyFailures: failures === 'only' };
  const lines = linesOf(events, filter);
  return (
    <Card>
      <Filters events={events} shown={events.filter(passes(filter))} />
      {lines.length === 0 && (
        <Empty title="No events" command={stackCommand('events', stack, '--follow')}>
          {events.length > 0 ? 'No event passes the filter.' : 'Nothing has happened to this stack yet.'}
        </Empty>
      )}
      <TableWindow
        label="Events, newest first"
        rows={lines}
        rowHeight={rowHeight}
        keyOf={keyOf}
        draw={(line) =>
          line.kind === 'operation' ? (
            <Operation line={line} versions={versions} />
          ) : (
            <div className={styles.row}>
              <EventRow event={line.event} />
            </div>
          )
        }
      />
      {events.length >= keptEvents && (
        <Row>
          <p className={styles.note}>
            Older events: <code>{stackCommand('events', stack)}</code>
          </p>
        </Row>
      )}
    </Card>
  );
};

const Events = () => <StackFrame>{(stack) => <EventsOf stack={stack} />}</StackFrame>;

export default Events;
