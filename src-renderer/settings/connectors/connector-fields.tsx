import type { ReactNode } from 'react';
import { connectorStrings } from '../../strings/connectors.ts';
import { Field, TextInput } from '../field.tsx';
import type { ConnectorForm } from './connector-form.ts';

const words = connectorStrings.add;

interface FieldsProps {
  readonly form: ConnectorForm;
  readonly storage: string | null;
  readonly set: (change: Partial<ConnectorForm>) => void;
}

export function ProgramFields({ form, storage, set }: FieldsProps): ReactNode {
  return (
    <>
      <Field label={words.command} hint={words.commandHint} problem={null}>
        {(ids) => (
          <TextInput
            ids={ids}
            value={form.command}
            placeholder="npx -y @modelcontextprotocol/server-memory"
            spellCheck={false}
            onText={(command) => set({ command })}
          />
        )}
      </Field>
      <Lines
        label={words.variables}
        hint={words.variablesHint(storage)}
        value={form.variables}
        onText={(variables) => set({ variables })}
      />
      <Lines
        label={words.reads}
        hint={words.foldersHint}
        value={form.reads}
        onText={(reads) => set({ reads })}
      />
      <Lines label={words.writes} value={form.writes} onText={(writes) => set({ writes })} />
      <Lines
        label={words.hosts}
        hint={words.hostsHint}
        value={form.hosts}
        onText={(hosts) => set({ hosts })}
      />
    </>
  );
}

export function RemoteFields({ form, storage, set }: FieldsProps): ReactNode {
  return (
    <>
      <Field label={words.url} problem={null}>
        {(ids) => (
          <TextInput
            ids={ids}
            inputMode="url"
            value={form.url}
            placeholder="https://example.com/mcp"
            spellCheck={false}
            onText={(url) => set({ url })}
          />
        )}
      </Field>
      <Lines
        label={words.headers}
        hint={words.variablesHint(storage)}
        value={form.headers}
        onText={(headers) => set({ headers })}
      />
      <Field label={words.clientId} hint={words.clientHint} problem={null}>
        {(ids) => (
          <TextInput
            ids={ids}
            value={form.clientId}
            spellCheck={false}
            onText={(clientId) => set({ clientId })}
          />
        )}
      </Field>
      <Field label={words.clientSecret} problem={null}>
        {(ids) => (
          <TextInput
            ids={ids}
            type="password"
            value={form.clientSecret}
            onText={(clientSecret) => set({ clientSecret })}
          />
        )}
      </Field>
    </>
  );
}

export function Lines({
  label,
  hint,
  rows = 2,
  value,
  onText,
}: {
  readonly label: string;
  readonly hint?: string;
  readonly rows?: number;
  readonly value: string;
  readonly onText: (text: string) => void;
}): ReactNode {
  return (
    <Field label={label} hint={hint} problem={null}>
      {({ id, describedBy }) => (
        <textarea
          id={id}
          className="text-input connector-lines"
          aria-describedby={describedBy}
          rows={rows}
          value={value}
          spellCheck={false}
          onChange={(event) => onText(event.target.value)}
        />
      )}
    </Field>
  );
}
