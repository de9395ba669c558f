import '../../styles/skill-editor.css';
import { Save } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import type { RequestOutput } from '#contract/requests.ts';
import type { SkillCheck, SkillDetail, SkillFinding, SkillLanguage } from '#contract/skills.ts';
import { Button } from '../../components/button.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { useApp, useSession } from '../../session-context.ts';
import { NEW_SKILL, type SkillDraft } from '../../store/app-state.ts';
import { readDeclarations } from '../../store/declarations.ts';
import { editorStrings as words } from '../../strings/skill-editor.ts';
import { CodeEditor, type CodeEditorHandle } from './code-editor.tsx';
import { EditorSide } from './editor-side.tsx';
import { EditorTemplates } from './editor-templates.tsx';

/** Why saving failed; `newest` is the hash of a source that was saved elsewhere in the meantime. */
interface Problem {
  readonly message: string;
  readonly newest: string | null;
}

/** The source on one side; its findings, run and versions on the other. */
export function EditorWorkspace({
  skill,
  templates: { templates, types },
}: {
  readonly skill: SkillDetail | null;
  readonly templates: RequestOutput<'skills.templates'>;
}): ReactNode {
  const { skills } = useSession();
  const key = skill?.summary.id ?? NEW_SKILL;
  const saved = useMemo<SkillDraft>(() => {
    const first = skill?.code ?? templates[0];
    return { language: first?.language ?? 'typescript', source: first?.source ?? '' };
  }, [skill, templates]);
  const draft = useApp((state) => state.skillDrafts.get(key)) ?? saved;
  const { language, source } = draft;
  const editor = useRef<CodeEditorHandle>(null);
  const [saving, setSaving] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const declarations = useMemo(() => readDeclarations(types), [types]);
  const { check, checking } = useCheck(draft);
  const isChanged = source !== saved.source || language !== saved.language;

  const change = (next: Partial<SkillDraft>): void => skills.draft(key, { ...draft, ...next });
  const save = async (base = skill?.code?.sha256 ?? null): Promise<void> => {
    if (saving || source.trim() === '') return;
    setSaving(true);
    const result = await skills.ask('skills.save', { language, source, base });
    setSaving(false);
    if (!result.ok) {
      const { message, details } = result.error;
      setProblem({ message, newest: typeof details.newest === 'string' ? details.newest : null });
      return;
    }
    skills.draft(key, null);
    skills.show({ view: 'review', skillId: result.data.skill.summary.id });
  };

  const name = skill?.summary.name ?? null;
  return (
    <div className="skill-editor">
      <header className="skill-editor-bar">
        <h1>
          <VisibleText text={name === null ? words.newTitle : words.title(name)} />
        </h1>
        <span className="muted" role="status">
          {isChanged ? words.unsaved : skill === null ? '' : words.saved}
        </span>
        <span className="spacer" />
        <EditorTemplates
          templates={templates}
          isChanged={isChanged}
          onChoose={(template) => {
            change({ language: template.language, source: template.source });
            editor.current?.replace(template.source);
          }}
        />
        <select
          className="text-input"
          aria-label={words.language}
          value={language}
          onChange={(event) => change({ language: event.target.value as SkillLanguage })}
        >
          {(['typescript', 'javascript'] as const).map((one) => (
            <option key={one} value={one}>
              {words.languages[one]}
            </option>
          ))}
        </select>
        <Button variant="primary" size="small" disabled={saving} onClick={() => void save()}>
          <Save aria-hidden="true" size={14} />
          {words.save}
        </Button>
      </header>
      {problem !== null && (
        <p className="banner skill-editor-problem" data-tone="danger" role="alert">
          <VisibleText text={problem.message} />
          {problem.newest !== null && (
            <Button size="small" disabled={saving} onClick={() => void save(problem.newest)}>
              {words.saveOver}
            </Button>
          )}
        </p>
      )}
      <div className="skill-editor-columns">
        <section className="skill-editor-source" aria-label={words.source}>
          <CodeEditor
            ref={editor}
            initial={source}
            language={language}
            declarations={declarations}
            findings={check?.findings ?? NO_FINDINGS}
            onChange={(next) => change({ source: next })}
            onSave={() => void save()}
          />
          <p className="muted skill-editor-keys">{words.keys}</p>
        </section>
        <EditorSide
          skill={skill}
          check={check}
          checking={checking}
          isChanged={isChanged}
          onGoTo={(line) => editor.current?.goTo(line)}
          onRestore={(version) => {
            change({ language: version.language, source: version.source });
            editor.current?.replace(version.source);
          }}
        />
      </div>
    </div>
  );
}

const NO_FINDINGS: readonly SkillFinding[] = [];

/** Typing pause before a source is checked, in milliseconds. */
const PAUSE_MS = 400;

/** The findings of a source, checked once the user stops typing; until then the last ones. */
function useCheck({ language, source }: SkillDraft): {
  readonly check: SkillCheck | null;
  readonly checking: boolean;
} {
  const { skills } = useSession();
  const [check, setCheck] = useState<SkillCheck | null>(null);
  const [checking, setChecking] = useState(false);
  useEffect(() => {
    if (source.trim() === '') {
      setCheck(null);
      return;
    }
    let cancelled = false;
    setChecking(true);
    const timer = setTimeout(async () => {
      const result = await skills.ask('skills.check', { language, source });
      if (cancelled) return;
      setChecking(false);
      // A failed check is not reported here: saving checks again and reports it.
      setCheck(result.ok ? result.data : null);
    }, PAUSE_MS);
    return () => {
      cancelled = true;
      clearTimeout(timer);
    };
  }, [skills, language, source]);
  return { check, checking };
}
