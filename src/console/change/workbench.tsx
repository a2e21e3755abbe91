import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import type { StackSummary } from '../../contract/v3/schemas/stack-summary.ts';
import { addressOf, pages } from '../address/pages.ts';
import { hasStatus, NoAnswer } from '../api/failure.ts';
import { Asked } from '../data/ask.tsx';
import { questionOf } from '../data/question.ts';
import { CodeEditor } from '../editor/code-editor.tsx';
import type { Schema } from '../editor/schema.ts';
import { Act } from '../parts/acts/button.tsx';
import { AsCommand } from '../parts/acts/copy.tsx';
import { Loading } from '../parts/messages/empty.tsx';
import { ErrorCard } from '../parts/messages/error-card.tsx';
import { announce } from '../parts/messages/toast.tsx';
import { Card } from '../parts/page/card.tsx';
import { loadedLater } from '../parts/page/loaded-later.ts';
import { Page } from '../parts/page/page.tsx';
import { whyNoUpdate } from '../parts/status/status.ts';
import { reloadStackList } from '../stacks/stack-list.ts';
import { useApply } from './apply.ts';
import styles from './change.module.css';
import { applyAction, Checks } from './checks.tsx';
import { CloudsCard } from './clouds/clouds-card.tsx';
import { Discard } from './discard.tsx';
import type { DraftState } from './draft-state.ts';
import { Effect } from './effect.tsx';
import { FormatSwitch } from './format-switch.tsx';
import { commandOf, isStill, type Order } from './order.ts';
import { type PreviewState, usePreview } from './preview.ts';

/** Few updates are overtaken. */
const ThreeWay = loadedLater(
  async () => ({ default: (await import('./overtaken/three-way.tsx')).ThreeWay }),
  { placeholder: <Loading what="the other version" /> },
);

interface WorkbenchProps {
  title: string;
  about: ReactNode;
  /** Null for a new stack. */
  stack: StackSummary | null;
  schema: Schema | null;
  state: DraftState;
  /** A further act, beside Discard and Apply. */
  act?: ReactNode;
  onDiscard: () => void;
  /** Above the text. */
  children?: ReactNode;
}

interface Ready {
  state: DraftState;
  preview: PreviewState;
  isNew: boolean;
}

/** Why the text cannot be applied yet. */
function whyOff({ state, preview, isNew }: Ready): string | undefined {
  if (state.draft.text.trim() === '') return 'There is no text yet.';
  if (preview.problems.length > 0) return 'The service does not accept the text: see the marked lines.';
  if (!preview.isCurrent)
    return preview.isPending ? 'The text is being checked.' : 'The text could not be checked.';
  return isNew || state.isChanged ? undefined : 'Nothing is changed yet.';
}

const labelOf = ({ problems }: PreviewState, isNew: boolean, busy: boolean): string => {
  if (busy) return 'Applying …';
  if (problems.length > 0)
    return `Fix ${problems.length === 1 ? '1 problem' : `${problems.length} problems`} to apply`;
  return isNew ? 'Create the stack' : 'Apply';
};

/** Applies, and knows which view an answer asks for. */
function useApplying({ stack, state }: Pick<WorkbenchProps, 'stack' | 'state'>) {
  const [, navigate] = useLocation();
  const stackId = stack?.stack_id ?? null;
  const apply = useApply((accepted, { draft }) => {
    const isTypedSince = state.taken(draft, accepted);
    const started = stackId === null ? 'The stack is being created' : 'The update has started';
    announce(isTypedSince ? `${started}. What you typed since is kept as a draft` : started);
    navigate(addressOf(isTypedSince ? pages.edit : pages.stack, { id: accepted.stack_id }));
  });
  const { error, variables: sent } = apply;
  const send = (order: Order): void => {
    if (!apply.isPending) apply.mutate(order);
  };
  return {
    apply,
    isAsked: questionOf(error) !== null,
    isOvertaken: hasStatus(error, 412) && stack !== null && stack.version.version_id !== state.draft.base,
    send: () => send({ draft: state.draft, stackId }),
    /** What was sent, never what was typed since: only its effect was shown. */
    sendAgain: () => {
      if (sent) send(sent);
    },
    isOfThisText: sent !== undefined && isStill(sent.draft, state.draft),
    close: () => {
      apply.reset();
      void reloadStackList();
    },
  };
}

const Failed = ({ apply: { error }, isOfThisText, sendAgain }: Applying) => (
  <>
    <ErrorCard error={error} onRetry={isOfThisText ? () => sendAgain() : undefined} />
    {!isOfThisText && (
      <p className={styles.quiet}>You changed the text since. Apply sends it as it is now.</p>
    )}
    {isOfThisText && error instanceof NoAnswer && (
      <p className={styles.quiet}>The request may have arrived. Trying again is safe: it is applied once.</p>
    )}
  </>
);

type Applying = ReturnType<typeof useApplying>;

interface Parts extends Ready {
  stack: StackSummary | null;
  applying: Applying;
}

const Actions = ({ onDiscard, act, ...parts }: Parts & Pick<WorkbenchProps, 'onDiscard' | 'act'>) => {
  const { stack, state, preview, applying, isNew } = parts;
  const { isPending } = applying.apply;
  return (
    <>
      <Discard off={state.isChanged ? undefined : 'There is nothing to discard.'} onDiscard={onDiscard} />
      {act}
      <Act
        look={preview.problems.length > 0 ? 'danger' : 'main'}
        action={applyAction(stack?.stack_id ?? null)}
        stackId={stack?.stack_id}
        off={
          isPending ? 'The request is on its way.' : (whyNoUpdate(stack?.stack_status ?? '') ?? whyOff(parts))
        }
        onClick={() => applying.send()}
      >
        {labelOf(preview, isNew, isPending)}
      </Act>
    </>
  );
};

const Side = ({ stack, state, preview }: Parts) => {
  const stackId = stack?.stack_id ?? null;
  return (
    <div className={styles.side}>
      {preview.error !== null && <ErrorCard error={preview.error} onRetry={preview.again} />}
      <Effect state={preview} stackId={stackId} />
      <Checks stack={stack} base={state.draft.base} lostSecrets={state.lostSecrets} />
      <AsCommand command={commandOf({ stackId, draft: state.draft })} />
    </div>
  );
};

/** What the service asks back. */
const Questions = ({ stack, state, applying }: Parts) => {
  const { apply, isAsked, isOvertaken, close } = applying;
  const stackId = stack?.stack_id ?? null;
  if (isAsked)
    return (
      <Asked
        of={apply}
        command={(word) => commandOf({ stackId, draft: state.draft, word })}
        onClose={close}
      />
    );
  if (!isOvertaken || !stack) return null;
  const choose = (changes: Parameters<typeof state.change>[0]): void => {
    state.change(changes);
    close();
  };
  return <ThreeWay draft={state.draft} stack={stack} onClose={close} onChoose={choose} />;
};

const pathTo = (stack: StackSummary | null) => [
  { to: addressOf(pages.stacks), label: 'Stacks' },
  ...(stack ? [{ to: addressOf(pages.stack, { id: stack.stack_id }), label: stack.nickname }] : []),
];

/** Text on the left, what it would do on the right. The same for a new stack and for a change. */
export const Workbench = (props: WorkbenchProps) => {
  const { title, about, stack, schema, state, onDiscard, children } = props;
  const { text, format } = state.draft;
  const current = { stackId: stack?.stack_id ?? null, version: stack?.version.version_id ?? null };
  const preview = usePreview({ text, format, ...current });
  const applying = useApplying({ stack, state });
  const parts = { stack, state, preview, applying, isNew: stack === null };
  const { apply, isAsked, isOvertaken } = applying;
  const discard = (): void => {
    apply.reset();
    onDiscard();
  };
  const actions = <Actions {...parts} act={props.act} onDiscard={discard} />;
  return (
    <Page title={title} about={about} actions={actions} above={pathTo(stack)}>
      {apply.error && !isAsked && !isOvertaken && <Failed {...applying} />}
      {children}
      <div className={styles.columns}>
        <Card flush>
          <CodeEditor
            label={stack ? `Template of ${stack.nickname}` : 'Template of the new stack'}
            text={text}
            format={format}
            schema={schema}
            problems={preview.problems}
            onChange={(changed) => state.change({ text: changed })}
          >
            <FormatSwitch text={text} format={format} onConvert={state.change} />
          </CodeEditor>
        </Card>
        <Side {...parts} />
      </div>
      <div className={styles.below}>
        <CloudsCard draft={state.draft} />
      </div>
      <Questions {...parts} />
    </Page>
  );
};
