import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { deleteStack } from '../../../contract/v3/stacks.ts';
import { call } from '../../api/call.ts';
import { Act } from '../../parts/acts/button.tsx';
import { stackCommand } from '../../parts/acts/command.ts';
import { AsCommand } from '../../parts/acts/copy.tsx';
import { Field, Select } from '../../parts/forms/field.tsx';
import { Loading } from '../../parts/messages/empty.tsx';
import { ErrorCard } from '../../parts/messages/error-card.tsx';
import { announce } from '../../parts/messages/toast.tsx';
import { Card, Stack } from '../../parts/page/card.tsx';
import { exists } from '../../parts/status/status.ts';
import type { Resource } from '../../picture/resource.ts';
import { pathOf, readOfStackAgain, useResources } from '../data/of-stack.ts';
import { newKey } from '../data/request-key.ts';
import { readStackAgain, type StackNow } from '../data/stack-now.ts';
import { whyNoEffect } from '../effect.ts';
import styles from './delete-card.module.css';

type DataChoice = 'keep' | 'delete';

interface Kept {
  resource: string;
  kept_as: string;
}

const holdsData = ({ kind, type }: Resource): boolean =>
  kind === 'database' || kind === 'cache' || /FileSystem|Volume/.test(type);

function countsByType(resources: readonly Resource[]): [type: string, count: number][] {
  const counts = new Map<string, number>();
  for (const { type } of resources) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts].toSorted((a, b) => b[1] - a[1]);
}

const WhatGoes = ({ resources, data }: { resources: readonly Resource[]; data: DataChoice }) => {
  const going = resources.filter(exists);
  const withData = going.filter(holdsData);
  return (
    <>
      <p>
        {going.length === 1 ? '1 resource is' : `${going.length} resources are`} removed at the vendor. This
        cannot be undone.
      </p>
      <ul className={styles.types} aria-label="What goes">
        {countsByType(going).map(([type, count]) => (
          <li key={type}>
            {count} × {type.split('::').slice(1).join(' ') || type}
          </li>
        ))}
      </ul>
      {withData.length > 0 && (
        <p className={data === 'delete' ? styles.lost : undefined}>
          <strong>Data</strong> of {withData.map(({ name }) => name).join(', ')}:{' '}
          {data === 'delete'
            ? 'deleted with the stack. Nothing of it is kept.'
            : 'databases and Redis caches are kept outside the stack where the vendor can, such as in snapshots. Other data is lost.'}
        </p>
      )}
    </>
  );
};

const Effect = ({ of, data }: { of: ReturnType<typeof useResources>; data: DataChoice }) => {
  if (of.data) return <WhatGoes resources={of.data.resources} data={data} />;
  if (of.error) return <ErrorCard error={of.error} onRetry={() => void of.refetch()} />;
  return <Loading what="what goes" />;
};

/** For the sentence that takes the place of the button: the focus would be lost with the button. */
function useFocus(isWanted: boolean) {
  const element = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (isWanted) element.current?.focus();
  }, [isWanted]);
  return element;
}

interface OutcomeProps {
  kept: readonly Kept[];
  /** It was this page that asked for the deletion. */
  isOwn: boolean;
}

const Outcome = ({ kept, isOwn }: OutcomeProps) => (
  <>
    <p tabIndex={-1} ref={useFocus(isOwn)}>
      The stack is being deleted.
    </p>
    {kept.map(({ resource, kept_as }) => (
      <p key={resource}>
        <strong>{resource}</strong>: {kept_as || 'its data is deleted.'}
      </p>
    ))}
  </>
);

function useDeletion(stack: StackNow, data: DataChoice, onDone: () => void) {
  const [key, setKey] = useState(newKey);
  return useMutation({
    mutationFn: () =>
      call<typeof deleteStack>('DELETE', pathOf<typeof deleteStack>(stack, ''), {
        params: { stack_id: stack.id },
        query: { data },
        headers: { 'idempotency-key': `${key}-${data}` },
      }),
    onSuccess: async () => {
      announce('The stack is being deleted');
      // If this deletion fails, the next one is another request.
      setKey(newKey());
      onDone();
      readOfStackAgain(stack);
      await readStackAgain(stack.id);
    },
  });
}

const commandOf = (stack: StackNow, data: DataChoice): string =>
  stackCommand('delete', stack, ...(data === 'delete' ? ['--delete-data'] : []));

interface ChoicesProps {
  nickname: string;
  data: DataChoice;
  typed: string;
  onData: (data: DataChoice) => void;
  onTyped: (text: string) => void;
}

const Choices = ({ nickname, data, typed, onData, onTyped }: ChoicesProps) => (
  <div className={styles.fields}>
    <Select
      label="Data"
      value={data}
      options={[
        { value: 'keep', label: 'Keep it where possible' },
        { value: 'delete', label: 'Delete it too' },
      ]}
      onChange={(event) => onData(event.target.value === 'delete' ? 'delete' : 'keep')}
    />
    <Field
      label={
        <>
          Type <strong>{nickname}</strong> to confirm
        </>
      }
      value={typed}
      onChange={(event) => onTyped(event.target.value)}
    />
  </div>
);

/** Lists what goes and what happens to data; the name must be typed. */
export const DeleteCard = ({ stack }: { stack: StackNow }) => {
  const [typed, setTyped] = useState('');
  const [data, setData] = useState<DataChoice>('keep');
  const effect = useResources(stack);
  const deletion = useDeletion(stack, data, () => setTyped(''));
  if (stack.status === 'DELETE_IN_PROGRESS')
    return (
      <Card title="Delete this stack" tone="bad">
        <Outcome kept={deletion.data?.data ?? []} isOwn={deletion.submittedAt > 0} />
      </Card>
    );
  const off =
    (deletion.isPending ? 'On its way …' : undefined) ??
    whyNoEffect(effect) ??
    (typed === stack.nickname ? undefined : `Type ${stack.nickname} first.`);
  return (
    <Card title="Delete this stack" tone="bad">
      <Stack>
        <Effect of={effect} data={data} />
        <Choices nickname={stack.nickname} data={data} typed={typed} onData={setData} onTyped={setTyped} />
        <AsCommand command={commandOf(stack, data)} />
        {deletion.error && <ErrorCard error={deletion.error} />}
        <Act
          action="stack:deleteStack"
          stackId={stack.id}
          look="danger"
          off={off}
          onClick={() => deletion.mutate()}
        >
          Delete {stack.nickname}
        </Act>
      </Stack>
    </Card>
  );
};
