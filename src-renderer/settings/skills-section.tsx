import { Plus, Trash2 } from 'lucide-react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Button, IconButton } from '../components/button.tsx';
import { VisibleText } from '../components/visible-text.tsx';
import { useSession } from '../session-context.ts';
import { skillStrings } from '../skill-strings.ts';
import { Field, useSaving, useSettings } from './field.tsx';

const words = skillStrings.folders;

/** The folders that Markdown skills are looked for in, besides the app's and the person's own. */
export function SkillsSection(): ReactNode {
  const { skills } = useSession();
  const { skillFolders } = useSettings();
  const { problem, save } = useSaving();
  return (
    <>
      <p className="muted">{words.hint}</p>
      <ul className="settings-list">
        {skillFolders.map((folder) => (
          <li key={folder}>
            <code className="ellipsis">
              <VisibleText text={folder} />
            </code>
            <span className="spacer" />
            <IconButton
              label={words.remove(folder)}
              size="small"
              onClick={() =>
                void save({ skillFolders: skillFolders.filter((other) => other !== folder) })
              }
            >
              <Trash2 aria-hidden="true" size={14} />
            </IconButton>
          </li>
        ))}
      </ul>
      {skillFolders.length === 0 && <p className="muted">{words.none}</p>}
      <AddFolder
        problem={problem}
        known={skillFolders}
        onAdd={(folder) => save({ skillFolders: [...skillFolders, folder] })}
      />
      <Button onClick={() => skills.show({ view: 'list' })}>{words.open}</Button>
    </>
  );
}

/** An absolute path, on any system. */
const WHOLE = /^(?:\/|[A-Za-z]:[\\/]|\\\\)/;

function AddFolder({
  problem,
  known,
  onAdd,
}: {
  /** Main's refusal. */
  readonly problem: string | null;
  readonly known: readonly string[];
  readonly onAdd: (folder: string) => Promise<boolean>;
}): ReactNode {
  const [path, setPath] = useState('');
  const [mistake, setMistake] = useState<string | null>(null);
  const shown = mistake ?? problem;
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const folder = path.trim();
    const found = !WHOLE.test(folder)
      ? words.notWhole
      : known.includes(folder)
        ? words.known
        : null;
    setMistake(found);
    if (found === null && (await onAdd(folder))) setPath('');
  };
  return (
    <form className="inline-form" data-fields="1" onSubmit={(event) => void submit(event)}>
      <Field label={words.folder} problem={shown}>
        {({ id, describedBy }) => (
          <input
            id={id}
            className="text-input"
            aria-describedby={describedBy}
            aria-invalid={shown !== null}
            value={path}
            placeholder={words.placeholder}
            spellCheck={false}
            onChange={(event) => {
              setPath(event.target.value);
              setMistake(null);
            }}
          />
        )}
      </Field>
      <Button type="submit" disabled={path.trim() === ''}>
        <Plus aria-hidden="true" size={14} />
        {words.add}
      </Button>
    </form>
  );
}
