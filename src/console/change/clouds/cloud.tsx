import { Pill } from '../../parts/status/status-phase.tsx';
import styles from './clouds.module.css';
import {
  becomesWords,
  type Cloud,
  type CloudRow,
  kindWord,
  memberWords,
  summaryOf,
  tones,
} from './report.ts';

type LineOf = (path: string) => number;

const Member = ({ row, lineOf }: { row: CloudRow; lineOf: LineOf }) => {
  const becomes = becomesWords(row);
  return (
    <li className={styles.member}>
      <div className={styles.memberHead}>
        <strong>{memberWords(row)}</strong>
        <Pill tone={tones[row.result]}>{row.result}</Pill>
      </div>
      {becomes !== '' && <p className={styles.becomes}>{becomes}</p>}
      <ul>
        {row.notes.map(({ kind, path, message }) => (
          <li key={`${kind} ${path} ${message}`} className={styles.note}>
            <span className={styles[kind]}>{kindWord({ kind })}</span> {message}{' '}
            <small title={path}>line {lineOf(path)}</small>
          </li>
        ))}
      </ul>
    </li>
  );
};

interface CloudProps {
  cloud: Cloud;
  lineOf: LineOf;
  /** Only what is refused or changes: what maps is in the table above. */
  isShort: boolean;
}

/** What one cloud makes of the template, and why. */
export const CloudPart = ({ cloud, lineOf, isShort }: CloudProps) => {
  const { vendor, region, rows, notes } = cloud;
  const shown = isShort ? rows.filter(({ result }) => result === 'refused' || result === 'changes') : rows;
  return (
    <section className={styles.cloud}>
      <h3>
        {vendor}
        <small>
          {region} · {summaryOf(cloud)}
        </small>
      </h3>
      {notes.map((note) => (
        <p key={note} className={styles.about}>
          {note}
        </p>
      ))}
      {shown.length > 0 && (
        <ul>
          {shown.map((row) => (
            <Member key={memberWords(row)} row={row} lineOf={lineOf} />
          ))}
        </ul>
      )}
    </section>
  );
};
