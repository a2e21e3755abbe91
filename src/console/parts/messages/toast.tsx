import { useId, useLayoutEffect, useSyncExternalStore } from 'react';
import { after } from '../../clock.ts';
import styles from './toast.module.css';

interface Message {
  text: string;
  number: number;
  /** At the top of the window: at the bottom it would cover what was just pressed. */
  isHigh: boolean;
}

/** The bands of the window at its top and bottom in which messages appear, with room for two lines. */
const band = 160;

/** What was pressed has the focus. What reaches from band to band, such as the page itself, is covered anyway. */
function isLow(element: Element | null): boolean {
  if (!element) return false;
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > innerHeight - band && top > band;
}

const shownFor = 5000;
let message: Message | null = null;
let hide = (): void => {};
const listeners = new Set<() => void>();

const tellListeners = (): void => listeners.forEach((listener) => listener());

function set(next: Message | null): void {
  message = next;
  tellListeners();
}

/** Shows a short sentence, which screen readers read aloud. For results, never for errors. */
export function announce(text: string): void {
  hide();
  set({ text, number: (message?.number ?? 0) + 1, isHigh: isLow(document.activeElement) });
  hide = after(shownFor, () => set(null));
}

const listen = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The open dialogs that show messages, the topmost last. */
const dialogs: string[] = [];

function join(dialog: string): () => void {
  dialogs.push(dialog);
  tellListeners();
  return () => {
    dialogs.splice(dialogs.indexOf(dialog), 1);
    tellListeners();
  };
}

/** What is outside of the topmost dialog lies behind it, and screen readers do not read it: there, the page shows no messages. */
const useShown = (inDialog: boolean): Message | null => {
  const id = useId();
  useLayoutEffect(() => (inDialog ? join(id) : undefined), [id, inDialog]);
  return useSyncExternalStore(listen, () =>
    dialogs.at(-1) === (inDialog ? id : undefined) ? message : null,
  );
};

/** Where messages appear. It is there before them: screen readers read what changes in it. */
export const Toast = ({ inDialog = false }: { inDialog?: boolean }) => {
  const shown = useShown(inDialog);
  return (
    <div role="status" className={`${styles.place} ${shown?.isHigh ? styles.high : ''}`}>
      {shown && (
        <p key={shown.number} className={styles.toast}>
          {shown.text}
        </p>
      )}
    </div>
  );
};
