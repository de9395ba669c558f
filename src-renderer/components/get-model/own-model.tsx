import { Download } from 'lucide-react';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { useSession } from '../../session-context.ts';
import { getModelStrings as words } from '../../strings/first-start.ts';
import { Button } from '../button.tsx';
import { Disclosure } from '../disclosure.tsx';
import { useKept } from '../use-kept.ts';

const HASH = /^[0-9a-f]{64}$/;

/** Any model file, by its address. */
export function OwnModel(): ReactNode {
  return (
    <Disclosure id="own model" className="own-model" summary={<span>{words.ownTitle}</span>}>
      {() => <OwnModelForm />}
    </Disclosure>
  );
}

function OwnModelForm(): ReactNode {
  const { localModels } = useSession();
  const id = useId();
  const [reference, setReference] = useKept('model to download', '');
  const [hash, setHash] = useKept('hash of the model to download', '');
  const [problem, setProblem] = useState<string | null>(null);
  const sha256 = hash.trim().toLowerCase();
  const isHashWrong = sha256 !== '' && !HASH.test(sha256);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const wanted = { reference: reference.trim(), ...(sha256 === '' ? {} : { sha256 }) };
    const refusal = await localModels.download(wanted);
    setProblem(refusal);
    if (refusal !== null) return;
    setReference(undefined);
    setHash(undefined);
  };
  return (
    <form className="own-model-form" onSubmit={(event) => void submit(event)}>
      <div className="field" data-invalid={problem !== null}>
        <label className="field-label" htmlFor={`${id}-reference`}>
          {words.own}
        </label>
        <input
          id={`${id}-reference`}
          className="text-input"
          aria-describedby={`${id}-note`}
          aria-invalid={problem !== null}
          value={reference}
          spellCheck={false}
          onChange={({ target }) => setReference(target.value)}
        />
        <p id={`${id}-note`} className="field-note" role={problem === null ? undefined : 'alert'}>
          {problem ?? words.ownHint}
        </p>
      </div>
      <div className="field" data-invalid={isHashWrong}>
        <label className="field-label" htmlFor={`${id}-hash`}>
          {words.hash}
        </label>
        <input
          id={`${id}-hash`}
          className="text-input"
          aria-describedby={`${id}-hash-note`}
          aria-invalid={isHashWrong}
          value={hash}
          spellCheck={false}
          onChange={({ target }) => setHash(target.value)}
        />
        <p id={`${id}-hash-note`} className="field-note">
          {isHashWrong ? words.hashInvalid : words.hashHint}
        </p>
      </div>
      <Button type="submit" size="small" disabled={reference.trim() === '' || isHashWrong}>
        <Download aria-hidden="true" size={14} />
        {words.download}
      </Button>
    </form>
  );
}
