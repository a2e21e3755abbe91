import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Button } from './button.tsx';
import styles from './dialog.module.css';
import { Icon } from './icons.tsx';

interface DialogProps {
  title: ReactNode;
  /** Absent: the dialog cannot be dismissed. */
  onClose?: (() => void) | undefined;
  wide?: boolean;
  children: ReactNode;
}

/** Open while mounted. The platform holds the focus inside and returns it afterwards. */
export const Dialog = ({ title, onClose, wide = false, children }: DialogProps) => {
  const element = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
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
      // A browser closes it at the second Escape, whatever the page says.
      onClose={() => (onClose ? onClose() : element.current?.showModal())}
    >
      <header className={styles.head}>
        <h2 id={heading}>{title}</h2>
        {onClose && (
          <Button look="quiet" small aria-label="Close" onClick={onClose}>
            <Icon name="close" />
          </Button>
        )}
      </header>
      {children}
    </dialog>
  );
};

export const DialogActions = ({ children }: { children: ReactNode }) => (
  <footer className={styles.actions}>{children}</footer>
);
