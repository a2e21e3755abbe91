import { Link } from 'wouter';
import { entryAddress } from '../../audit/filters.ts';
import { Table } from '../../lists/table.tsx';
import { word } from '../../parts/acts/command.ts';
import { AsCommand } from '../../parts/acts/copy.tsx';
import { withValue } from '../../parts/forms/field.tsx';
import { Loading } from '../../parts/messages/empty.tsx';
import { ErrorCard } from '../../parts/messages/error-card.tsx';
import { Card } from '../../parts/page/card.tsx';
import { Breakable } from '../../parts/reading/breakable.tsx';
import { When } from '../../parts/reading/when.tsx';
import { useStackNames } from '../explain/may-they.tsx';
import type { Person } from '../people.ts';
import type { Change, Rehearsal } from './rehearsal.ts';
import styles from './rehearsal-card.module.css';
import { type ChosenRehearsal, choices, isOneUser } from './rehearsal-of.ts';

const Figures = ({ rehearsal: { requests, refused, allowed } }: { rehearsal: Rehearsal }) => (
  <dl className={styles.figures}>
    <div>
      <dd>{requests.toLocaleString('en')}</dd>
      <dt>requests looked at</dt>
    </div>
    <div className={refused > 0 ? styles.refused : undefined}>
      <dd>{refused.toLocaleString('en')}</dd>
      <dt>now refused</dt>
    </div>
    <div className={allowed > 0 ? styles.allowed : undefined}>
      <dd>{allowed.toLocaleString('en')}</dd>
      <dt>now allowed</dt>
    </div>
  </dl>
);

const Decision = ({ of }: { of: string }) => (
  <span className={of === 'allowed' ? styles.yes : styles.no}>{of}</span>
);

const columnsWith = (nickname: (resource: string) => string) => [
  {
    title: 'When',
    cell: (change: Change) => (
      <Link to={entryAddress(change)} className={styles.when}>
        <When at={change.time} />
      </Link>
    ),
  },
  { title: 'Who', cell: ({ actor }: Change) => <strong>{actor}</strong> },
  {
    title: 'Action',
    cell: ({ action }: Change) => (
      <code>
        <Breakable text={action} />
      </code>
    ),
  },
  { title: 'On', cell: ({ resource }: Change) => <Breakable text={nickname(resource)} /> },
  {
    title: 'Decision',
    cell: ({ was, would_be, why }: Change) => (
      <>
        <span className={styles.decision}>
          <Decision of={was} /> →{' '}
          <strong>
            <Decision of={would_be} />
          </strong>
        </span>{' '}
        <span className={styles.why}>{why}</span>
      </>
    ),
  },
];

const Note = ({ text }: { text: string }) => (text === '' ? null : <p className={styles.note}>{text}</p>);

const shownRows = 100;

const Changes = ({ rehearsal }: { rehearsal: Rehearsal }) => {
  const stacks = useStackNames();
  const nickname = (resource: string): string =>
    stacks.find(({ value }) => value === resource)?.label ?? resource;
  if (rehearsal.changes.length === 0)
    return (
      <p className={styles.note}>
        {rehearsal.requests === 0
          ? 'Nobody sent a request in this time, so there is nothing to compare. Choose more days or other people.'
          : 'The draft decides every one of these requests as it was decided then.'}
      </p>
    );
  return (
    <>
      <Table
        label="Requests with another decision"
        columns={columnsWith(nickname)}
        rows={rehearsal.changes.slice(0, shownRows)}
        keyOf={({ number }) => String(number)}
      />
      <p className={styles.note}>
        {rehearsal.changes.length > shownRows && `The newest ${shownRows} are shown. `}
        Each line opens the audit entry it came from. Nothing is changed until you save.
      </p>
    </>
  );
};

const Choice = ({ of, days, choose, people }: ChosenRehearsal & { people: readonly Person[] }) => (
  <div className={styles.choice}>
    <label>
      last{' '}
      <select value={days} onChange={(event) => choose({ days: event.target.value })}>
        {withValue(['1', '7', '30', '90'], String(days)).map(({ value }) => (
          <option key={value} value={value}>
            {value === '1' ? 'day' : `${value} days`}
          </option>
        ))}
      </select>
    </label>
    <label>
      of{' '}
      <select value={of} onChange={(event) => choose({ of: event.target.value })}>
        {withValue(choices(people), of).map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </label>
  </div>
);

const commandOf = ({ of, days }: ChosenRehearsal): string =>
  `alm rbac rehearse --scope scope.json --days ${days}${isOneUser(of) ? ` --user ${word(of, 'name')}` : ''}`;

/** `alm` counts the scope as the only role. Says how it counts what the card counts, where that differs. */
function noteOf({ of, cast }: ChosenRehearsal): string {
  if (cast === null) return '';
  const hasOtherRoles = cast.some(({ otherScopes }) => otherScopes.length > 0);
  const others = 'add the statements of the other roles to scope.json';
  if (isOneUser(of))
    return hasOtherRoles ? `The command counts the scope as the only role of ${of}: ${others}.` : '';
  return `The command counts the scope as the only role of everybody. For the figures above, run it with --user for each who has the role${hasOtherRoles ? `, and ${others}` : ''}.`;
}

interface RehearsalCardProps {
  rehearsing: ChosenRehearsal;
  people: readonly Person[];
}

/** What the draft would have decided about the requests that people really sent. */
export const RehearsalCard = ({ rehearsing, people }: RehearsalCardProps) => {
  const { rehearsal, error, missing } = rehearsing;
  return (
    <Card flush title="Rehearsal on real requests" aside={<Choice {...rehearsing} people={people} />}>
      <div aria-live="polite" aria-busy={!rehearsal && !error && !missing}>
        {error && <ErrorCard error={error} />}
        {missing && <p className={styles.note}>{missing} Then the draft is rehearsed.</p>}
        {!rehearsal && !error && !missing && <Loading what="the rehearsal" />}
        {rehearsal && (
          <>
            <Figures rehearsal={rehearsal} />
            <Changes rehearsal={rehearsal} />
          </>
        )}
      </div>
      <div className={styles.command}>
        <AsCommand command={commandOf(rehearsing)} />
      </div>
      <Note text={noteOf(rehearsing)} />
    </Card>
  );
};
