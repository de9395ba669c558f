import { Compartment, EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { type ReactNode, useEffect, useRef } from 'react';
import { loadLanguage } from '../../components/code-editor/languages.ts';
import { useEditor } from '../../components/code-editor/use-editor.ts';

interface TextEditorProps {
  readonly label: string;
  readonly initial: string;
  /** The ending of the file's name, which says its language. */
  readonly extension: string;
  /** Whether it takes the focus when it appears. */
  readonly takesFocus: boolean;
  readonly onChange: (text: string) => void;
  readonly onSave: () => void;
}

/** An editor of a text file, which keeps every byte that is not edited. It owns its text once created. */
export function TextEditor(props: TextEditorProps): ReactNode {
  const { initial, extension, takesFocus } = props;
  const end = lineEnd(initial);
  const language = useRef(new Compartment());
  const view = useRef<EditorView>(null);
  const host = useEditor(view, {
    ...props,
    extensions: [
      EditorState.lineSeparator.of(end),
      // What is pasted or dropped has the line ends of the file.
      EditorView.clipboardInputFilter.of((text) => text.replaceAll(/\r\n?|\n/g, end)),
      language.current.of([]),
    ],
  });
  useEffect(() => {
    if (takesFocus) view.current?.focus();
  }, [takesFocus]);
  useEffect(() => {
    void loadLanguage(extension).then((loaded) =>
      view.current?.dispatch({ effects: language.current.reconfigure(loaded) }),
    );
  }, [extension]);
  return <div className="code-editor file-editor-text" ref={host} />;
}

/** Of a text with both kinds, those of one stay characters in its lines, and are shown as such. */
function lineEnd(text: string): string {
  return text.includes('\r\n') && !/(?:^|[^\r])\n/.test(text) ? '\r\n' : '\n';
}
