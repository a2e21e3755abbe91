import { Link } from 'wouter';
import { useStackNames } from '../access/explain/may-they.tsx';
import { addressOf, pages } from '../address/pages.ts';
import { useSearchValues } from '../address/search.ts';
import { serviceAddress } from '../api/base.ts';
import { Table } from '../lists/table.tsx';
import { LinkButton } from '../parts/acts/button.tsx';
import { Empty } from '../parts/messages/empty.tsx';
import { Card, Row, Stack } from '../parts/page/card.tsx';
import { Page } from '../parts/page/page.tsx';
import { Answer } from '../parts/reading/answer.tsx';
import { MasterOnly } from '../parts/reading/master-only.tsx';
import { When } from '../parts/reading/when.tsx';
import { Pill } from '../parts/status/status-phase.tsx';
import styles from './audit.module.css';
import { CheckCard } from './check-card.tsx';
import { type Entry, useEntries } from './entries.ts';
import { EntryCard } from './entry-card.tsx';
import { FilterBar } from './filter-bar.tsx';
import { entryAddress, filtersOf, type Search } from './filters.ts';

const Result = ({ entry: { decision, status } }: { entry: Entry }) => {
  if (decision === 'denied') return <Pill tone="bad">Denied {status}</Pill>;
  return <Pill tone={status < 400 ? 'good' : 'warn'}>{status < 400 ? 'Allowed' : `Failed ${status}`}</Pill>;
};

const columnsWith = (nickname: (resource: string) => string) => [
  {
    title: 'When',
    cell: (entry: Entry) => (
      <Link to={entryAddress(entry)} aria-label={`Entry ${entry.number}`}>
        <When at={entry.time} />
      </Link>
    ),
  },
  {
    title: 'Who',
    cell: ({ actor, actor_kind }: Entry) => (
      <>
        <strong>{actor}</strong> {actor_kind !== 'user' && <small>{actor_kind}</small>}
      </>
    ),
  },
  {
    title: 'Action',
    cell: ({ action, route }: Entry) => (
      <span className={styles.action}>
        <code>{action}</code>
        {!action.includes(':') && <small>{route}</small>}
      </span>
    ),
  },
  { title: 'On', cell: ({ resource }: Entry) => <span className={styles.on}>{nickname(resource)}</span> },
  { title: 'Result', cell: (entry: Entry) => <Result entry={entry} /> },
  { title: 'From', cell: ({ address }: Entry) => <code>{address}</code> },
];

const Entries = ({ entries }: { entries: readonly Entry[] }) => {
  const stacks = useStackNames();
  const nickname = (resource: string): string =>
    stacks.find(({ value }) => value === resource)?.label ?? resource;
  if (entries.length === 0)
    return <Empty title="No entries">Nothing in the log matches these filters. Widen them.</Empty>;
  return (
    <Table
      label="Audit log"
      columns={columnsWith(nickname)}
      rows={entries}
      keyOf={({ number }) => String(number)}
    />
  );
};

const Pages = ({ search, next }: { search: Search; next: string | null }) => (
  <Row spread>
    <span>
      {search['cursor'] && (
        <LinkButton
          small
          to={addressOf(pages.audit, null, { ...search, cursor: undefined, entry: undefined })}
        >
          Newest
        </LinkButton>
      )}
    </span>
    {next && (
      <LinkButton small to={addressOf(pages.audit, null, { ...search, cursor: next, entry: undefined })}>
        Older
      </LinkButton>
    )}
  </Row>
);

const Export = ({ search }: { search: Search }) => {
  const query = new URLSearchParams(Object.entries(filtersOf(search)).map(([k, v]) => [k, String(v)]));
  return (
    <a
      className={styles.export}
      href={`${serviceAddress()}/v3/audit/export?${query.toString()}`}
      download="audit.jsonl"
    >
      Export
    </a>
  );
};

const Audit = () => {
  const [search, change] = useSearchValues();
  const log = useEntries(search);
  return (
    <Page
      title="Audit log"
      about="Every call by a known user, client or stack: changes, reads and refusals."
      actions={<Export search={search} />}
    >
      <Stack>
        <FilterBar search={search} change={change} />
        <Answer of={log} what="the audit log">
          {({ entries, next }) => {
            const shown = entries.find(({ number }) => String(number) === search['entry']);
            return (
              <>
                {shown && <EntryCard entry={shown} onClose={() => change({ entry: undefined })} />}
                <Card flush>
                  <Entries entries={entries} />
                </Card>
                <Pages search={search} next={next} />
              </>
            );
          }}
        </Answer>
        <CheckCard search={search} />
      </Stack>
    </Page>
  );
};

const AuditScreen = () => (
  <MasterOnly title="Audit log" to="see the audit log">
    <Audit />
  </MasterOnly>
);

export default AuditScreen;
