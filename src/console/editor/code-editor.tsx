import { EditorView } from '@codemirror/view';
import { type ReactNode, type RefObject, useEffect, useMemo, useRef } from 'react';
import { announce } from '../parts/toast.tsx';
import styles from './code-editor.module.css';
import { vocabulary } from './completion.ts';
import { locateIn, type Problem } from './locate.ts';
import { goToProblem, showProblems } from './problem-marks.ts';
import type { Schema } from './schema.ts';
import { changing, editing, labelOf, languageOf } from './setup.ts';
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
        onChange: (changed) => latest.current.onChange(changed),
        onFixed: announce,
      }),
    });
    view.current = made;
    return () => {
      view.current = null;
      made.destroy();
    };
  }, []);
  return { host, view };
}

type View = RefObject<EditorView | null>;

/** Text that comes from elsewhere, such as a conversion or an example, replaces the whole text. */
function useText(view: View, text: string): void {
  useEffect(() => {
    const { current } = view;
    const old = current?.state.doc.toString();
    if (current && old !== text)
      current.dispatch({ changes: { from: 0, to: old?.length ?? 0, insert: text } });
  }, [view, text]);
}

export const CodeEditor = (props: CodeEditorProps) => {
  const { text, format, schema, label, problems, children } = props;
  const { host, view } = useView(props);
  useText(view, text);
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
        <span className={styles.hint}>
          <kbd>Ctrl Space</kbd> completes · <kbd>Ctrl F</kbd> finds · <kbd>Esc</kbd> <kbd>Tab</kbd> leaves
        </span>
      </div>
      <div ref={host} className={styles.host} />
    </>
  );
};
