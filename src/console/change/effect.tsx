import { useState } from 'react';
import type { listResources } from '../../contract/v3/cloud/resources.ts';
import { useRead } from '../api/read.ts';
import { Button } from '../parts/acts/button.tsx';
import { Card } from '../parts/page/card.tsx';
import { exists } from '../parts/status/status.ts';
import { Phase } from '../parts/status/status-phase.tsx';
import styles from './change.module.css';
import { Duration } from './duration.tsx';
import {
  type Change,
  costWords,
  countsOf,
  generalWarnings,
  inOrder,
  keyOf,
  stayingWords,
  wordsOf,
} from './effect-words.ts';
import type { Preview, PreviewState } from './preview.ts';

const shownAtFirst = 12;

const ChangeLine = ({ change, data }: { change: Change; data: Preview['data'] }) => {
  const { action, resource, resource_type, members } = change;
  return (
    <li className={styles.line}>
      <div className={styles.changeHead}>
        <span className={`${styles.action} ${styles[action]}`}>{action}</span>
        <strong>{resource}</strong> <span className={styles.type}>{resource_type}</span>
        {members.length > 0 && <code className={styles.members}>{members.join(', ')}</code>}
      </div>
      {wordsOf(change, data).map((text) => (
        <p key={text} className={styles.warning}>
          {text}
        </p>
      ))}
    </li>
  );
};

const Staying = ({ stackId, changes }: { stackId: string; changes: readonly Change[] }) => {
  const params = { stack_id: stackId };
  const { data } = useRead<typeof listResources>('/v3/alm/stack/{stack_id}/resources', { params });
  const existing = data?.resources.filter(exists).map(({ name }) => name);
  return existing && <span className={styles.quiet}>{stayingWords(existing, changes)}</span>;
};

interface PlannedProps {
  preview: Pick<Preview, 'changes' | 'warnings' | 'data'>;
  /** Of a stack that exists: says how much of it stays as it is. */
  stackId?: string | null;
}

/** Every change by resource; those that lose data first. */
const Changes = ({ preview, stackId }: PlannedProps) => {
  const { changes, data } = preview;
  const [all, setAll] = useState(false);
  const ordered = inOrder(preview);
  const shown = all ? ordered : ordered.slice(0, shownAtFirst);
  return (
    <>
      <p className={styles.counts}>
        {countsOf(changes).map(({ action, text }) => (
          <span key={action} className={`${styles.action} ${styles[action]}`}>
            {text}
          </span>
        ))}
        {stackId && <Staying stackId={stackId} changes={changes} />}
      </p>
      <ul>
        {shown.map((change) => (
          <ChangeLine key={keyOf(change)} change={change} data={data} />
        ))}
      </ul>
      {ordered.length > shown.length && (
        <Button small look="quiet" onClick={() => setAll(true)}>
          Show all {ordered.length}
        </Button>
      )}
    </>
  );
};

/** What the preview says will be done, and what it does not know. */
export const Planned = (props: PlannedProps) => (
  <>
    {generalWarnings(props.preview).map((warning) => (
      <p key={warning} className={styles.warning}>
        {warning}
      </p>
    ))}
    {props.preview.changes.length === 0 ? (
      <p className={styles.quiet}>
        <Phase tone="good" /> No resource changes.
      </p>
    ) : (
      <Changes {...props} />
    )}
  </>
);

const Facts = ({ preview, stackId }: { preview: Preview; stackId: string | null }) => (
  <dl className={styles.facts}>
    <dt>Takes</dt>
    <dd>
      <Duration stackId={stackId} />
    </dd>
    <dt>Costs</dt>
    <dd>
      {costWords(preview.cost)}
      {preview.cost.notes.length > 0 && <small>{preview.cost.notes.join(' ')}</small>}
    </dd>
  </dl>
);

interface EffectProps {
  state: PreviewState;
  stackId: string | null;
}

const aside = ({ isCurrent, isPending, preview }: PreviewState): string => {
  if (isPending) return 'checking …';
  return isCurrent || !preview ? '' : 'of your last good text';
};

/** What applying would do, before it is done. Keeps that of the last good text. */
export const Effect = ({ state, stackId }: EffectProps) => (
  <Card title="What would happen" aside={<span role="status">{aside(state)}</span>}>
    {state.preview ? (
      <>
        <Planned preview={state.preview} stackId={stackId} />
        <Facts preview={state.preview} stackId={stackId} />
      </>
    ) : (
      <p className={styles.quiet}>
        {state.problems.length > 0
          ? 'Fix the problems in the text, and the changes are shown here. Nothing is changed until you apply.'
          : 'The changes are shown here as soon as the text is complete. Nothing is changed until you apply.'}
      </p>
    )}
  </Card>
);
