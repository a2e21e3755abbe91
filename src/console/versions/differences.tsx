import { useSearchValues } from '../address/search.ts';
import { writeTemplate } from '../editor/convert.ts';
import { TextDifference, useIsWide } from '../editor/lazy-difference.tsx';
import type { Format } from '../editor/written.ts';
import { Table } from '../lists/table.tsx';
import { Button } from '../parts/acts/button.tsx';
import { Card, Row } from '../parts/page/card.tsx';
import { type Compared, diffRows } from './diff-rows.ts';
import styles from './versions.module.css';

const Value = ({ text, side }: { text: string | null; side: 'before' | 'after' }) =>
  text === null ? <span className={styles.none}>none</span> : <code className={styles[side]}>{text}</code>;

export const ByPath = ({ compared }: { compared: Compared }) => {
  const rows = diffRows(compared.diff);
  if (rows.length === 0)
    return (
      <p className={styles.same}>
        Both are the same. Secrets are never compared, because they are never shown.
      </p>
    );
  return (
    <Table
      label="What differs"
      rows={rows}
      keyOf={({ path }) => path}
      columns={[
        { title: 'What differs', cell: ({ path }) => <code>{path.replace(/^configurations\//, '')}</code> },
        { title: 'Before', cell: ({ before }) => <Value text={before} side="before" /> },
        { title: 'After', cell: ({ after }) => <Value text={after} side="after" /> },
      ]}
    />
  );
};

/** The same as text; side by side where there is room. */
export const AsText = ({ compared, format = 'yaml' }: { compared: Compared; format?: Format }) => {
  const isWide = useIsWide();
  const [{ text }, change] = useSearchValues();
  const split = text === 'split';
  return (
    <Card
      flush
      title="Text"
      aside={
        <Row>
          {isWide && (
            <Button small aria-pressed={split} onClick={() => change({ text: split ? undefined : 'split' })}>
              {split ? 'In one column' : 'Side by side'}
            </Button>
          )}
          <span>unchanged lines are folded · secrets are not compared</span>
        </Row>
      }
    >
      <TextDifference
        label="Difference of the texts"
        before={writeTemplate(compared.source, format)}
        after={writeTemplate(compared.target, format)}
        format={format}
        split={split && isWide}
      />
    </Card>
  );
};
