import '../../components/prompt-form.css';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { makeVisible } from '#contract/visible-text.ts';
import { Button } from '../../components/button.tsx';
import { Modal } from '../../components/modal.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { appStrings } from '../../strings/app.ts';
import { suggestionStrings } from '../../strings/suggestions.ts';
import type { ChosenOffer } from './suggestions.ts';

const words = suggestionStrings.offered;

/** Asks for the arguments of a prompt, or the variables of a resource. All texts come from the server. */
export function OfferDialog({
  chosen,
  onGet,
  onClose,
}: {
  readonly chosen: ChosenOffer;
  /** Returns an error message, or null if there is nothing more to do. */
  readonly onGet: (given: Readonly<Record<string, string>>) => Promise<string | null>;
  readonly onClose: () => void;
}): ReactNode {
  const [given, setGiven] = useState<Readonly<Record<string, string>>>({});
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const id = useId();
  const { connector } = chosen;
  const { title, description, fields, from, submit: label } = shownOf(chosen);
  const isMissing = fields.some(
    ({ name, isRequired }) => isRequired && (typedFor(given, name) ?? '').trim() === '',
  );
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    // Empty fields are omitted.
    const filled = Object.entries(given).filter(([, value]) => value !== '');
    const refusal = await onGet(Object.fromEntries(filled));
    if (refusal === null) return;
    setProblem(refusal);
    setBusy(false);
  };
  return (
    <Modal title={makeVisible(title)} description={from} onClose={onClose}>
      <form className="prompt-form" onSubmit={(event) => void submit(event)}>
        {description !== '' && (
          <p>
            <VisibleText text={description} />
          </p>
        )}
        {fields.map(({ name, description: about, isRequired }, index) => (
          <div key={name} className="field">
            <label className="field-label" htmlFor={`${id} ${index}`}>
              <VisibleText text={name} />
              {!isRequired && <span className="muted"> {words.optional}</span>}
            </label>
            <input
              id={`${id} ${index}`}
              className="text-input"
              dir="auto"
              required={isRequired}
              value={typedFor(given, name) ?? ''}
              aria-describedby={`${id} ${index} note`}
              onChange={(event) => setGiven({ ...given, [name]: event.target.value })}
            />
            <p id={`${id} ${index} note`} className="field-note">
              <VisibleText text={about} />
            </p>
          </div>
        ))}
        <p className="field-note" data-invalid="true" role="alert">
          {problem !== null && <VisibleText text={problem} />}
        </p>
        <div className="row">
          <Button type="submit" size="small" variant="primary" disabled={busy || isMissing}>
            {busy ? words.waiting(connector) : label}
          </Button>
          <Button size="small" variant="ghost" onClick={onClose}>
            {appStrings.cancel}
          </Button>
        </div>
      </form>
    </Modal>
  );
}

/** Shown while a prompt without arguments is requested; its server may have to start first. */
export function WaitingForPrompt({ connector }: { readonly connector: string }): ReactNode {
  return (
    <p className="muted row" role="status">
      <Spinner />
      {words.waiting(connector)}
    </p>
  );
}

function typedFor(given: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(given, name) ? given[name] : undefined;
}

function shownOf(chosen: ChosenOffer) {
  if (chosen.kind === 'offeredPrompt') {
    const { title, description, arguments: fields } = chosen.prompt;
    return { title, description, fields, from: words.from(chosen.connector), submit: words.insert };
  }
  const { name: title, description, uri, variables } = chosen.resource;
  const fields = variables.map((variable) => ({ ...variable, description: '' }));
  return {
    ...{ title, description: description || uri, fields },
    ...{ from: words.resourceFrom(chosen.connector), submit: words.attach },
  };
}
