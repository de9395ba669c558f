import type { ReactNode } from 'react';
import { Button } from '../components/button.tsx';
import { Lockable } from '../components/locked.tsx';
import { useSession } from '../session-context.ts';
import { skillStrings } from '../strings/skills.ts';
import { useSettings } from './field.tsx';
import { FolderList } from './folder-list.tsx';

const words = skillStrings.folders;

/** An absolute path, on any system. */
const WHOLE = /^(?:\/|[A-Za-z]:[\\/]|\\\\)/;

/** Folders to scan for Markdown skills, besides those of the app and of the data folder. */
export function SkillsSection(): ReactNode {
  const { skills, settings, showError } = useSession();
  const { skillFolders } = useSettings();
  const add = async (folder: string): Promise<string | null> => {
    if (!WHOLE.test(folder)) return words.notWhole;
    if (skillFolders.includes(folder)) return words.known;
    const refusal = await settings.update({ skillFolders: [...skillFolders, folder] });
    return refusal?.message ?? null;
  };
  const remove = async (folder: string): Promise<void> => {
    const others = skillFolders.filter((other) => other !== folder);
    const refusal = await settings.update({ skillFolders: others });
    if (refusal !== null) showError(refusal.message);
  };
  return (
    <>
      <p className="muted">{words.hint}</p>
      <Lockable names={['skillFolders']}>
        <FolderList
          words={words}
          keptAs="skill folder"
          paths={skillFolders}
          onAdd={add}
          onRemove={remove}
        />
      </Lockable>
      <Button onClick={() => skills.show({ view: 'list' })}>{words.open}</Button>
    </>
  );
}
