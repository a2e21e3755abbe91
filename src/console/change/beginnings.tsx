import { type DragEvent, useRef, useState } from 'react';
import { formatOf } from '../editor/convert.ts';
import type { Format } from '../editor/written.ts';
import { examples } from '../examples/examples.ts';
import { Button } from '../parts/acts/button.tsx';
import { announce } from '../parts/messages/toast.tsx';
import { Stack } from '../parts/page/card.tsx';
import styles from './change.module.css';

interface BeginningsProps {
  onBegin: (start: { text: string; format: Format }) => void;
}

/** A template is never this large. */
const largest = 1_000_000;

async function readFile(file: File | undefined, { onBegin }: BeginningsProps): Promise<void> {
  if (!file) return;
  if (file.size > largest) return announce(`${file.name} is too large for a template`);
  const text = await file.text();
  onBegin({ text, format: formatOf(text) });
}

const Import = ({ onBegin }: BeginningsProps) => {
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const onDrop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    void readFile(event.dataTransfer.files[0], { onBegin });
  };
  return (
    <section
      aria-label="Your own template"
      className={styles.drop}
      data-over={over}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      <p>Drop a template here, JSON or YAML, or begin with an empty text and paste or type one.</p>
      <div className={styles.counts}>
        <Button onClick={() => input.current?.click()}>Choose a file …</Button>
        <Button onClick={() => onBegin({ text: 'version: 2017-03-03\n', format: 'yaml' })}>Empty text</Button>
      </div>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="Template file"
        accept=".json,.yaml,.yml,application/json,text/yaml"
        onChange={(event) => void readFile(event.currentTarget.files?.[0], { onBegin })}
      />
    </section>
  );
};

/** What a new stack may begin with. */
export const Beginnings = ({ onBegin }: BeginningsProps) => (
  <Stack>
    <h2>Begin with an example</h2>
    <div className={styles.examples}>
      {examples.map(({ id, title, about, parts, text, format }) => (
        <button key={id} type="button" className={styles.example} onClick={() => onBegin({ text, format })}>
          <strong>{title}</strong>
          <span>{about}</span>
          <small>{parts.join(' · ')} · in the sandbox</small>
        </button>
      ))}
    </div>
    <h2>Or with your own</h2>
    <Import onBegin={onBegin} />
  </Stack>
);
