import { Collapsible } from 'radix-ui';
import { type ReactNode, useEffect, useState } from 'react';
import { Button } from '../components/button.tsx';
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
  const [text, setText] = useState(written);
  const [syntax, setSyntax] = useState<string | null>(null);
  useEffect(() => setText(written), [written]);
  const submit = async (): Promise<void> => {
    try {
      const value = JSON.parse(text) as typeof servers;
      setSyntax(null);
      if (await save({ servers: value })) await settings.refreshServers();
    } catch (error) {
      setSyntax(words.notJson(error instanceof Error ? error.message : String(error)));
    }
  };
  return (
    <Collapsible.Root className="settings-group">
      <Collapsible.Trigger className="link">{words.asJson}</Collapsible.Trigger>
      <Collapsible.Content className="servers-json">
        <Field
          label={words.jsonLabel}
          hint={words.jsonHint}
          problem={syntax ?? problem}
          saved={saved}
        >
          {({ id, describedBy }) => (
            <textarea
              id={id}
              className="text-input code-input"
              aria-describedby={describedBy}
              rows={10}
              value={text}
              spellCheck={false}
              onChange={(event) => setText(event.target.value)}
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
