import { EditorView } from '@codemirror/view';
import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { announce } from '../parts/messages/toast.tsx';
import styles from './code-editor.module.css';
import { vocabulary } from './completion.ts';
import { Echo } from './echo.ts';
import { locateIn, type Problem } from './locate.ts';
import { goToProblem, showProblems } from './problem-marks.ts';
import type { Schema } from './schema.ts';
import { changing, editing, fromElsewhere, labelOf, languageOf } from './setup.ts';
import { shadowOf } from './shadow.ts';
import type { Format } from './written.ts';

export interface CodeEditorProps {
  label: string;
  text: string;
  format: Format;
  schema: Schema | null;
  problems: readonly Problem[];
  onChange: (text: string) => void;
  /** At the left of the bar above the text. */
  children?: ReactNode;
}

const hint = 'Control Space completes. Escape, then Tab, leaves the editor.';

/** Creates the editor once; later text comes in by `useText`. */
function useView(props: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const [echo] = useState(() => new Echo());
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    if (!host.current) return;
    const root = shadowOf(host.current);
    const { text, label, schema, format } = latest.current;
    const made = new EditorView({
      root,
      parent: root,
      doc: text,
      extensions: editing({
        words: { schema, format },
        label,
        hint,
        onChange: (changed) => {
          echo.report(changed);
          latest.current.onChange(changed);
        },
        onFixed: announce,
      }),
    });
    view.current = made;
    return () => {
      view.current = null;
      made.destroy();
    };
  }, [echo]);
  return { host, view, echo };
}

interface Made {
  view: RefObject<EditorView | null>;
  echo: Echo;
}

/** Text that comes from elsewhere, such as a conversion or an example, replaces the whole text. */
function useText({ view, echo }: Made, text: string): void {
  useEffect(() => {
    const { current } = view;
    const old = current?.state.doc.toString() ?? '';
    if (current && echo.isNews(text, old))
      current.dispatch({
        changes: { from: 0, to: old.length, insert: text },
        annotations: fromElsewhere.of(true),
      });
  }, [view, echo, text]);
}

const Keys = ({ completes }: { completes: boolean }) => (
  <span className={styles.hint}>
    {completes && (
      <>
        <kbd>Ctrl Space</kbd> completes ·{' '}
      </>
    )}
    <kbd>Ctrl F</kbd> finds · <kbd>Esc</kbd> <kbd>Tab</kbd> leaves
  </span>
);

export const CodeEditor = (props: CodeEditorProps) => {
  const { text, format, schema, label, problems, children } = props;
  const { host, ...made } = useView(props);
  const { view } = made;
  useText(made, text);
  const words = useMemo(() => ({ schema, format }), [schema, format]);
  useEffect(() => {
    view.current?.dispatch({
      effects: [
        changing.language.reconfigure(languageOf(words.format)),
        changing.vocabulary.reconfigure(vocabulary.of(words)),
        changing.label.reconfigure(labelOf(label, hint)),
      ],
    });
  }, [view, words, label]);
  useEffect(() => {
    const { current } = view;
    if (current) showProblems(current, problems.map(locateIn(current.state.doc.toString(), format)));
  }, [view, problems, format]);
  return (
    <>
      <div className={styles.bar}>
        {children}
        {problems.length > 0 && (
          <button
            type="button"
            className={styles.problems}
            onClick={() => view.current && goToProblem(view.current)}
          >
            {problems.length === 1 ? '1 problem' : `${problems.length} problems`} <kbd>F8</kbd>
          </button>
        )}
        <Keys completes={schema !== null} />
      </div>
      <div ref={host} className={styles.host} />
    </>
  );
};
