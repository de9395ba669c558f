import { Collapsible } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { Button } from '../components/button.tsx';
import { useKept } from '../components/use-kept.ts';
import { useSession } from '../session-context.ts';
import { settingsStrings } from '../strings/settings.ts';
import { Field, useSaving, useSettings } from './field.tsx';

const words = settingsStrings.models;

/** The servers with all their settings: models by tier, thinking. */
export function ServersAsJson(): ReactNode {
  const { servers } = useSettings();
  const { settings } = useSession();
  const { problem, saved, save } = useSaving();
  const written = JSON.stringify(servers, null, 2);
  const [typed, setTyped] = useKept<string | null>('servers as JSON', null);
  const text = typed ?? written;
  const [syntax, setSyntax] = useState<string | null>(null);
  const submit = async (): Promise<void> => {
    try {
      const value = JSON.parse(text) as typeof servers;
      setSyntax(null);
      if (!(await save({ servers: value }))) return;
      setTyped(undefined);
      await settings.refreshServers();
    } catch (error) {
      setSyntax(words.notJson(error instanceof Error ? error.message : String(error)));
    }
  };
  return (
    <Collapsible.Root defaultOpen={typed !== null} className="settings-group">
      <Collapsible.Trigger className="link">{words.asJson}</Collapsible.Trigger>
      <Collapsible.Content className="servers-json">
        <Field
          label={words.jsonLabel}
          hint={words.jsonHint}
          problem={syntax ?? problem}
          saved={saved}
          settings={['servers']}
        >
          {({ id, describedBy }) => (
            <textarea
              id={id}
              className="text-input code-input"
              aria-describedby={describedBy}
              rows={10}
              value={text}
              spellCheck={false}
              onChange={({ target: { value } }) => setTyped(value === written ? undefined : value)}
            />
          )}
        </Field>
        <Button size="small" disabled={text === written} onClick={() => void submit()}>
          {settingsStrings.save}
        </Button>
      </Collapsible.Content>
    </Collapsible.Root>
  );
}
