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

interface SelectProps extends Labelled, ComponentProps<'select'> {
  options: readonly (string | { value: string; label: string })[];
}

export const Select = ({ label, hint, problem, options, ...input }: SelectProps) => (
  <Labelling of={{ label, hint, problem }}>
    {(control) => (
      <select className={styles.input} {...input} {...control}>
        {options.map((option) => {
          const { value, label: text } =
            typeof option === 'string' ? { value: option, label: option } : option;
          return (
            <option key={value} value={value}>
              {text}
            </option>
          );
        })}
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
