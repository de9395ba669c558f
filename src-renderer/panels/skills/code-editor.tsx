import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, isolateHistory } from '@codemirror/commands';
import { javascript, javascriptLanguage, typescriptLanguage } from '@codemirror/lang-javascript';
import { bracketMatching, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  hoverTooltip,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { type ReactNode, type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import type { SkillFinding, SkillLanguage } from '#contract/skills.ts';
import type { Declarations } from '../../store/declarations.ts';
import { editorStrings as words } from '../../strings/skill-editor.ts';
import { editorColours, editorTheme } from './editor-theme.ts';
import { completeSkill, declaredAt } from './skill-completions.ts';

export interface CodeEditorHandle {
  /** Replaces the source; this can be undone. */
  replace(source: string): void;
  goTo(line: number): void;
}

/** A source editor with highlighting, completions, tooltips and marks. It owns its text once created. */
export function CodeEditor({
  ref,
  initial,
  language,
  declarations,
  findings,
  onChange,
  onSave,
}: {
  readonly ref: Ref<CodeEditorHandle>;
  readonly initial: string;
  readonly language: SkillLanguage;
  readonly declarations: Declarations;
  readonly findings: readonly SkillFinding[];
  readonly onChange: (source: string) => void;
  readonly onSave: () => void;
}): ReactNode {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const calls = useRef({ onChange, onSave });
  calls.current = { onChange, onSave };
  const dialect = useRef(new Compartment());

  // biome-ignore lint/correctness/useExhaustiveDependencies: created once; the effects below update it
  useEffect(() => {
    if (host.current === null) return;
    const made = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: initial,
        extensions: [
          ...BASICS,
          keymap.of([
            {
              key: 'Mod-s',
              run: () => {
                calls.current.onSave();
                return true;
              },
            },
          ]),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) calls.current.onChange(update.state.doc.toString());
          }),
          dialect.current.of(dialectOf(language, declarations)),
        ],
      }),
    });
    view.current = made;
    return () => {
      view.current = null;
      made.destroy();
    };
  }, []);

  useEffect(() => {
    const effects = dialect.current.reconfigure(dialectOf(language, declarations));
    view.current?.dispatch({ effects });
  }, [language, declarations]);

  useEffect(() => {
    const current = view.current;
    if (current === null) return;
    current.dispatch(setDiagnostics(current.state, marksOf(current.state, findings)));
  }, [findings]);

  useImperativeHandle(ref, () => ({
    replace: (source) => {
      const to = view.current?.state.doc.length ?? 0;
      view.current?.dispatch({
        changes: { from: 0, to, insert: source },
        // A separate undo step, however soon after the last edit.
        annotations: isolateHistory.of('full'),
      });
      view.current?.focus();
    },
    goTo: (line) => {
      const current = view.current;
      if (current === null) return;
      const { doc } = current.state;
      const { from } = doc.line(Math.min(Math.max(1, line), doc.lines));
      current.dispatch({ selection: { anchor: from }, scrollIntoView: true });
      current.focus();
    },
  }));
  return <div className="code-editor" ref={host} />;
}

/** Tab is not bound: it moves to the next control, as everywhere in the window. */
const BASICS: readonly Extension[] = [
  ...[lineNumbers(), highlightSpecialChars(), history(), drawSelection()],
  ...[indentOnInput(), bracketMatching(), closeBrackets(), autocompletion()],
  ...[highlightActiveLine(), lintGutter(), EditorView.lineWrapping, editorTheme],
  syntaxHighlighting(editorColours),
  EditorState.tabSize.of(2),
  EditorView.contentAttributes.of({
    'aria-label': words.source,
    spellcheck: 'false',
    tabindex: '0',
  }),
  keymap.of([
    ...closeBracketsKeymap,
    ...defaultKeymap,
    ...historyKeymap,
    ...completionKeymap,
    ...lintKeymap,
  ]),
];

function dialectOf(language: SkillLanguage, declarations: Declarations): Extension {
  const isTyped = language === 'typescript';
  const own = isTyped ? typescriptLanguage : javascriptLanguage;
  return [
    javascript({ typescript: isTyped }),
    own.data.of({ autocomplete: completeSkill(declarations) }),
    hoverTooltip((editor, at) => {
      const found = declaredAt(declarations, editor.state.doc.toString(), at);
      if (found === null) return null;
      const { declared, from, to } = found;
      return { pos: from, end: to, above: true, create: () => ({ dom: tipOf(declared) }) };
    }),
  ];
}

function tipOf({
  signature,
  doc,
}: {
  readonly signature: string;
  readonly doc: string;
}): HTMLElement {
  const tip = document.createElement('div');
  tip.className = 'code-tip';
  const code = document.createElement('code');
  code.textContent = signature;
  tip.append(code);
  if (doc !== '') tip.append(Object.assign(document.createElement('p'), { textContent: doc }));
  return tip;
}

/** Findings as marks on their lines; those about the whole file are at its start. */
function marksOf(state: EditorState, findings: readonly SkillFinding[]): Diagnostic[] {
  return findings.map(({ severity, line, message }) => {
    const place = state.doc.line(Math.min(Math.max(1, line ?? 1), state.doc.lines));
    const to = line === null ? place.from : place.to;
    return { from: place.from, to, severity: severity === 'note' ? 'info' : severity, message };
  });
}
