import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '../acts/button.tsx';
import { Icon } from '../page/icons.tsx';
import styles from './dialog.module.css';
import { Toast } from './toast.tsx';

interface DialogProps {
  title: ReactNode;
  /** Absent: the dialog cannot be dismissed. */
  onClose?: (() => void) | undefined;
  wide?: boolean;
  children: ReactNode;
}

function afterClose(dialog: HTMLDialogElement, onClose: DialogProps['onClose']): void {
  // In development, React runs every effect twice: it is open again.
  if (dialog.open) return;
  // A browser closes it at the second Escape, whatever the page says.
  if (onClose) onClose();
  else dialog.showModal();
}

/** Open while mounted. The platform holds the focus inside and returns it afterwards. */
export const Dialog = ({ title, onClose, wide = false, children }: DialogProps) => {
  const element = useRef<HTMLDialogElement>(null);
  const heading = useId();
  // A field takes the focus when it appears, which it can only in a dialog that is open.
  const [isOpen, setOpen] = useState(false);
  useLayoutEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    setOpen(true);
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={element}
      className={`${styles.dialog} ${wide ? styles.wide : ''}`}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      onClose={({ currentTarget }) => afterClose(currentTarget, onClose)}
    >
      <header className={styles.head}>
        <h2 id={heading}>{title}</h2>
        {onClose && (
          <Button look="quiet" small aria-label="Close" onClick={onClose}>
            <Icon name="close" />
          </Button>
        )}
      </header>
      {isOpen && children}
      <Toast inDialog />
    </dialog>
  );
};

export const DialogActions = ({ children }: { children: ReactNode }) => (
  <footer className={styles.actions}>{children}</footer>
);
