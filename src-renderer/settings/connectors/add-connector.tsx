import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { ImportedConnector } from '#contract/connectors.ts';
import { Button } from '../../components/button.tsx';
import { useKept } from '../../components/use-kept.ts';
import { useSession } from '../../session-context.ts';
import { connectorStrings } from '../../strings/connectors.ts';
import { Field, SettingsGroup, TextInput } from '../field.tsx';
import { ConfirmConnector } from './confirm-connector.tsx';
import { Lines, ProgramFields, RemoteFields } from './connector-fields.tsx';
import { type ConnectorForm, draftOf, EMPTY_FORM } from './connector-form.ts';

const words = connectorStrings.add;

/** A form for another connector. What it would add is shown in full before it is added. */
export function AddConnector({ storage }: { readonly storage: string | null }): ReactNode {
  const session = useSession();
  const [form, setForm] = useKept<ConnectorForm>('new connector', EMPTY_FORM);
  const [problem, setProblem] = useState<string | null>(null);
  /** Servers that the user still decides about. */
  const [queue, setQueue] = useState<readonly ImportedConnector[]>([]);
  const [total, setTotal] = useState(0);
  const isBusy = useRef(false);
  const hasAdded = useRef(false);
  const place = useRef<HTMLFormElement>(null);
  const isDeciding = queue.length > 0;
  const wasDeciding = useRef(false);
  useEffect(() => {
    if (wasDeciding.current && !isDeciding) {
      // The button that opened the dialog cannot have the focus again where the form is empty.
      const next = place.current?.querySelector<HTMLElement>('[type=submit]:enabled');
      (next ?? place.current?.querySelector('input'))?.focus();
    }
    wasDeciding.current = isDeciding;
  }, [isDeciding]);
  const set = (change: Partial<ConnectorForm>): void => setForm({ ...form, ...change });
  const review = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    try {
      const found = await foundIn(form, async (text) => {
        const result = await session.bridge.request('connectors.read', { text });
        if (result.ok) return result.data.found;
        throw new Error(result.error.message);
      });
      setProblem(null);
      hasAdded.current = false;
      setTotal(found.length);
      setQueue(found);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  const decide = async (found: ImportedConnector, isWanted: boolean): Promise<void> => {
    if (isBusy.current) return;
    const { name, draft } = found;
    if (isWanted && draft !== null) {
      isBusy.current = true;
      const result = await session.bridge.request('connectors.add', { name, draft });
      isBusy.current = false;
      if (!result.ok) {
        setProblem(result.error.message);
        setQueue([]);
        return;
      }
      hasAdded.current = true;
    }
    const rest = queue.slice(1);
    if (rest.length === 0 && hasAdded.current) setForm(undefined);
    setQueue(rest);
  };
  const [next] = queue;
  return (
    <SettingsGroup title={words.title}>
      <form ref={place} className="connector-form" onSubmit={(event) => void review(event)}>
        <fieldset className="choice connector-kinds">
          <legend className="visually-hidden">{words.kind}</legend>
          {(['program', 'remote', 'paste'] as const).map((kind) => (
            <label key={kind} className="choice-option">
              <input
                type="radio"
                name="connector kind"
                checked={form.kind === kind}
                onChange={() => set({ kind })}
              />
              {words.kinds[kind]}
            </label>
          ))}
        </fieldset>
        {form.kind === 'paste' ? (
          <Lines
            label={words.text}
            hint={words.textHint}
            rows={8}
            value={form.text}
            onText={(text) => set({ text })}
          />
        ) : (
          <Field label={words.name} hint={words.nameHint} problem={null}>
            {(ids) => (
              <TextInput
                ids={ids}
                value={form.name}
                placeholder="github"
                spellCheck={false}
                onText={(name) => set({ name })}
              />
            )}
          </Field>
        )}
        {form.kind === 'program' && <ProgramFields form={form} storage={storage} set={set} />}
        {form.kind === 'remote' && <RemoteFields form={form} storage={storage} set={set} />}
        {problem !== null && (
          <p className="field-note" role="alert" data-invalid="true">
            {problem}
          </p>
        )}
        <Button type="submit" disabled={isEmpty(form)}>
          {words.next}
        </Button>
      </form>
      {next !== undefined && (
        <ConfirmConnector
          key={next.name}
          found={next}
          place={total > 1 ? [total - queue.length + 1, total] : null}
          onAdd={() => void decide(next, true)}
          onSkip={() => void decide(next, false)}
          onClose={() => setQueue([])}
        />
      )}
    </SettingsGroup>
  );
}

function isEmpty({ kind, name, command, url, text }: ConnectorForm): boolean {
  if (kind === 'paste') return text.trim() === '';
  return name.trim() === '' || (kind === 'program' ? command : url).trim() === '';
}

/** What the form describes. Throws an error with a message for the user. */
async function foundIn(
  form: ConnectorForm,
  read: (text: string) => Promise<readonly ImportedConnector[]>,
): Promise<readonly ImportedConnector[]> {
  if (form.kind === 'paste') return await read(form.text);
  return [{ name: form.name.trim(), draft: draftOf(form), notes: [] }];
}
