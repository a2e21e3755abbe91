import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { deleteStack } from '../../../contract/v3/stacks.ts';
import { addressOf, pages } from '../../address/pages.ts';
import { call } from '../../api/call.ts';
import { Act, LinkButton } from '../../parts/acts/button.tsx';
import { stackCommand } from '../../parts/acts/command.ts';
import { AsCommand } from '../../parts/acts/copy.tsx';
import { Field, Select } from '../../parts/forms/field.tsx';
import { ErrorCard } from '../../parts/messages/error-card.tsx';
import { announce } from '../../parts/messages/toast.tsx';
import { Card, Row, Stack } from '../../parts/page/card.tsx';
import { pathOf, readOfStackAgain } from '../data/of-stack.ts';
import { keyFor, newKey } from '../data/request-key.ts';
import { readStackAgain, type StackNow } from '../data/stack-now.ts';
import { whyNoEffect } from '../effect.ts';
import styles from './delete-card.module.css';
import { type DataChoice, dataChoices, flagsFor } from './deletion.ts';
import { type DeletedStore, Sentences, useWhatGoes, WhatGoes } from './what-goes.tsx';

/** For the sentence that takes the place of the button: the focus would be lost with the button. */
function useFocus(isWanted: boolean) {
  const element = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (isWanted) element.current?.focus();
  }, [isWanted]);
  return element;
}

interface OutcomeProps {
  stackId: string;
  stores: readonly Pick<DeletedStore, 'id' | 'sentence'>[];
  /** It was this page that asked for the deletion. */
  isOwn: boolean;
}

const Outcome = ({ stackId, stores, isOwn }: OutcomeProps) => (
  <Stack>
    <p tabIndex={-1} ref={useFocus(isOwn)}>
      The stack is being deleted.
    </p>
    <Sentences stores={stores} />
    <Row>
      <LinkButton to={addressOf(pages.stackData, { id: stackId })}>What is kept</LinkButton>
    </Row>
  </Stack>
);

interface Deletion {
  data: string | undefined;
  onDone: () => void;
  onRefused: () => void;
}

/** The typed name confirms what is shown, the disks of servers too. */
function useDeletion(stack: StackNow, { data, onDone, onRefused }: Deletion) {
  const [key, setKey] = useState(newKey);
  return useMutation({
    mutationFn: () =>
      call<typeof deleteStack>('DELETE', pathOf<typeof deleteStack>(stack, ''), {
        params: { stack_id: stack.id },
        query: { servers: 'replace', ...(data === undefined ? {} : { data }) },
        headers: { 'idempotency-key': keyFor(key, data ?? '') },
      }),
    onSuccess: async () => {
      announce('The stack is being deleted');
      // If this deletion fails, the next one is another request.
      setKey(newKey());
      onDone();
      readOfStackAgain(stack);
      await readStackAgain(stack.id);
    },
    // The stack may have changed since: what is shown must be true.
    onError: onRefused,
  });
}

interface ChoicesProps {
  nickname: string;
  choice: DataChoice;
  choices: readonly DataChoice[];
  typed: string;
  onChoice: (choice: DataChoice) => void;
  onTyped: (text: string) => void;
}

const Choices = ({ nickname, choice, choices, typed, onChoice, onTyped }: ChoicesProps) => (
  <div className={styles.fields}>
    {choices.length > 0 && (
      <Select
        label="Data"
        value={choice}
        options={choices.map((value) => ({ value, label: dataChoices[value] }))}
        onChange={(event) => onChoice(event.target.value === 'delete' ? 'delete' : 'keep')}
      />
    )}
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

interface Ready {
  isPending: boolean;
  effect: ReturnType<typeof useWhatGoes>;
  isTyped: boolean;
}

const whyOff = ({ isPending, effect, isTyped }: Ready, nickname: string): string | undefined =>
  (isPending ? 'On its way …' : undefined) ??
  whyNoEffect(effect) ??
  (isTyped ? undefined : `Type ${nickname} first.`);

interface DeleteButtonProps {
  stack: StackNow;
  deletion: ReturnType<typeof useDeletion>;
  off: string | undefined;
}

const DeleteButton = ({ stack: { id, nickname }, deletion: { error, mutate }, off }: DeleteButtonProps) => (
  <>
    {error && <ErrorCard error={error} />}
    <Act action="stack:deleteStack" stackId={id} look="danger" off={off} onClick={() => mutate()}>
      Delete {nickname}
    </Act>
  </>
);

/** Lists what goes and what becomes of data; the name must be typed. */
export const DeleteCard = ({ stack }: { stack: StackNow }) => {
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<DataChoice>('keep');
  const effect = useWhatGoes(stack, chosen);
  const { choices, parameter } = effect;
  const { id, nickname, status } = stack;
  const deletion = useDeletion(stack, {
    data: parameter,
    onDone: () => setTyped(''),
    onRefused: effect.readAgain,
  });
  if (status === 'DELETE_IN_PROGRESS')
    return (
      <Card title="Delete this stack" tone="bad">
        <Outcome stackId={id} stores={deletion.data?.data ?? []} isOwn={deletion.submittedAt > 0} />
      </Card>
    );
  const off = whyOff({ isPending: deletion.isPending, effect, isTyped: typed === nickname }, nickname);
  return (
    <Card title="Delete this stack" tone="bad">
      <Stack>
        <WhatGoes of={effect} />
        <Choices
          nickname={nickname}
          choice={choices.includes(chosen) ? chosen : 'delete'}
          choices={choices}
          typed={typed}
          onChoice={setChosen}
          onTyped={setTyped}
        />
        <AsCommand command={stackCommand('delete', stack, ...flagsFor(parameter))} />
        <DeleteButton stack={stack} deletion={deletion} off={off} />
      </Stack>
    </Card>
  );
};
