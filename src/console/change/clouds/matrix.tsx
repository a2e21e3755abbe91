import { Table } from '../../lists/table.tsx';
import { Pill } from '../../parts/status/status-phase.tsx';
import { type Cloud, memberLines, tones } from './report.ts';

/** A line for each member of the template, a column for each cloud. */
export const Matrix = ({ clouds }: { clouds: readonly Cloud[] }) => (
  <Table
    label="What becomes of the template on each cloud"
    columns={[
      { title: 'Member', cell: ({ words, key }) => (key === 'all' ? <strong>{words}</strong> : words) },
      ...clouds.map(({ vendor }) => ({
        title: vendor,
        cell: ({ results }: ReturnType<typeof memberLines>[number]) => {
          const result = results[vendor];
          return result ? <Pill tone={tones[result]}>{result}</Pill> : '–';
        },
      })),
    ]}
    rows={memberLines(clouds)}
    keyOf={({ key }) => key}
  />
);
