import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { injectFault } from '../../contract/v3/sandbox.ts';
import { useSearchValues } from '../address/search.ts';
import { call } from '../api/call.ts';
import { Button } from '../parts/acts/button.tsx';
import { AsCommand } from '../parts/acts/copy.tsx';
import { Field, Select } from '../parts/forms/field.tsx';
import { ErrorCard } from '../parts/messages/error-card.tsx';
import { announce } from '../parts/messages/toast.tsx';
import { Card } from '../parts/page/card.tsx';
import { useStackList } from '../stacks/stack-list.ts';
import { bodyOf, commandOf, type FieldName, type Kind, kinds, type Values } from './fault.ts';
import { readFaultsAgain } from './in-force.tsx';
import styles from './screen.module.css';

const labels: Readonly<Record<FieldName, string>> = {
  position: 'Number of the creation that fails, from 1',
  reason: 'What the cloud says',
  seconds: 'Seconds',
  instance_id: 'Instance id; empty: any spot instance',
  resource: 'Name of the resource; empty: a security group',
  with_stack: 'Id of the other stack',
  mode: 'Mode',
  image: 'Text in the image',
};

const useStacks = (): { value: string; label: string }[] => {
  const { data = [] } = useStackList();
  return data.map(({ stack_id, nickname }) => ({ value: stack_id, label: `${nickname} (${stack_id})` }));
};

const useFault = (resource: string | undefined) => {
  const [{ stack = '', position = '1' }] = useSearchValues();
  const [kind, setKind] = useState<Kind>('fail_resource');
  const [stackId, setStackId] = useState(stack);
  const [values, setValues] = useState<Values>({
    position,
    reason: resource ? `${resource} could not be created.` : '',
    seconds: '30',
    instance_id: '',
    resource: '',
    with_stack: '',
    mode: 'crash',
    image: '',
  });
  const set = (name: FieldName, value: string): void => setValues({ ...values, [name]: value });
  return { kind, setKind, stackId, setStackId, values, set, body: bodyOf(kind, stackId, values) };
};

interface StackChoiceProps {
  needed: boolean;
  value: string;
  onChange: (stackId: string) => void;
}

const StackChoice = ({ needed, value, onChange }: StackChoiceProps) => (
  <Select
    label="Stack"
    value={value}
    options={[
      { value: '', label: needed ? 'Choose one' : 'The next stack of the SANDBOX credential' },
      ...useStacks(),
    ]}
    onChange={(event) => onChange(event.target.value)}
  />
);

interface DetailsProps {
  fields: readonly FieldName[];
  values: Values;
  onChange: (name: FieldName, value: string) => void;
}

const Details = ({ fields, values, onChange }: DetailsProps) =>
  fields.map((name) => (
    <Field
      key={name}
      label={labels[name]}
      type={name === 'position' || name === 'seconds' ? 'number' : 'text'}
      min={1}
      value={values[name]}
      onChange={(event) => onChange(name, event.target.value)}
    />
  ));

/** Chooses a fault and injects it. What was typed stays. */
export const FaultForm = () => {
  const [{ resource }] = useSearchValues();
  const { kind, setKind, stackId, setStackId, values, set, body } = useFault(resource);
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => call<typeof injectFault>('POST', '/v3/sandbox/fault', { body }),
    onSuccess: ({ message }) => {
      announce(message);
      readFaultsAgain();
    },
  });
  const chosen = kinds[kind];
  const off =
    chosen.needsStack && stackId === '' ? 'Choose a stack first.' : isPending ? 'On its way …' : undefined;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (off === undefined) mutate();
  };
  return (
    <Card title="Inject a fault">
      <form className={styles.form} onSubmit={submit}>
        <Select
          label="Fault"
          hint={chosen.hint}
          value={kind}
          options={Object.entries(kinds).map(([value, { label }]) => ({ value, label }))}
          onChange={(event) => setKind(event.target.value as Kind)}
        />
        <StackChoice needed={chosen.needsStack} value={stackId} onChange={setStackId} />
        <Details fields={chosen.fields} values={values} onChange={set} />
        <AsCommand command={commandOf(body)} />
        {error && <ErrorCard error={error} />}
        <Button type="submit" look="main" off={off}>
          {kind === 'clear' ? 'Clear' : 'Inject'}
        </Button>
      </form>
    </Card>
  );
};
