import type { ReactNode } from 'react';
import type { StackSummary } from '../../contract/v3/schemas/stack-summary.ts';
import { Card } from '../parts/page/card.tsx';
import { When } from '../parts/reading/when.tsx';
import { type Tone, whyNoUpdate } from '../parts/status/status.ts';
import { Phase } from '../parts/status/status-phase.tsx';
import { usePermission } from '../session/session.ts';
import styles from './change.module.css';

const Check = ({ tone, children }: { tone: Tone; children: ReactNode }) => (
  <li className={styles.check}>
    <Phase tone={tone} />
    <span>{children}</span>
  </li>
);

const Since = ({ stack, base }: { stack: StackSummary; base: string | null }) =>
  stack.version.version_id === base ? (
    <Check tone="good">Nobody changed the stack since you began</Check>
  ) : (
    <Check tone="bad">
      {stack.version.created_by} applied “{stack.version.label || 'no label'}”{' '}
      <When at={stack.version.last_modified} />, after you began. Applying shows both, and you choose.
    </Check>
  );

const Drift = ({ drift }: { drift: StackSummary['drift'] }) => {
  if (drift?.state === 'drifted')
    return (
      <Check tone="warn">Resources were changed by hand; applying puts back those that it touches</Check>
    );
  if (drift?.state === 'in_sync') return <Check tone="good">No resource was changed by hand</Check>;
  return <Check tone="none">Nobody has checked for changes by hand</Check>;
};

const Working = ({ status }: { status: string }) => {
  if (!status.endsWith('IN_PROGRESS')) return null;
  const deleting = whyNoUpdate(status);
  if (deleting) return <Check tone="bad">{deleting} Nothing can be applied to it.</Check>;
  return <Check tone="warn">An operation is in progress; applying replaces it</Check>;
};

export const applyAction = (stackId: string | null): string =>
  stackId === null ? 'template:createAlmTemplate' : 'template:updateAlmTemplate';

interface ChecksProps {
  stack: StackSummary | null;
  base: string | null;
  lostSecrets: number;
}

/** What a careful person would look at before applying. */
export const Checks = ({ stack, base, lostSecrets }: ChecksProps) => {
  const { allowed, reason } = usePermission(applyAction(stack?.stack_id ?? null), stack?.stack_id);
  return (
    <Card title="Before you apply">
      <ul className={styles.checks}>
        {stack && <Since stack={stack} base={base} />}
        <Check tone={allowed ? 'good' : 'bad'}>{reason || 'Your role allows it'}</Check>
        {stack && <Working status={stack.stack_status} />}
        {stack?.interface === 'v3' && <Drift drift={stack.drift} />}
        {lostSecrets > 0 && (
          <Check tone="warn">
            {lostSecrets === 1 ? 'A secret was' : `${lostSecrets} secrets were`} not kept with the draft:
            enter
            {lostSecrets === 1 ? ' it' : ' them'} again where the value is empty
          </Check>
        )}
      </ul>
    </Card>
  );
};
