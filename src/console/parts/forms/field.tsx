import { type ComponentProps, type ReactNode, useId } from 'react';
import styles from './field.module.css';

interface Labelled {
  label: ReactNode;
  /** Below the field. */
  hint?: ReactNode;
  /** What is wrong with the value. */
  problem?: string | undefined;
}

const describedBy = (id: string, { hint, problem }: Labelled): string | undefined =>
  problem || hint ? `${id}-note` : undefined;

const Note = ({ id, hint, problem }: Omit<Labelled, 'label'> & { id: string }) =>
  problem || hint ? (
    <p id={`${id}-note`} className={problem ? styles.problem : styles.hint}>
      {problem || hint}
    </p>
  ) : null;

type Control = { id: string; 'aria-describedby': string | undefined; 'aria-invalid': true | undefined };

const Labelling = ({ of, children }: { of: Labelled; children: (control: Control) => ReactNode }) => {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{of.label}</label>
      {children({
        id,
        'aria-describedby': describedBy(id, of),
        'aria-invalid': of.problem ? true : undefined,
      })}
      <Note id={id} hint={of.hint} problem={of.problem} />
    </div>
  );
};

export const Field = ({ label, hint, problem, ...input }: Labelled & ComponentProps<'input'>) => (
  <Labelling of={{ label, hint, problem }}>
    {(control) => <input className={styles.input} autoComplete="off" {...input} {...control} />}
  </Labelling>
);

export const TextArea = ({ label, hint, problem, ...input }: Labelled & ComponentProps<'textarea'>) => (
  <Labelling of={{ label, hint, problem }}>
    {(control) => <textarea className={styles.input} spellCheck={false} {...input} {...control} />}
  </Labelling>
);

interface Option {
  value: string;
  label: string;
}

interface SelectProps extends Labelled, ComponentProps<'select'> {
  options: readonly (string | Option)[];
}

/** A value that is not in the list, such as one of the address, is added: a field never shows another value than it has. */
export function withValue(options: SelectProps['options'], value: unknown): Option[] {
  const listed = options.map((each) => (typeof each === 'string' ? { value: each, label: each } : each));
  if (typeof value !== 'string' || value === '' || listed.some((each) => each.value === value)) return listed;
  return [...listed, { value, label: value }];
}

export const Select = ({ label, hint, problem, options, ...input }: SelectProps) => (
  <Labelling of={{ label, hint, problem }}>
    {(control) => (
      <select className={styles.input} {...input} {...control}>
        {withValue(options, input.value).map(({ value, label: text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    )}
  </Labelling>
);

export const Tick = ({ label, hint, ...input }: Omit<Labelled, 'problem'> & ComponentProps<'input'>) => {
  const id = useId();
  return (
    <div className={styles.tick}>
      <input type="checkbox" {...input} id={id} aria-describedby={describedBy(id, { label, hint })} />
      <div>
        <label htmlFor={id}>{label}</label>
        <Note id={id} hint={hint} />
      </div>
    </div>
  );
};
