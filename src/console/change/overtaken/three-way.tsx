import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { StackSummary } from '../../../contract/v3/schemas/stack-summary.ts';
import type { describeTemplate } from '../../../contract/v3/versions.ts';
import { call } from '../../api/call.ts';
import { readTemplate, writeTemplate } from '../../editor/convert.ts';
import type { Draft } from '../../editor/draft.ts';
import { TextDifference } from '../../editor/lazy-difference.tsx';
import { Button } from '../../parts/acts/button.tsx';
import { Dialog, DialogActions } from '../../parts/messages/dialog.tsx';
import { Loading } from '../../parts/messages/empty.tsx';
import { ErrorCard } from '../../parts/messages/error-card.tsx';
import { When } from '../../parts/reading/when.tsx';
import styles from '../change.module.css';
import { type Merged, mergeThree } from './merge-three.ts';

const readVersion = (stackId: string, versionId: string, signal: AbortSignal): Promise<unknown> =>
  call<typeof describeTemplate>('GET', '/v3/alm/template/{stack_id}', {
    params: { stack_id: stackId },
    query: { version_id: versionId },
    signal,
  });

interface Three extends Merged {
  base: unknown;
  mine: unknown;
  theirs: unknown;
}

function useThree(draft: Draft, stack: StackSummary) {
  const { stack_id: id, version } = stack;
  return useQuery({
    queryKey: ['three-way', id, draft.base, version.version_id, draft.text],
    queryFn: async ({ signal }): Promise<Three> => {
      const [base, theirs, mine] = await Promise.all([
        readVersion(id, draft.base ?? version.version_id, signal),
        readVersion(id, version.version_id, signal),
        readTemplate(draft.text, draft.format),
      ]);
      return { base, theirs, mine, ...mergeThree({ base, theirs, mine }) };
    },
  });
}

type Choice = 'combine' | 'mine' | 'theirs';

interface ChoicesProps {
  conflicts: readonly string[];
  choice: Choice;
  onChoose: (choice: Choice) => void;
}

const Choices = ({ conflicts, choice, onChoose }: ChoicesProps) => {
  const options: readonly { value: Choice; label: string; about: string }[] = [
    {
      value: 'combine',
      label: 'Combine both',
      about:
        conflicts.length > 0
          ? `Where both changed the same, yours wins: ${conflicts.join(', ')}.`
          : 'You changed different places.',
    },
    { value: 'mine', label: 'Keep my text', about: 'Applying it undoes what they changed.' },
    { value: 'theirs', label: 'Take theirs', about: 'Your changes are discarded.' },
  ];
  return (
    <fieldset className={styles.choices}>
      <legend className="unseen">What to go on with</legend>
      {options.map(({ value, label, about }) => (
        <label key={value}>
          <input type="radio" name="choice" checked={choice === value} onChange={() => onChoose(value)} />
          <span>
            {label}
            <small>{about}</small>
          </span>
        </label>
      ))}
    </fieldset>
  );
};

interface ThreeWayProps {
  draft: Draft;
  stack: StackSummary;
  onChoose: (changes: Partial<Draft>) => void;
  onClose: () => void;
}

/** Another user applied a version in between: theirs, mine and the common one, and what to go on with. */
export const ThreeWay = ({ draft, stack, onChoose, onClose }: ThreeWayProps) => {
  const { data, error, refetch } = useThree(draft, stack);
  const [choice, setChoice] = useState<Choice>('combine');
  const { format } = draft;
  const go = (three: Three): void => {
    const texts: Record<Choice, () => string> = {
      combine: () => writeTemplate(three.document, format),
      mine: () => draft.text,
      theirs: () => writeTemplate(three.theirs, format),
    };
    const changes = { text: texts[choice](), base: stack.version.version_id };
    onChoose(choice === 'theirs' ? { ...changes, omitted: 0 } : changes);
  };
  return (
    <Dialog title="Another user changed the stack" wide onClose={onClose}>
      {error && <ErrorCard error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading what="both versions" />}
      {data && (
        <div className={styles.three}>
          <p>
            {stack.version.created_by} applied “{stack.version.label || 'no label'}”{' '}
            <When at={stack.version.last_modified} />, after you began. Nothing of yours was applied.
          </p>
          <Sides three={data} format={format} />
          <Choices conflicts={data.conflicts} choice={choice} onChoose={setChoice} />
          <DialogActions>
            <Button onClick={onClose}>Back to the text</Button>
            <Button look="main" onClick={() => go(data)}>
              Go on with this
            </Button>
          </DialogActions>
        </div>
      )}
    </Dialog>
  );
};

const Sides = ({ three, format }: { three: Three; format: Draft['format'] }) => {
  const text = (value: unknown): string => writeTemplate(value, format);
  const common = { before: text(three.base), format, split: false };
  return (
    <>
      <section>
        <h3>What they changed</h3>
        <TextDifference label="What they changed" {...common} after={text(three.theirs)} />
      </section>
      <section>
        <h3>What you changed</h3>
        <TextDifference label="What you changed" {...common} after={text(three.mine)} />
      </section>
    </>
  );
};
