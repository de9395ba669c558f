import { type ReactNode, useState } from 'react';
import type { SkillTemplate } from '#contract/skills.ts';
import { Button } from '../../components/button.tsx';
import { editorStrings as words } from '../../strings/skill-editor.ts';

/** Templates to start from. Asks before unsaved changes are replaced. */
export function EditorTemplates({
  templates,
  isChanged,
  onChoose,
}: {
  readonly templates: readonly SkillTemplate[];
  readonly isChanged: boolean;
  readonly onChoose: (template: SkillTemplate) => void;
}): ReactNode {
  const [wanted, setWanted] = useState<SkillTemplate | null>(null);
  if (templates.length === 0) return null;
  if (wanted !== null) {
    return (
      <span className="row" role="alertdialog" aria-label={words.replaceSure}>
        <span>{words.replaceSure}</span>
        <Button
          size="small"
          variant="danger"
          onClick={() => {
            onChoose(wanted);
            setWanted(null);
          }}
        >
          {words.replace}
        </Button>
        <Button size="small" variant="ghost" onClick={() => setWanted(null)}>
          {words.keepMine}
        </Button>
      </span>
    );
  }
  return (
    <select
      className="text-input"
      aria-label={words.templates}
      value=""
      onChange={(event) => {
        const chosen = templates.find(({ id }) => id === event.target.value);
        if (chosen === undefined) return;
        if (isChanged) setWanted(chosen);
        else onChoose(chosen);
      }}
    >
      <option value="">{words.chooseTemplate}</option>
      {templates.map(({ id, name, description }) => (
        <option key={id} value={id} title={description}>
          {name}
        </option>
      ))}
    </select>
  );
}
