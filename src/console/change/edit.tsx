import { type ReactNode, useRef, useState } from 'react';
import { useParams } from 'wouter';
import type { StackSummary } from '../../contract/v3/schemas/stack-summary.ts';
import type { describeTemplate } from '../../contract/v3/versions.ts';
import { addressOf, pages } from '../address/pages.ts';
import { useRead } from '../api/read.ts';
import { writeTemplate } from '../editor/convert.ts';
import { LinkButton } from '../parts/acts/button.tsx';
import { Empty, Loading } from '../parts/messages/empty.tsx';
import { NoLongerShown } from '../parts/messages/no-longer-shown.tsx';
import { Page } from '../parts/page/page.tsx';
import { NoData } from '../parts/reading/answer.tsx';
import { When } from '../parts/reading/when.tsx';
import { reloadStackList } from '../stacks/stack-list.ts';
import { CompareDraft } from './compare-draft.tsx';
import { type Kept, keptWords, type Start, useDraft, useOwner } from './draft-state.ts';
import { useSummary } from './stack-summary.ts';
import { EditV2 } from './v2/edit-v2.tsx';
import { useCredentials, useTemplateSchema } from './vocabulary.ts';
import { Workbench } from './workbench.tsx';

interface EditingProps {
  stack: StackSummary;
  start: Start;
  /** The document that is in force now. */
  inForce: unknown;
  owner: string;
}

const About = ({
  stack,
  isChanged,
  kept,
  base,
}: {
  stack: StackSummary;
  isChanged: boolean;
  kept: Kept;
  base: string | null;
}) => (
  <>
    {isChanged && `${keptWords[kept]} · `}
    based on version{' '}
    {base === stack.version.version_id ? (
      <>
        <strong>{stack.version.label || base}</strong>, from <When at={stack.version.last_modified} />
      </>
    ) : (
      <code>{base}</code>
    )}
  </>
);

/** Mounted once per stack: what arrives later does not touch the draft. */
const Editing = ({ stack, start, inForce, owner }: EditingProps) => {
  const schema = useTemplateSchema(useCredentials());
  const state = useDraft({ owner, of: stack.stack_id }, start, schema);
  const { isChanged, kept, draft } = state;
  const discard = (): void =>
    state.begin({
      text: writeTemplate(inForce, draft.format),
      format: draft.format,
      base: stack.version.version_id,
    });
  return (
    <Workbench
      title={`Edit ${stack.nickname}`}
      about={<About stack={stack} isChanged={isChanged} kept={kept} base={draft.base} />}
      stack={stack}
      schema={schema}
      state={state}
      act={
        <CompareDraft
          draft={draft}
          inForce={inForce}
          off={isChanged ? undefined : 'Nothing is changed yet.'}
        />
      }
      onDiscard={discard}
    />
  );
};

/** The page while there is nothing to edit. */
const NoText = ({ children }: { children: ReactNode }) => (
  <Page title="Edit a stack" above={[{ to: addressOf(pages.stacks), label: 'Stacks' }]}>
    {children}
  </Page>
);

const Loaded = ({ stack, owner }: { stack: StackSummary; owner: string }) => {
  const [first] = useState(stack.version.version_id);
  const { data, error, refetch } = useRead<typeof describeTemplate>(
    '/v3/alm/template/{stack_id}',
    {
      params: { stack_id: stack.stack_id },
      query: { version_id: stack.version.version_id },
    },
    { keepPrevious: true },
  );
  if (error && !data)
    return (
      <NoText>
        <NoData error={error} what="the template" onRetry={() => void refetch()} />
      </NoText>
    );
  if (!data) return <Loading what="the template" />;
  const start: Start = { text: writeTemplate(data, 'yaml'), format: 'yaml', base: first };
  return <Editing stack={stack} start={start} inForce={data} owner={owner} />;
};

/** The stack as it was seen last: a text on the screen stays there, whatever happens to the stack and to the roles of the user. */
function useLastSeen(id: string) {
  const { stack: now, ...reading } = useSummary(id);
  const last = useRef(now);
  if (now || last.current?.stack_id !== id) last.current = now;
  return { ...reading, stack: last.current, isGone: now === null };
}

/** An error takes the place of the text only if there is no text yet. */
const Edit = () => {
  const { id } = useParams<{ id: string }>();
  const owner = useOwner();
  const { stack, isGone, isPending, error } = useLastSeen(id);
  if (error && !stack)
    return (
      <NoText>
        <NoData error={error} what="the stack" onRetry={() => void reloadStackList()} />
      </NoText>
    );
  if (isPending || owner === null) return <Loading what="the stack" />;
  if (!stack)
    return (
      <NoText>
        <Empty
          title="There is no such stack"
          action={<LinkButton to={addressOf(pages.stacks)}>All stacks</LinkButton>}
        >
          It was deleted, or your roles do not show it to you.
        </Empty>
      </NoText>
    );
  const Editor = stack.interface === 'v2' ? EditV2 : Loaded;
  return (
    <>
      {isGone && <NoLongerShown kept="here and in this browser" />}
      <Editor key={stack.stack_id} stack={stack} owner={owner} />
    </>
  );
};

export default Edit;
