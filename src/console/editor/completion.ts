import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete';
import { type Extension, Facet } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { type Word, wordsAt } from './complete.ts';
import { cursorPath } from './cursor-path.ts';
import type { Schema } from './schema.ts';
import type { Format } from './written.ts';

export interface Vocabulary {
  schema: Schema | null;
  format: Format;
}

export const vocabulary = Facet.define<Vocabulary, Vocabulary>({
  combine: (values) => values[0] ?? { schema: null, format: 'yaml' },
});

/** JSON closes quotes while they are typed: the word replaces them too. */
function apply(insert: string) {
  return (view: EditorView, ...[, from, to]: [Completion, number, number]): void => {
    const closing = insert.startsWith('"') && view.state.sliceDoc(to, to + 1) === '"' ? 1 : 0;
    const inside = /[[{]([\]}])$/.test(insert) ? 1 : 0;
    view.dispatch({
      changes: { from, to: to + closing, insert },
      selection: { anchor: from + insert.length - inside },
      userEvent: 'input.complete',
    });
  };
}

const optionOf = ({ label, detail, about, insert, isRequired }: Word): Completion => ({
  label,
  detail: isRequired ? `${detail} · required` : detail,
  apply: apply(insert),
  boost: isRequired ? 1 : 0,
  ...(about ? { info: about } : {}),
});

function source(context: CompletionContext): CompletionResult | null {
  const { schema, format } = context.state.facet(vocabulary);
  if (!schema) return null;
  const cursor = cursorPath(context.state.doc.toString(), context.pos, format);
  if (!cursor || (cursor.from === context.pos && !context.explicit)) return null;
  const options = wordsAt(schema, cursor, format).map(optionOf);
  if (options.length === 0) return null;
  const quoted = /^["']/.test(context.state.sliceDoc(cursor.from, context.pos));
  return { from: cursor.from, options, filter: !quoted, validFor: /^["']?[\w${}.-]*$/ };
}

export const completion: Extension = autocompletion({ override: [source], icons: false });
