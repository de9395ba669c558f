import { HighlightStyle } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** Colours of code, as everywhere in the window: light and dark are in the variables. */
export const editorColours = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier, tags.operatorKeyword], color: 'var(--syntax-keyword)' },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: 'var(--syntax-string)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: 'var(--syntax-number)' },
  { tag: tags.comment, color: 'var(--syntax-comment)' },
  {
    tag: [tags.definition(tags.variableName), tags.function(tags.variableName)],
    color: 'var(--syntax-title)',
  },
  { tag: [tags.function(tags.propertyName), tags.propertyName], color: 'var(--syntax-title)' },
  { tag: [tags.typeName, tags.className], color: 'var(--syntax-type)' },
  { tag: tags.invalid, color: 'var(--danger)' },
]);

/** The look of the editor itself. */
export const editorTheme = EditorView.theme({
  '&': { height: '100%', color: 'var(--text)', backgroundColor: 'var(--bg)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    fontFamily: 'var(--font-mono)',
    fontSize: 'var(--size-small)',
    lineHeight: '1.6',
  },
  '.cm-content': { caretColor: 'var(--text)', padding: '10px 0' },
  '.cm-gutters': {
    color: 'var(--text-muted)',
    backgroundColor: 'var(--bg)',
    border: 'none',
  },
  '.cm-activeLine': { backgroundColor: 'var(--bg-hover)' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--text)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground':
    { backgroundColor: 'var(--bg-selected)' },
  '&.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--bg-active)',
    outline: '1px solid var(--border-control)',
  },
  '.cm-specialChar': { color: 'var(--danger)', backgroundColor: 'var(--danger-soft)' },
  '.cm-tooltip': {
    border: '1px solid var(--border-strong)',
    borderRadius: 'var(--radius-small)',
    color: 'var(--text)',
    backgroundColor: 'var(--bg-raised)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--font-mono)',
    fontSize: 'var(--size-tiny)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 8px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    color: 'var(--text)',
    backgroundColor: 'var(--bg-selected)',
  },
  '.cm-completionDetail': { color: 'var(--text-muted)', fontStyle: 'normal' },
  '.cm-completionInfo': {
    maxWidth: '340px',
    fontSize: 'var(--size-tiny)',
    whiteSpace: 'pre-wrap',
  },
  '.cm-diagnostic': { fontSize: 'var(--size-small)' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--danger)' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--warning)' },
  '.cm-panels': { color: 'var(--text)', backgroundColor: 'var(--bg-sunken)' },
  '.cm-panel.cm-panel-lint ul [aria-selected]': {
    color: 'var(--text)',
    backgroundColor: 'var(--bg-selected)',
  },
});
