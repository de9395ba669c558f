import '../../styles/code-editor.css';
import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { EditorState, type Extension } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { type RefObject, useEffect, useRef } from 'react';
import { editorColours, editorTheme } from './editor-theme.ts';

export interface EditorOptions {
  /** Read out; the editor is created with it and with what follows, once. */
  readonly label: string;
  readonly initial: string;
  readonly extensions: readonly Extension[];
  /** Called with the newest of these. */
  readonly onChange: (text: string) => void;
  readonly onSave: () => void;
}

/** An editor in the element of the returned ref. It owns its text once created; `view` is null while there is none. */
export function useEditor(
  view: RefObject<EditorView | null>,
  options: EditorOptions,
): RefObject<HTMLDivElement | null> {
  const host = useRef<HTMLDivElement>(null);
  const calls = useRef(options);
  calls.current = options;
  useEffect(() => {
    if (host.current === null) return;
    const { initial, label, extensions } = calls.current;
    const made = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: initial,
        extensions: [
          extensions,
          BASICS,
          EditorView.contentAttributes.of({
            'aria-label': label,
            spellcheck: 'false',
            tabindex: '0',
          }),
          keymap.of([
            {
              key: 'Mod-s',
              run: () => {
                calls.current.onSave();
                return true;
              },
            },
          ]),
          EditorView.updateListener.of(({ docChanged, state }) => {
            // With the line ends of the text, which `doc` does not keep.
            if (docChanged) calls.current.onChange(state.sliceDoc());
          }),
        ],
      }),
    });
    view.current = made;
    return () => {
      view.current = null;
      made.destroy();
    };
  }, [view]);
  return host;
}

/** Tab is not bound: it moves to the next control, as everywhere in the window. */
const BASICS: readonly Extension[] = [
  ...[lineNumbers(), highlightSpecialChars(), history(), drawSelection()],
  ...[indentOnInput(), bracketMatching(), closeBrackets(), highlightActiveLine()],
  ...[EditorView.lineWrapping, editorTheme, syntaxHighlighting(editorColours)],
  EditorState.tabSize.of(2),
  keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap]),
];
