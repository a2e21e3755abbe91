import { useState } from 'react';
import { after } from '../clock.ts';
import { Button } from './button.tsx';
import styles from './copy.module.css';
import { Icon } from './icons.tsx';
import { announce } from './toast.tsx';

interface CopyProps {
  text: string;
  /** What is copied, for screen readers: "request id". */
  what: string;
  label?: string;
}

export const Copy = ({ text, what, label }: CopyProps) => {
  const [done, setDone] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    announce(`Copied the ${what}`);
    setDone(true);
    after(2000, () => setDone(false));
  };
  return (
    <Button
      small
      look="quiet"
      aria-label={label ? undefined : `Copy the ${what}`}
      onClick={() => void copy()}
    >
      <Icon name={done ? 'check' : 'copy'} size={14} />
      {label}
    </Button>
  );
};

/** The same action as a command, to copy. */
export const AsCommand = ({ command }: { command: string }) => (
  <div className={styles.command}>
    <code>{command}</code>
    <Copy text={command} what="command" />
  </div>
);
