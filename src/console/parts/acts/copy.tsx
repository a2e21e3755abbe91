import { type ReactNode, useState } from 'react';
import { after } from '../../clock.ts';
import { TextArea } from '../forms/field.tsx';
import { Dialog } from '../messages/dialog.tsx';
import { announce } from '../messages/toast.tsx';
import { Icon } from '../page/icons.tsx';
import { Button } from './button.tsx';
import styles from './copy.module.css';

interface CopyProps {
  text: string;
  /** What is copied, for screen readers: "request id". */
  what: string;
  label?: string;
}

const selectAll = (field: HTMLTextAreaElement | null): void => {
  field?.focus();
  field?.select();
};

/** Browsers let a page copy only over https, and only if the user allows it. */
const CopyByHand = ({ text, what, onClose }: CopyProps & { onClose: () => void }) => {
  return (
    <Dialog title={`Copy the ${what} yourself`} wide onClose={onClose}>
      <TextArea
        ref={selectAll}
        readOnly
        rows={4}
        label="The text is selected: press Ctrl C, or ⌘ C"
        hint="The browser refused to copy. Most allow it only on pages opened over https."
        value={text}
      />
    </Dialog>
  );
};

interface Copying {
  /** True if the browser copied it. */
  copy: () => Promise<boolean>;
  /** To be shown: what helps after a refusal. */
  byHand: ReactNode;
}

export function useCopy({ text, what }: CopyProps): Copying {
  const [refused, setRefused] = useState(false);
  const copy = async (): Promise<boolean> => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      setRefused(true);
      return false;
    }
    announce(`Copied the ${what}`);
    return true;
  };
  return {
    copy,
    byHand: refused && <CopyByHand text={text} what={what} onClose={() => setRefused(false)} />,
  };
}

export const Copy = ({ text, what, label }: CopyProps) => {
  const [done, setDone] = useState(false);
  const { copy, byHand } = useCopy({ text, what });
  const press = async (): Promise<void> => {
    if (!(await copy())) return;
    setDone(true);
    after(2000, () => setDone(false));
  };
  return (
    <>
      <Button
        small
        look="quiet"
        aria-label={label ? undefined : `Copy the ${what}`}
        onClick={() => void press()}
      >
        <Icon name={done ? 'check' : 'copy'} size={14} />
        {label}
      </Button>
      {byHand}
    </>
  );
};

/** The same action as a command, to copy. */
export const AsCommand = ({ command }: { command: string }) => (
  <div className={styles.command}>
    <code>{command}</code>
    <Copy text={command} what="command" />
  </div>
);
