import type { SuccessOf } from '../../../contract/route.ts';
import type { readDrift } from '../../../contract/v3/cloud/drift.ts';
import { Table } from '../../lists/table.tsx';
import { Card, Row } from '../../parts/page/card.tsx';
import { Pill } from '../../parts/status/status-phase.tsx';
import styles from './differences.module.css';

export type Found = SuccessOf<typeof readDrift>;

/** Longer texts are broken anywhere, so that the others of the table keep their room. */
const longestWhole = 40;

const Value = ({ text }: { text: string }) =>
  text === '' ? (
    <span className={styles.nothing}>nothing</span>
  ) : (
    <code className={text.length <= longestWhole ? styles.whole : ''}>{text}</code>
  );

const unknownChange = 'The resource differs. The vendor does not say in what.';

/** What differs, by resource. */
export const Differences = ({ drift }: { drift: Found }) =>
  drift.resources.map(({ resource, resource_type, kind, members }) => (
    <Card
      key={resource}
      title={resource}
      aside={
        <Row>
          {resource_type} <Pill tone="warn">{kind === 'deleted' ? 'Deleted' : 'Changed'}</Pill>
        </Row>
      }
      flush={members.length > 0}
    >
      {members.length === 0 ? (
        <p>{kind === 'deleted' ? 'The resource no longer exists at the vendor.' : unknownChange}</p>
      ) : (
        <Table
          label={`Differences of ${resource}`}
          rows={members}
          keyOf={(member) => member.path}
          columns={[
            { title: 'Member', cell: (member) => <Value text={member.path} /> },
            { title: 'Expected', cell: (member) => <Value text={member.expected} /> },
            { title: 'Actual', cell: (member) => <Value text={member.actual} /> },
          ]}
        />
      )}
    </Card>
  ));

/** What putting everything back asks the vendor for. */
export const Effects = ({ drift }: { drift: Found }) => (
  <ul className={styles.effects}>
    {drift.resources.flatMap(({ resource, kind, members }) =>
      members.length === 0
        ? [
            <li key={resource}>
              {resource}: {kind === 'deleted' ? 'made again' : 'as the template says'}
            </li>,
          ]
        : members.map(({ path, expected, actual }) => (
            <li key={resource + path}>
              {resource} <code>{path}</code>: <del>{actual || 'nothing'}</del> →{' '}
              <ins>{expected || 'nothing'}</ins>
            </li>
          )),
    )}
  </ul>
);
