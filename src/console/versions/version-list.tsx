import type { SuccessOf } from '../../contract/route.ts';
import type { listVersions } from '../../contract/v3/versions.ts';
import { Card } from '../parts/page/card.tsx';
import { span } from '../parts/reading/time-words.ts';
import { When } from '../parts/reading/when.tsx';
import type { Tone } from '../parts/status/status.ts';
import { Phase, Pill } from '../parts/status/status-phase.tsx';
import { type Outcome, outcomeOf } from '../stack/data/event-list.ts';
import { useEvents } from '../stack/data/follow-stack.ts';
import styles from './versions.module.css';

export type Version = SuccessOf<typeof listVersions>[number];

const looks: Readonly<Record<Outcome['end'], readonly [tone: Tone, words: string]>> = {
  complete: ['good', 'took'],
  failed: ['bad', 'failed after'],
  left: ['none', 'ended early: cancelled, or replaced by the next request'],
  running: ['work', 'in progress'],
};

/** The version that the stack should have: it may not have it yet, or not any more. */
const Current = ({ status, isBack }: { status: string; isBack: boolean }) => {
  if (isBack) return <Pill tone="good">in force again</Pill>;
  if (status.startsWith('DELETE_'))
    return status.endsWith('_FAILED') ? (
      <Pill tone="bad">partly deleted</Pill>
    ) : (
      <Pill tone="work">being deleted</Pill>
    );
  if (status.endsWith('_FAILED')) return <Pill tone="bad">not reached</Pill>;
  if (status.endsWith('_IN_PROGRESS')) return <Pill tone="work">being applied</Pill>;
  return <Pill tone="good">in force</Pill>;
};

const inWords = ({ end, took }: Outcome): string =>
  took === null ? looks[end][1] : `${looks[end][1]} ${span(took)}`;

interface VersionListProps {
  stackId: string;
  status: string;
  /** Whether the current version is the copy of an earlier one, because the one before it failed. */
  isBack: boolean;
  versions: readonly Version[];
  current: string;
  from: string;
  to: string;
  onPick: (side: 'from' | 'to', versionId: string) => void;
}

/** All versions, newest first. Each can be either side of the comparison. */
export const VersionList = (props: VersionListProps) => {
  const { stackId, status, isBack, versions, current, from, to, onPick } = props;
  const events = useEvents(stackId);
  return (
    <Card flush title="Choose two to compare" aside="before · after">
      <ul className={styles.list}>
        {versions.map(({ version_id: id, label, created_by, last_modified, cause }) => {
          const outcome = outcomeOf(events, id);
          return (
            <li key={id} className={styles.version} data-picked={id === from || id === to}>
              <div>
                {outcome && <Phase tone={looks[outcome.end][0]} size={14} />}
                <strong>{label || <code>{id}</code>}</strong>
                {id === current && <Current status={status} isBack={isBack} />}
                <small>
                  {created_by} · <When at={last_modified} />
                  {outcome && ` · ${inWords(outcome)}`}
                </small>
                {cause && <small>{cause}</small>}
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
          );
        })}
      </ul>
    </Card>
  );
};
