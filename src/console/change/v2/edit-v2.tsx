import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import type { describeV2Stack } from '../../../contract/v2/stacks.ts';
import type { StackSummary } from '../../../contract/v3/schemas/stack-summary.ts';
import { addressOf, pages } from '../../address/pages.ts';
import { readAgain, useRead } from '../../api/read.ts';
import { Asked } from '../../data/ask.tsx';
import { questionOf } from '../../data/question.ts';
import { CodeEditor } from '../../editor/code-editor.tsx';
import { writeTemplate } from '../../editor/convert.ts';
import type { Problem } from '../../editor/locate.ts';
import type { Schema } from '../../editor/schema.ts';
import { Act } from '../../parts/acts/button.tsx';
import { Loading } from '../../parts/messages/empty.tsx';
import { ErrorCard } from '../../parts/messages/error-card.tsx';
import { announce } from '../../parts/messages/toast.tsx';
import { Card } from '../../parts/page/card.tsx';
import { Page } from '../../parts/page/page.tsx';
import { NoData } from '../../parts/reading/answer.tsx';
import { whyNoUpdate } from '../../parts/status/status.ts';
import styles from '../change.module.css';
import { applyAction } from '../checks.tsx';
import { Discard } from '../discard.tsx';
import { type DraftState, keptWords, type Start, useDraft } from '../draft-state.ts';
import { FormatSwitch } from '../format-switch.tsx';
import { isStill } from '../order.ts';
import { useConfigurationSchema } from '../vocabulary.ts';
import { problemsOf, useV2Apply } from './apply.ts';
import {
  type Configuration,
  changesOf,
  commandOf,
  editable,
  type MemberChange,
  readable,
} from './changes.ts';
import { type ReadText, useReadText } from './read-text.ts';
import { Side } from './side.tsx';

interface EditingProps {
  stack: StackSummary;
  start: Start;
  /** The parameters that are in force now. */
  inForce: Configuration;
  owner: string;
}

interface Ready {
  read: ReadText;
  changes: readonly MemberChange[];
  /** The service has refused this text. */
  isRefused: boolean;
}

function whyOff({ read, changes, isRefused }: Ready): string | undefined {
  if (read.problems.length > 0) return 'The text cannot be read: see the marked line.';
  if (isRefused) return 'The service does not accept the text: see the marked lines.';
  if (!read.isCurrent) return 'The text is being read.';
  return changes.length === 0 ? 'Nothing is changed yet.' : undefined;
}

/** Applies the text, and knows what the answer asks for. */
function useApplying(stack: StackSummary, state: DraftState, changes: readonly MemberChange[]) {
  const [, navigate] = useLocation();
  const { stack_id: stackId } = stack;
  const apply = useV2Apply(({ draft }, version) => {
    const isTypedSince = state.taken(draft, { stack_id: stackId, version_id: version ?? draft.base ?? '' });
    announce(
      isTypedSince
        ? 'The update has started. What you typed since is kept as a draft'
        : 'The update has started',
    );
    if (!isTypedSince) navigate(addressOf(pages.stack, { id: stackId }));
  });
  const { variables: sent } = apply;
  const isOfThisText = sent !== undefined && isStill(sent.draft, state.draft);
  return {
    apply,
    problems: isOfThisText ? problemsOf(apply.error) : [],
    send: () => {
      if (!apply.isPending) apply.mutate({ draft: state.draft, stackId, changes });
    },
  };
}

type Applying = ReturnType<typeof useApplying>;

const Failed = ({ apply, problems }: Applying) =>
  apply.error && !questionOf(apply.error) && problems.length === 0 ? <ErrorCard error={apply.error} /> : null;

const Question = ({ apply }: Applying) => {
  const { stackId = '', changes = [] } = apply.variables ?? {};
  return <Asked of={apply} command={(word) => commandOf(stackId, changes, word)} />;
};

interface TextProps {
  nickname: string;
  schema: Schema | null;
  state: DraftState;
  problems: readonly Problem[];
}

const Text = ({ nickname, schema, state, problems }: TextProps) => {
  const { text, format } = state.draft;
  return (
    <Card flush>
      <CodeEditor
        label={`Parameters of ${nickname}`}
        text={text}
        format={format}
        schema={schema}
        problems={problems}
        onChange={(changed) => state.change({ text: changed })}
      >
        <FormatSwitch text={text} format={format} onConvert={state.change} />
      </CodeEditor>
    </Card>
  );
};

interface ActionsProps {
  stackId: string;
  state: DraftState;
  applying: Applying;
  off: string | undefined;
  onDiscard: () => void;
}

const Actions = ({ stackId, state, applying, off, onDiscard }: ActionsProps) => {
  const { isPending } = applying.apply;
  return (
    <>
      <Discard off={state.isChanged ? undefined : 'There is nothing to discard.'} onDiscard={onDiscard} />
      <Act
        look="main"
        action={applyAction(stackId)}
        stackId={stackId}
        off={isPending ? 'The request is on its way.' : off}
        onClick={applying.send}
      >
        {isPending ? 'Applying …' : 'Apply'}
      </Act>
    </>
  );
};

const aboutOf = ({ isChanged, kept }: DraftState): string =>
  `Parameters of API v2${isChanged ? ` · ${keptWords[kept]}` : ''}`;

/** Mounted once per stack: what arrives later does not touch the draft. */
const Editing = ({ stack, start, inForce, owner }: EditingProps) => {
  const { stack_id: id, nickname } = stack;
  const schema = useConfigurationSchema();
  const state = useDraft({ owner, of: id }, start, schema);
  const read = useReadText(state.draft);
  const changes = read.configuration ? changesOf(inForce, read.configuration) : [];
  const applying = useApplying(stack, state, changes);
  const off =
    whyNoUpdate(stack.stack_status) ?? whyOff({ read, changes, isRefused: applying.problems.length > 0 });
  const discard = (): void => {
    const { format } = state.draft;
    applying.apply.reset();
    state.begin({ text: writeTemplate(readable(inForce), format), format, base: stack.version.version_id });
  };
  return (
    <Page
      title={`Edit ${nickname}`}
      about={aboutOf(state)}
      above={[
        { to: addressOf(pages.stacks), label: 'Stacks' },
        { to: addressOf(pages.stack, { id }), label: nickname },
      ]}
      actions={<Actions stackId={id} state={state} applying={applying} off={off} onDiscard={discard} />}
    >
      <Failed {...applying} />
      <div className={styles.columns}>
        <Text
          nickname={nickname}
          schema={schema}
          state={state}
          problems={read.problems.length > 0 ? read.problems : applying.problems}
        />
        <Side stack={stack} state={state} changes={changes} />
      </div>
      <Question {...applying} />
    </Page>
  );
};

/** What is in force, also after another user changed it. */
function useInForce({ stack_id, version }: StackSummary) {
  const params = { stack_id };
  const found = useRead<typeof describeV2Stack>('/v2/alm/stack/{stack_id}', {
    params,
    query: { view: 'details' },
  });
  const { version_id: current } = version;
  useEffect(() => {
    if (current) void readAgain('/v2/alm/stack/{stack_id}', { stack_id });
  }, [current, stack_id]);
  return found;
}

/** Edits the parameters of a stack of API v2, through the routes of API v2. */
export const EditV2 = ({ stack, owner }: Pick<EditingProps, 'stack' | 'owner'>) => {
  const [first] = useState(stack.version.version_id);
  const { data, error, refetch } = useInForce(stack);
  if (error && !data) return <NoData error={error} what="the parameters" onRetry={() => void refetch()} />;
  const [found] = data ?? [];
  if (!found) return <Loading what="the parameters" />;
  const inForce = editable(found.configuration as Configuration);
  const start: Start = { text: writeTemplate(readable(inForce), 'yaml'), format: 'yaml', base: first };
  return <Editing stack={stack} start={start} inForce={inForce} owner={owner} />;
};
