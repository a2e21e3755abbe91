import type { SuccessOf } from '../../contract/route.ts';
import type { listVersions } from '../../contract/v3/versions.ts';
import { Card } from '../parts/page/card.tsx';
import { When } from '../parts/reading/when.tsx';
import { Pill } from '../parts/status/status-phase.tsx';
import styles from './versions.module.css';

export type Version = SuccessOf<typeof listVersions>[number];

interface VersionListProps {
  versions: readonly Version[];
  current: string;
  from: string;
  to: string;
  onPick: (side: 'from' | 'to', versionId: string) => void;
}

/** All versions, newest first. Each can be either side of the comparison. */
export const VersionList = ({ versions, current, from, to, onPick }: VersionListProps) => (
  <Card flush title="Choose two to compare" aside="before · after">
    <ul className={styles.list}>
      {versions.map(({ version_id: id, label, created_by, last_modified }) => (
        <li key={id} className={styles.version} data-picked={id === from || id === to}>
          <div>
            <strong>{label || <code>{id}</code>}</strong>
            {id === current && <Pill tone="good">in force</Pill>}
            <small>
              {created_by} · <When at={last_modified} />
            </small>
          </div>
          {(['from', 'to'] as const).map((side) => (
            <label key={side} className={styles.pick}>
              <span className="unseen">
                {side === 'from' ? 'Before' : 'After'}: {label || id}
              </span>
              <input
                type="radio"
                name={side}
                checked={id === (side === 'from' ? from : to)}
                onChange={() => onPick(side, id)}
              />
            </label>
          ))}
        </li>
      ))}
    </ul>
  </Card>
);
