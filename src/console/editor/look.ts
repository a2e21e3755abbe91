import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** Colours come from the tokens of the page, which reach into the shadow root. */
const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--text-key)' },
  { tag: [tags.string, tags.content, tags.attributeValue], color: 'var(--text-string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--text-number)' },
  { tag: [tags.comment, tags.meta], color: 'var(--faint)', fontStyle: 'italic' },
  { tag: [tags.punctuation, tags.separator, tags.brace, tags.squareBracket], color: 'var(--dim)' },
]);

const box = {
  border: '1px solid var(--edge)',
  borderRadius: '8px',
  backgroundColor: 'var(--card)',
  color: 'var(--ink)',
  boxShadow: 'var(--shadow)',
};

const field = {
  border: '1px solid var(--control)',
  borderRadius: '6px',
  padding: '3px 8px',
  background: 'var(--card)',
  color: 'var(--ink)',
  font: 'inherit',
};

const panel = {
  '.cm-panels': { backgroundColor: 'var(--raised)', color: 'var(--ink)', fontFamily: 'var(--sans)' },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-panel.cm-search': { padding: '8px 12px', fontSize: '13px' },
  '.cm-panel.cm-search label': { fontSize: '12.5px' },
  '.cm-textfield': field,
  '.cm-button': { ...field, backgroundImage: 'none', cursor: 'pointer', minHeight: '26px' },
  '.cm-panel.cm-search [name=close]': {
    color: 'var(--dim)',
    fontSize: '18px',
    cursor: 'pointer',
    minWidth: '24px',
  },
};

const completions = {
  '.cm-tooltip': { ...box, zIndex: '40' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--mono)',
    fontSize: '12.5px',
    maxHeight: '15em',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '4px 12px', display: 'flex', gap: '18px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { background: 'var(--raised)', color: 'var(--ink)' },
  '.cm-completionIcon': { display: 'none' },
  '.cm-completionLabel': { fontWeight: '600' },
  '.cm-completionMatchedText': { textDecoration: 'none', color: 'var(--gold)' },
  '.cm-completionDetail': {
    marginLeft: 'auto',
    fontStyle: 'normal',
    fontFamily: 'var(--sans)',
    color: 'var(--faint)',
  },
  '.cm-tooltip.cm-completionInfo': {
    ...box,
    padding: '9px 12px',
    maxWidth: '300px',
    font: '13px/1.5 var(--sans)',
    color: 'var(--dim)',
  },
};

const problems = {
  '.alm-problem': {
    textDecoration: 'underline wavy var(--bad)',
    textDecorationSkipInk: 'none',
    textUnderlineOffset: '3px',
  },
  '.alm-problem-block': { padding: '4px 12px 6px 8px' },
  '.alm-problem-card': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: '6px 14px',
    maxWidth: '720px',
    border: '1px solid color-mix(in srgb, var(--bad) 50%, transparent)',
    borderRadius: '8px',
    padding: '7px 12px',
    background: 'var(--bad-ground)',
    color: 'var(--ink)',
    font: '13px/1.5 var(--sans)',
    whiteSpace: 'normal',
  },
  '.alm-problem-card code': {
    display: 'block',
    color: 'var(--bad)',
    font: '600 12px var(--mono)',
    overflowWrap: 'anywhere',
  },
  '.alm-problem-card button': {
    minHeight: '28px',
    border: '1px solid var(--control)',
    borderRadius: '7px',
    padding: '2px 9px',
    background: 'var(--card)',
    color: 'var(--ink)',
    font: '560 12.5px var(--sans)',
    cursor: 'pointer',
  },
  '.alm-problem-card kbd': { marginLeft: '6px', color: 'var(--dim)', font: '600 11px var(--sans)' },
};

const differences = {
  '&.cm-merge-b .cm-changedText, .cm-insertedLine .cm-changedText, &.cm-merge-b .cm-changedLine .cm-changedText':
    {
      background: 'color-mix(in srgb, var(--good) 9%, transparent)',
      boxShadow: 'inset 0 -1.5px var(--good)',
    },
  '&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText, .cm-deletedChunk .cm-changedText': {
    background: 'color-mix(in srgb, var(--bad) 9%, transparent)',
    boxShadow: 'inset 0 -1.5px var(--bad)',
  },
  '&.cm-merge-b .cm-changedLine, .cm-changedLine, .cm-insertedLine': {
    backgroundColor: 'var(--good-ground)',
  },
  '&.cm-merge-a .cm-changedLine, .cm-deletedChunk': { backgroundColor: 'var(--bad-ground)' },
  '.cm-deletedChunk del, .cm-insertedLine ins, .cm-deletedChunk, .cm-changedText': { textDecoration: 'none' },
  '.cm-deletedChunk .cm-deletedLine': { textDecoration: 'none' },
  '.cm-changedLineGutter': { background: 'var(--good)' },
  '&.cm-merge-a .cm-changedLineGutter, .cm-deletedLineGutter': { background: 'var(--bad)' },
  '.cm-collapsedLines': {
    background: 'var(--raised)',
    color: 'var(--dim)',
    font: '12.5px var(--sans)',
    padding: '5px 14px',
  },
  '.cm-collapsedLines::before, .cm-collapsedLines::after': { color: 'var(--faint)', content: '"…"' },
};

const surface = {
  '&': { color: 'var(--ink)', backgroundColor: 'var(--card)', fontSize: '13px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55', fontFeatureSettings: '"calt" 0' },
  '.cm-content': { padding: '12px 0', caretColor: 'var(--gold)' },
  '.cm-cursor': { borderLeftColor: 'var(--gold)', borderLeftWidth: '2px' },
  '.cm-gutters': {
    backgroundColor: 'var(--card)',
    color: 'var(--faint)',
    border: 'none',
    paddingLeft: '8px',
  },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--raised) 60%, transparent)' },
  '.cm-activeLineGutter': { backgroundColor: 'transparent', color: 'var(--ink)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'color-mix(in srgb, var(--gold) 28%, transparent)',
  },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--raised)',
    outline: '1px solid var(--edge)',
  },
  '.cm-searchMatch': { backgroundColor: 'var(--warn-ground)', outline: '1px solid var(--warn)' },
  '.cm-searchMatch-selected': { backgroundColor: 'color-mix(in srgb, var(--gold) 45%, transparent)' },
  '.cm-foldPlaceholder': {
    background: 'var(--raised)',
    border: '1px solid var(--edge)',
    color: 'var(--dim)',
  },
};

export const look: Extension = [
  EditorView.theme({ ...surface, ...panel, ...completions, ...problems, ...differences }),
  syntaxHighlighting(colours),
];
