import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { noticeRefusal } from '../../api/read.ts';
import { Button } from '../acts/button.tsx';
import { DialogActions } from '../messages/dialog.tsx';
import { ErrorCard, type Names } from '../messages/error-card.tsx';
import styles from './form.module.css';

/** The fields of a form, by name. A field that is absent is empty. */
export type Values = (name: string) => string;

interface FormProps {
  /** What the button says. */
  submit: string;
  onSubmit: (values: Values) => Promise<void>;
  onCancel?: (() => void) | undefined;
  look?: 'main' | 'danger';
  /** Why the form cannot be sent. */
  off?: string | undefined;
  children: ReactNode;
}

interface Attempt {
  busy: boolean;
  error: unknown;
}

/** Runs an act once at a time and keeps its error. */
export function useAttempt<Input>(act: (input: Input) => Promise<void>) {
  const [attempt, setAttempt] = useState<Attempt>({ busy: false, error: null });
  const running = useRef(false);
  const run = async (input: Input): Promise<void> => {
    if (running.current) return;
    running.current = true;
    setAttempt({ busy: true, error: null });
    try {
      await act(input);
      setAttempt({ busy: false, error: null });
    } catch (error) {
      noticeRefusal(error);
      setAttempt({ busy: false, error });
    } finally {
      running.current = false;
    }
  };
  return { ...attempt, run };
}

const namedFields = 'input[name], select[name], textarea[name]';

/** The labels of the fields by name. A field may say in `data-called` what it is called when it is refused. */
const namesIn = (form: HTMLFormElement | null): Names =>
  Object.fromEntries(
    [
      ...(form?.querySelectorAll<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>(namedFields) ??
        []),
    ].map(({ name, dataset, labels }) => [name, dataset['called'] ?? labels?.[0]?.textContent ?? name]),
  );

/** A form may be longer than the screen: what went wrong, and the buttons after it, come into view. */
function useShown(error: unknown) {
  const form = useRef<HTMLFormElement>(null);
  const [names, setNames] = useState<Names>({});
  useEffect(() => {
    if (error === null) return;
    setNames(namesIn(form.current));
    form.current?.lastElementChild?.scrollIntoView({ block: 'nearest' });
  }, [error]);
  return { form, names };
}

/** Fields keep their values when the service refuses them, and while the user signs in again. */
export const Form = ({ submit, onSubmit, onCancel, look = 'main', off, children }: FormProps) => {
  const { busy, error, run } = useAttempt(onSubmit);
  const { form: element, names } = useShown(error);
  const send = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (off) return;
    const form = new FormData(event.currentTarget);
    void run((name) => (form.get(name) as string | null) ?? '');
  };
  return (
    <form ref={element} className={styles.form} onSubmit={send}>
      {children}
      {error !== null && <ErrorCard error={error} names={names} />}
      <DialogActions>
        {onCancel && (
          <Button look="quiet" onClick={onCancel}>
            Cancel
          </Button>
        )}
        <Button type="submit" look={look} off={busy ? 'Waiting for the server …' : off}>
          {submit}
        </Button>
      </DialogActions>
    </form>
  );
};
