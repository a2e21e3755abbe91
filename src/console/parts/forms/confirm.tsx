import type { ReactNode } from 'react';
import { useState } from 'react';
import { AsCommand } from '../acts/copy.tsx';
import { Dialog } from '../messages/dialog.tsx';
import { Phase } from '../status/status-phase.tsx';
import { Field } from './field.tsx';
import styles from './form.module.css';
import { Form } from './form.tsx';

interface ConfirmProps {
  title: string;
  /** What happens, one sentence each. */
  consequences: readonly ReactNode[];
  /** What the button says. */
  act: string;
  /** Must be typed before the button is on. */
  word?: string | undefined;
  /** The same as an `alm` command. */
  command?: string;
  onConfirm: () => Promise<void>;
  onClose: () => void;
}

/** Shows what an act leads to before it is done. */
export const Confirm = ({ title, consequences, act, word, command, onConfirm, onClose }: ConfirmProps) => {
  const [typed, setTyped] = useState('');
  const off = word !== undefined && typed !== word ? `Type ${word} first` : undefined;
  return (
    <Dialog title={title} onClose={onClose}>
      <Form submit={act} look="danger" off={off} onSubmit={onConfirm} onCancel={onClose}>
        <ul className={styles.consequences}>
          {consequences.map((consequence, index) => (
            // The sentences keep their places.
            <li key={index}>
              <Phase tone="warn" size={13} /> <span>{consequence}</span>
            </li>
          ))}
        </ul>
        {word !== undefined && (
          <Field
            label={
              <>
                Type <code>{word}</code> to confirm
              </>
            }
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            autoFocus
          />
        )}
        {command && <AsCommand command={command} />}
      </Form>
    </Dialog>
  );
};
