import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { ChoiceSetting, TextSetting, toNumber, useSettings } from './field.tsx';
import { settingsStrings } from './strings.ts';

const words = settingsStrings.guardrails;
const PLACES = ['guardrailsInput', 'guardrailsOutput', 'guardrailsTool'] as const;

/** What is looked at, and what becomes of what is found. */
export function GuardrailsSection(): ReactNode {
  const settings = useSettings();
  return (
    <>
      <p className="field-note">{words.hint}</p>
      <ChoiceSetting
        label={words.on}
        value={settings.guardrails ? 'on' : 'off'}
        choices={words.switches}
        toChanges={(value) => ({ guardrails: value === 'on' })}
      />
      {!settings.guardrails && (
        <p className="banner" data-tone="warning">
          <TriangleAlert aria-hidden="true" size={14} />
          {words.offWarning}
        </p>
      )}
      {PLACES.map((place) => (
        <ChoiceSetting
          key={place}
          label={words.places[place]}
          value={settings[place] ? 'on' : 'off'}
          choices={words.switches}
          toChanges={(value) => ({ [place]: value === 'on' })}
        />
      ))}
      <ChoiceSetting
        label={words.action}
        value={settings.guardrailsAction}
        choices={words.actions}
        toChanges={(value) => ({ guardrailsAction: value })}
      />
      <TextSetting
        label={words.timeout}
        hint={words.timeoutHint}
        value={String(settings.guardrailsTimeoutMs)}
        inputMode="numeric"
        toChanges={(text) => ({ guardrailsTimeoutMs: toNumber(text) })}
      />
    </>
  );
}
