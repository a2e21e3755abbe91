import { useRef, useState } from 'react';
import { hasComments, readTemplate, writeTemplate } from '../editor/convert.ts';
import type { Format } from '../editor/written.ts';
import { Button } from '../parts/acts/button.tsx';
import { Dialog, DialogActions } from '../parts/messages/dialog.tsx';
import { announce } from '../parts/messages/toast.tsx';
import styles from './change.module.css';

interface FormatSwitchProps {
  text: string;
  format: Format;
  onConvert: (converted: { text: string; format: Format }) => void;
}

const names: Readonly<Record<Format, string>> = { yaml: 'YAML', json: 'JSON' };

/** The text in the other language. The first time loads the reader, and people go on typing: it ends with what is there then. */
async function converted(read: () => string, from: Format, to: Format): Promise<string> {
  for (;;) {
    const text = read();
    const document = text.trim() === '' ? null : await readTemplate(text, from);
    if (read() === text) return document === null ? '' : writeTemplate(document, to);
  }
}

/** Converts the text. Comments have no place in JSON: asks before they are lost. */
export const FormatSwitch = ({ text, format, onConvert }: FormatSwitchProps) => {
  const [asked, setAsked] = useState(false);
  const latest = useRef(text);
  latest.current = text;
  const convert = async (to: Format): Promise<void> => {
    setAsked(false);
    try {
      onConvert({ text: await converted(() => latest.current, format, to), format: to });
    } catch {
      announce(`The text cannot be read as ${names[format]} yet: fix its problems first`);
    }
  };
  const choose = (to: Format): void => {
    if (to === format) return;
    if (format === 'yaml' && hasComments(text)) setAsked(true);
    else void convert(to);
  };
  return (
    <>
      <fieldset className={styles.formats} aria-label="Language of the text">
        {(['yaml', 'json'] as const).map((each) => (
          <button key={each} type="button" aria-pressed={each === format} onClick={() => choose(each)}>
            {names[each]}
          </button>
        ))}
      </fieldset>
      {asked && (
        <Dialog title="Comments would be lost" onClose={() => setAsked(false)}>
          <p>JSON has no comments. If you continue, those of the text are removed. Undo brings them back.</p>
          <DialogActions>
            <Button onClick={() => setAsked(false)}>Stay with YAML</Button>
            <Button look="danger" onClick={() => void convert('json')}>
              Convert and remove comments
            </Button>
          </DialogActions>
        </Dialog>
      )}
    </>
  );
};
