import type { StackSummary } from '../../contract/v3/schemas/stack-summary.ts';
import type { listVersions } from '../../contract/v3/versions.ts';
import { useSearchValues } from '../address/search.ts';
import { useRead } from '../api/read.ts';
import { type Start, useDraft, useOwner } from '../change/draft-state.ts';
import { AsCommand, Copy } from '../parts/acts/copy.tsx';
import { Select, TextArea } from '../parts/forms/field.tsx';
import { Empty, Loading } from '../parts/messages/empty.tsx';
import { Card, Stack } from '../parts/page/card.tsx';
import { Page } from '../parts/page/page.tsx';
import { NoData, NotAllowed } from '../parts/reading/answer.tsx';
import { usePermission } from '../session/session.ts';
import { useStackList } from '../stacks/stack-list.ts';
import { type Side, useCompared } from './compare-query.ts';
import { AsText, ByPath } from './differences.tsx';
import styles from './versions.module.css';

const pasted = 'text';

interface PickerProps {
  title: string;
  stacks: readonly StackSummary[];
  stackId: string;
  version: string;
  allowText?: boolean;
  onChange: (changes: { stackId?: string; version?: string | undefined }) => void;
}

const Picker = ({ title, stacks, stackId, version, allowText = false, onChange }: PickerProps) => {
  const { data = [] } = useRead<typeof listVersions>(
    '/v3/alm/template',
    { query: { stack_id: stackId } },
    { enabled: stackId !== '' && stackId !== pasted },
  );
  const options = [
    { value: '', label: 'Choose …' },
    ...(allowText ? [{ value: pasted, label: 'Pasted text' }] : []),
    ...stacks.map(({ stack_id, nickname }) => ({ value: stack_id, label: nickname })),
  ];
  const versions = [
    { value: 'latest', label: 'Newest' },
    ...data.map(({ version_id, label }) => ({
      value: version_id,
      label: label ? `${label} · ${version_id.slice(0, 8)}` : version_id,
    })),
  ];
  return (
    <Card title={title}>
      <div className={styles.pickers}>
        <Select
          label={`${title}: stack`}
          options={options}
          value={stackId}
          onChange={(event) => onChange({ stackId: event.currentTarget.value, version: undefined })}
        />
        {stackId !== '' && stackId !== pasted && (
          <Select
            label={`${title}: version`}
            options={versions}
            value={version}
            onChange={(event) => onChange({ version: event.currentTarget.value })}
          />
        )}
      </div>
    </Card>
  );
};

const commandOf = ({ a, va, b, vb }: Readonly<Record<'a' | 'va' | 'b' | 'vb', string>>): string =>
  b === pasted
    ? `alm template compare --src-sid ${a} --src-vid ${va} --tgt-body stack.yaml`
    : `alm template compare --src-sid ${a} --src-vid ${va} --tgt-sid ${b} --tgt-vid ${vb}`;

const Result = ({ from, to }: { from: Side | null; to: Side | null }) => {
  const { data, error, isFetching, refetch } = useCompared(from, to);
  const { allowed, reason } = usePermission('template:describeAlmTemplate');
  if (!allowed) return <NotAllowed to="compare versions" reason={reason} />;
  if (error) return <NoData error={error} what="the difference" onRetry={() => void refetch()} />;
  if (isFetching && !data) return <Loading what="the difference" />;
  if (!data) return <Empty title="Choose two sides">Any version of any stack, or a text of your own.</Empty>;
  return (
    <>
      <Card flush title="By member" aside={<Copy text={location.href} what="link" label="Copy link" />}>
        <ByPath compared={data} />
      </Card>
      <AsText compared={data} />
    </>
  );
};

const nothing: Start = { text: '', format: 'yaml', base: null };

/** Both sides as the address has them; a pasted text is kept as a draft, without its secrets. */
function useSides(owner: string) {
  const [{ a = '', va = 'latest', b = '', vb = 'latest' }, change] = useSearchValues();
  const draft = useDraft({ owner, of: 'compare' }, nothing, null);
  const { text } = draft.draft;
  const setText = (changed: string): void =>
    changed === '' ? draft.begin(nothing) : draft.change({ text: changed });
  const from: Side | null = a ? { stackId: a, version: va } : null;
  const stored: Side | null = b ? { stackId: b, version: vb } : null;
  return { a, va, b, vb, change, text, setText, from, to: b === pasted ? { text } : stored };
}

const Comparing = ({ owner }: { owner: string }) => {
  const list = useStackList();
  const { a, va, b, vb, change, text, setText, from, to } = useSides(owner);
  const stacks = list.data?.filter((stack) => stack.interface === 'v3') ?? [];
  const before = { title: 'Before', stacks, stackId: a, version: va };
  const after = { title: 'After', stacks, stackId: b, version: vb, allowText: true };
  return (
    <Page title="Compare" about="Two versions of one stack, of two stacks, or a version and a text.">
      <Stack>
        <div className={styles.sides}>
          <Picker {...before} onChange={({ stackId = a, version }) => change({ a: stackId, va: version })} />
          <Picker {...after} onChange={({ stackId = b, version }) => change({ b: stackId, vb: version })} />
        </div>
        {b === pasted && (
          <TextArea
            label="Text of a template, JSON or YAML"
            rows={10}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        )}
        {list.error && !list.data && !from ? (
          <NoData error={list.error} what="the stacks" onRetry={() => void list.refetch()} />
        ) : (
          <Result from={from} to={to} />
        )}
        {a && b && <AsCommand command={commandOf({ a, va, b, vb })} />}
      </Stack>
    </Page>
  );
};

/** Any version of any stack with any other, or with a text. */
const Compare = () => {
  const owner = useOwner();
  return owner === null ? <Loading what="your drafts" /> : <Comparing owner={owner} />;
};

export default Compare;
