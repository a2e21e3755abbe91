import type { RefObject } from 'react';
import type { StackSummary } from '../../contract/v3/schemas/stack-summary.ts';
import type { Tone } from '../parts/status/status.ts';
import { Phase } from '../parts/status/status-phase.tsx';
import { filterFields, inView, type View, views } from './filter.ts';
import styles from './filter-bar.module.css';

const looks: Readonly<Record<View, { label: string; tone: Tone | null }>> = {
  all: { label: 'All', tone: null },
  attention: { label: 'Needs attention', tone: 'bad' },
  working: { label: 'Working', tone: 'work' },
  drifted: { label: 'Drifted', tone: 'warn' },
};

interface FilterBarProps {
  rows: readonly StackSummary[];
  view: View;
  filter: string;
  onChange: (changes: Record<string, string | undefined>) => void;
  field: RefObject<HTMLInputElement | null>;
}

export const FilterBar = ({ rows, view, filter, onChange, field }: FilterBarProps) => (
  <div className={styles.bar}>
    <div role="group" aria-label="View" className={styles.views}>
      {views.map((each) => {
        const { label, tone } = looks[each];
        return (
          <button
            key={each}
            type="button"
            aria-pressed={each === view}
            onClick={() => onChange({ view: each === 'all' ? undefined : each })}
          >
            {tone && <Phase tone={tone} size={13} />}
            {label} <span>{inView(rows, each).length}</span>
          </button>
        );
      })}
    </div>
    <input
      ref={field}
      type="search"
      className={styles.field}
      aria-label={`Filter by name, or by ${filterFields.join(', ')}`}
      placeholder="Filter by name, vendor:aws, by:ann …"
      value={filter}
      onChange={(event) => onChange({ filter: event.target.value })}
      onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
    />
  </div>
);
