import { type ReactNode, useEffect, useState } from 'react';
import type { RequestOutput } from '#contract/requests.ts';
import type { SkillDetail } from '#contract/skills.ts';
import { LoadFailed } from '../../components/load-failed.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { useSession } from '../../session-context.ts';
import { editorStrings as words } from '../../strings/skill-editor.ts';
import { EditorWorkspace } from './editor-workspace.tsx';

/** What the editor starts with. */
interface Opened {
  readonly skill: SkillDetail | null;
  readonly templates: RequestOutput<'skills.templates'>;
}

/** The editor of a dynamic skill, or with null for a new one. */
export function SkillEditor({ skillId }: { readonly skillId: string | null }): ReactNode {
  const { skills } = useSession();
  const [opened, setOpened] = useState<Opened | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [turn, setTurn] = useState(0);
  // Loaded once: later changes must not overwrite what the user is writing.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another turn tries again
  useEffect(() => {
    let cancelled = false;
    const open = async (): Promise<void> => {
      const [templates, skill] = await Promise.all([
        skills.ask('skills.templates', {}),
        skillId === null ? null : skills.ask('skills.get', { skillId }),
      ]);
      if (cancelled) return;
      if (!templates.ok) setProblem(templates.error.message);
      else if (skill?.ok === false) setProblem(skill.error.message);
      else
        setOpened({ skill: skill === null ? null : skill.data.skill, templates: templates.data });
    };
    void open();
    return () => {
      cancelled = true;
    };
  }, [skills, skillId, turn]);
  if (opened !== null) return <EditorWorkspace {...opened} />;
  if (problem === null) {
    return (
      <div className="skills-column pad-top">
        <Skeleton label={words.loading} lines={8} />
      </div>
    );
  }
  return (
    <LoadFailed
      title={words.failed}
      problem={problem}
      onRetry={() => {
        setProblem(null);
        setTurn(turn + 1);
      }}
    />
  );
}
