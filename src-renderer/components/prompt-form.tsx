import './prompt-form.css';
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import type { SavedPrompt } from '#contract/settings.ts';
import { useApp, useSession } from '../session-context.ts';
import { promptProblem, withPrompt } from '../store/saved-prompts.ts';
import { appStrings } from '../strings/app.ts';
import { promptStrings as words } from '../strings/prompts.ts';
import { Button } from './button.tsx';

const NONE: readonly SavedPrompt[] = [];

/** Edits one of the user's prompts, or a new one where none has the name `before`, and saves it. */
export function PromptForm({
  before,
  prompt,
  takesFocus = true,
  onChange,
  onDone,
}: {
  readonly before: string | null;
  /** As it is typed. */
  readonly prompt: SavedPrompt;
  readonly takesFocus?: boolean;
  readonly onChange: (prompt: SavedPrompt) => void;
  readonly onDone: () => void;
}): ReactNode {
  const { settings } = useSession();
  const saved = useApp((state) => state.settings?.prompts ?? NONE);
  const { name, text } = prompt;
  const [refusal, setRefusal] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const noteId = useId();
  const nameInput = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (takesFocus) nameInput.current?.focus();
  }, [takesFocus]);
  const changed = { name: name.trim(), text: text.trim() };
  const fault = promptProblem(saved, changed, before);
  // A refusal is for what was sent: it may be tried again.
  const problem = fault ?? refusal;
  const isEmpty = changed.name === '' || changed.text === '';
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    const error = await settings.update({ prompts: withPrompt(saved, changed, before) });
    setBusy(false);
    setRefusal(error?.message ?? null);
    if (error === null) onDone();
  };
  return (
    <form className="prompt-form" onSubmit={(event) => void submit(event)}>
      <label className="field">
        <span className="field-label">{words.name}</span>
        <input
          ref={nameInput}
          className="text-input"
          dir="auto"
          value={name}
          aria-describedby={noteId}
          aria-invalid={problem !== null}
          onChange={(event) => {
            onChange({ name: event.target.value, text });
            setRefusal(null);
          }}
        />
      </label>
      <label className="field">
        <span className="field-label">{words.text}</span>
        <textarea
          className="text-input growing"
          dir="auto"
          rows={4}
          value={text}
          aria-describedby={noteId}
          aria-invalid={problem !== null}
          onChange={(event) => {
            onChange({ name, text: event.target.value });
            setRefusal(null);
          }}
        />
      </label>
      <p id={noteId} className="field-note" data-invalid="true" role="alert">
        {problem}
      </p>
      <div className="row">
        <Button
          type="submit"
          size="small"
          variant="primary"
          disabled={busy || isEmpty || fault !== null}
        >
          {words.save}
        </Button>
        <Button size="small" variant="ghost" onClick={onDone}>
          {appStrings.cancel}
        </Button>
      </div>
    </form>
  );
}
