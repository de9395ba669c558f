import { type ReactNode, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { SavedPrompt } from '#contract/settings.ts';
import { makeVisible } from '#contract/visible-text.ts';
import { Button } from '../components/button.tsx';
import { PromptForm } from '../components/prompt-form.tsx';
import { useKept } from '../components/use-kept.ts';
import { VisibleText } from '../components/visible-text.tsx';
import { useSession } from '../session-context.ts';
import { promptStrings as words } from '../strings/prompts.ts';
import { useSettings } from './field.tsx';

/** Of a text, the line in the list shows no more. */
const SHOWN_CHARS = 200;

/** The prompt that is being edited: its name until now, null for a new one, and what is typed. */
interface EditedPrompt {
  readonly before: string | null;
  readonly prompt: SavedPrompt;
}

/** The user's own prompts. */
export function PromptsSection(): ReactNode {
  const { settings, showError } = useSession();
  const { prompts } = useSettings();
  const [edited, setEdited] = useKept<EditedPrompt | null>('prompt', null);
  // A form that was left open takes no focus from the one who comes back to this page.
  const [isNew, setIsNew] = useState(false);
  const add = useRef<HTMLButtonElement>(null);
  const edit = (before: string | null, prompt: SavedPrompt): void => {
    setIsNew(true);
    setEdited({ before, prompt });
  };
  const done = (): void => {
    flushSync(() => setEdited(undefined));
    add.current?.focus();
  };
  // One that was deleted elsewhere meanwhile is a new one.
  const before = prompts.find(({ name }) => name === edited?.before)?.name ?? null;
  const form = edited !== null && (
    <PromptForm
      key={edited.before}
      before={before}
      prompt={edited.prompt}
      takesFocus={isNew}
      onChange={(prompt) => setEdited({ ...edited, prompt })}
      onDone={done}
    />
  );
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
            {before === prompt.name ? (
              form
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
                  disabled={edited !== null}
                  aria-label={words.editOne(makeVisible(prompt.name))}
                  onClick={() => edit(prompt.name, prompt)}
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
      {edited !== null && before === null ? (
        form
      ) : (
        <Button
          ref={add}
          size="small"
          disabled={edited !== null}
          onClick={() => edit(null, { name: '', text: '' })}
        >
          {words.add}
        </Button>
      )}
    </section>
  );
}
