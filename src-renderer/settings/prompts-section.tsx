import { type ReactNode, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { makeVisible } from '#contract/visible-text.ts';
import { Button } from '../components/button.tsx';
import { PromptForm } from '../components/prompt-form.tsx';
import { VisibleText } from '../components/visible-text.tsx';
import { useSession } from '../session-context.ts';
import { promptStrings as words } from '../strings/prompts.ts';
import { useSettings } from './field.tsx';

/** Of a text, the line in the list shows no more. */
const SHOWN_CHARS = 200;

/** The user's own prompts. */
export function PromptsSection(): ReactNode {
  const { settings, showError } = useSession();
  const { prompts } = useSettings();
  /** The prompt that is being edited: its name, null for a new one, undefined for none. */
  const [editing, setEditing] = useState<string | null | undefined>(undefined);
  const add = useRef<HTMLButtonElement>(null);
  const done = (): void => {
    flushSync(() => setEditing(undefined));
    add.current?.focus();
  };
  const remove = async (name: string): Promise<void> => {
    const others = prompts.filter((other) => other.name !== name);
    const refusal = await settings.update({ prompts: others });
    if (refusal !== null) showError(refusal.message);
  };
  return (
    <section className="settings-group">
      <p className="muted">{words.hint}</p>
      {prompts.length === 0 && <p className="muted">{words.none}</p>}
      <ul className="settings-list">
        {prompts.map((prompt) => (
          <li key={prompt.name}>
            {editing === prompt.name ? (
              <PromptForm before={prompt.name} prompt={prompt} onDone={done} />
            ) : (
              <>
                <div className="prompt-line">
                  <strong>
                    <VisibleText text={prompt.name} />
                  </strong>
                  <span className="muted">
                    <VisibleText text={prompt.text.slice(0, SHOWN_CHARS)} />
                  </span>
                </div>
                <Button
                  size="small"
                  aria-label={words.editOne(makeVisible(prompt.name))}
                  onClick={() => setEditing(prompt.name)}
                >
                  {words.edit}
                </Button>
                <Button
                  size="small"
                  aria-label={words.deleteOne(makeVisible(prompt.name))}
                  onClick={() => void remove(prompt.name)}
                >
                  {words.delete}
                </Button>
              </>
            )}
          </li>
        ))}
      </ul>
      {editing === null ? (
        <PromptForm before={null} prompt={{ name: '', text: '' }} onDone={done} />
      ) : (
        <Button ref={add} size="small" onClick={() => setEditing(null)}>
          {words.add}
        </Button>
      )}
    </section>
  );
}
