import { autocompletion, completionKeymap } from '@codemirror/autocomplete';
import { isolateHistory } from '@codemirror/commands';
import { javascript, javascriptLanguage, typescriptLanguage } from '@codemirror/lang-javascript';
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { Compartment, type EditorState, type Extension } from '@codemirror/state';
import { type EditorView, hoverTooltip, keymap } from '@codemirror/view';
import { type ReactNode, type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import type { SkillFinding, SkillLanguage } from '#contract/skills.ts';
import { useEditor } from '../../components/code-editor/use-editor.ts';
import type { Declarations } from '../../store/declarations.ts';
import { editorStrings as words } from '../../strings/skill-editor.ts';
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
  const dialect = useRef(new Compartment());
  const view = useRef<EditorView>(null);
  const host = useEditor(view, {
    ...{ label: words.source, initial, onChange, onSave },
    extensions: [...OF_SKILLS, dialect.current.of(dialectOf(language, declarations))],
  });

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

const OF_SKILLS: readonly Extension[] = [
  autocompletion(),
  lintGutter(),
  keymap.of([...completionKeymap, ...lintKeymap]),
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
