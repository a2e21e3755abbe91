import { closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, indentOnInput } from '@codemirror/language';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Annotation, Compartment, EditorState, type Extension } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { completion, type Vocabulary, vocabulary } from './completion.ts';
import { look } from './look.ts';
import { problemMarks } from './problem-marks.ts';
import type { Format } from './written.ts';

export const languageOf = (format: Format): Extension => (format === 'json' ? json() : yaml());

/** Everything that reads a text needs, without what changes it. */
export const reading = (format: Format): Extension => [
  lineNumbers(),
  look,
  languageOf(format),
  EditorView.lineWrapping,
  EditorState.readOnly.of(true),
  EditorView.editable.of(false),
];

/** Marks a text that the page gave to the editor: it is not reported back. */
export const fromElsewhere = Annotation.define<true>();

/** What changes while the editor is open. */
export const changing = {
  language: new Compartment(),
  vocabulary: new Compartment(),
  label: new Compartment(),
};

export const labelOf = (label: string, describedBy: string): Extension =>
  EditorView.contentAttributes.of({ 'aria-label': label, 'aria-description': describedBy });

/**
 * Typing over a selection of many lines. Chromium would join the lines itself, with a style attribute that the policy of the page
 * refuses; the editor would read the result and undo the styles. Here the editor changes its text first.
 */
const typeOver = EditorView.domEventHandlers({
  beforeinput: ({ inputType, isComposing, data }, view) => {
    const { state } = view;
    const { from, to } = state.selection.main;
    const isOneLine = state.doc.lineAt(from).to >= to;
    if (inputType !== 'insertText' || isComposing || !data || isOneLine || state.readOnly) return false;
    const insert = () =>
      state.update(state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true });
    const handlers = state.facet(EditorView.inputHandler);
    if (!handlers.some((handle) => handle(view, from, to, data, insert))) view.dispatch(insert());
    return true;
  },
});

interface Setup {
  words: Vocabulary;
  label: string;
  hint: string;
  onChange: (text: string) => void;
  onFixed: (what: string) => void;
}

export const editing = ({ words, label, hint, onChange, onFixed }: Setup): Extension => [
  lineNumbers(),
  highlightActiveLine(),
  highlightActiveLineGutter(),
  history(),
  drawSelection(),
  typeOver,
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  highlightSelectionMatches(),
  search({ top: true }),
  completion,
  problemMarks(onFixed),
  look,
  EditorView.lineWrapping,
  changing.language.of(languageOf(words.format)),
  changing.vocabulary.of(vocabulary.of(words)),
  changing.label.of(labelOf(label, hint)),
  keymap.of([
    ...closeBracketsKeymap,
    ...completionKeymap,
    ...searchKeymap,
    ...historyKeymap,
    ...defaultKeymap,
    indentWithTab,
  ]),
  EditorView.updateListener.of(({ docChanged, state, transactions }) => {
    const isTyped = transactions.some((each) => each.docChanged && !each.annotation(fromElsewhere));
    if (docChanged && isTyped) onChange(state.doc.toString());
  }),
];
