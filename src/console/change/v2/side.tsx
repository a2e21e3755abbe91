import type { StackSummary } from '../../../contract/v3/schemas/stack-summary.ts';
import { writeJson } from '../../editor/write-yaml.ts';
import { Table } from '../../lists/table.tsx';
import { Button } from '../../parts/acts/button.tsx';
import { AsCommand } from '../../parts/acts/copy.tsx';
import { Card } from '../../parts/page/card.tsx';
import { Phase } from '../../parts/status/status-phase.tsx';
import styles from '../change.module.css';
import { Checks } from '../checks.tsx';
import type { DraftState } from '../draft-state.ts';
import { Duration } from '../duration.tsx';
import { commandOf, isSecretName, type MemberChange } from './changes.ts';

const inWords = (name: string, value: unknown): string => {
  if (value === undefined) return 'not set';
  if (isSecretName(name)) return 'a new secret';
  return typeof value === 'string' ? value : writeJson(value).trim();
};

const columns = [
  { title: 'Parameter', cell: ({ name }: MemberChange) => <code>{name}</code> },
  { title: 'Now', cell: ({ name, before }: MemberChange) => inWords(name, before) },
  { title: 'Then', cell: ({ name, after }: MemberChange) => <strong>{inWords(name, after)}</strong> },
];

const WhatIsSent = ({ changes, stackId }: { changes: readonly MemberChange[]; stackId: string }) => (
  <Card title="What would change">
    {changes.length === 0 ? (
      <p className={styles.quiet}>
        <Phase tone="good" /> No parameter changes.
      </p>
    ) : (
      <Table label="Changed parameters" rows={changes} keyOf={({ name }) => name} columns={columns} />
    )}
    <p className={styles.unknown}>
      API v2 has no preview: which resources the update changes or replaces, and what they cost, is known only
      when it is applied. One that removes data is refused until you say what becomes of it.
    </p>
    <dl className={styles.facts}>
      <dt>Takes</dt>
      <dd>
        <Duration stackId={stackId} api="v2" />
      </dd>
    </dl>
  </Card>
);

interface SideProps {
  stack: StackSummary;
  state: DraftState;
  changes: readonly MemberChange[];
}

/** Everything that is known before an update of API v2, and what is not. */
export const Side = ({ stack, state, changes }: SideProps) => {
  const { version_id: current } = stack.version;
  const isOvertaken = state.draft.base !== current;
  return (
    <div className={styles.side}>
      <WhatIsSent changes={changes} stackId={stack.stack_id} />
      <Checks stack={stack} base={state.draft.base} lostSecrets={state.lostSecrets} />
      {isOvertaken && (
        <Card title="The stack was changed since you began" tone="warn">
          <p>
            The table above compares your text with what is in force now. Parameters of the other update that
            your text does not have would be undone: put them into the text if they should stay.
          </p>
          <Button onClick={() => state.change({ base: current })}>I have looked at it: allow to apply</Button>
        </Card>
      )}
      {changes.length > 0 && <AsCommand command={commandOf(stack.stack_id, changes)} />}
    </div>
  );
};
