import '../../styles/file-editor.css';
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { appStrings } from '../../strings/app.ts';
import { fileEditorStrings as words } from '../../strings/file-editor.ts';

interface FileNameFormProps {
  readonly label: string;
  readonly submitLabel: string;
  readonly initial?: string;
  /** Takes a path of the workspace; a text says why it is not taken. */
  readonly onName: (path: string) => Promise<string | null> | string | null;
  readonly onCancel: () => void;
}

/** Asks for the name of a file, with its folder. */
export function FileNameForm({
  label,
  submitLabel,
  initial = '',
  onName,
  onCancel,
}: FileNameFormProps): ReactNode {
  const [given, setGiven] = useState(initial);
  const [problem, setProblem] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const note = useId();
  useEffect(() => {
    const input = field.current;
    input?.focus();
    // The name, without its folder and its ending.
    const start = input?.value.lastIndexOf('/') ?? -1;
    const end = input?.value.lastIndexOf('.') ?? -1;
    input?.setSelectionRange(start + 1, end > start + 1 ? end : input.value.length);
  }, []);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const path = plainPath(given);
    setProblem(path === null ? words.badPath : await onName(path));
  };
  return (
    <form
      className="file-name-form"
      onSubmit={(event) => void submit(event)}
      onKeyDown={(event) => event.key === 'Escape' && onCancel()}
    >
      <label>
        {label}
        <input
          ref={field}
          className="text-input"
          value={given}
          placeholder={words.example}
          spellCheck={false}
          aria-invalid={problem !== null}
          aria-describedby={note}
          onChange={(event) => {
            setGiven(event.target.value);
            setProblem(null);
          }}
        />
      </label>
      <Button type="submit" size="small" variant="primary">
        {submitLabel}
      </Button>
      <Button size="small" onClick={onCancel}>
        {appStrings.cancel}
      </Button>
      <p id={note} className="field-note" role="alert">
        {problem}
      </p>
    </form>
  );
}

/** Relative to the workspace; null for one that names no file in it. */
function plainPath(given: string): string | null {
  const path = given
    .trim()
    .replace(/^\/workspace\//, '')
    .replace(/^(?:\.?\/)+/, '');
  const parts = path.split('/');
  const isPlain = parts.every((part) => part !== '' && part !== '.' && part !== '..');
  return isPlain && path.length <= 1_000 ? path : null;
}
