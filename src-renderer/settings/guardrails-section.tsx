import { TriangleAlert } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import type { Settings } from '#contract/settings.ts';
import { settingsStrings } from '../strings/settings.ts';
import { ChoiceSetting, SettingsGroup, TextSetting, toNumber, useSettings } from './field.tsx';

const words = settingsStrings.guardrails;
/** Checks by the Flash model. */
const BY_MODEL = [
  { setting: 'secondOpinion', choices: words.secondOpinions, hint: words.secondOpinionHint },
  { setting: 'answerCheck', choices: words.answerChecks, hint: words.answerCheckHint },
] as const;
const PLACES = ['guardrailsInput', 'guardrailsOutput', 'guardrailsTool'] as const;

/** What is scanned, and what happens on detection. */
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
      <SettingsGroup title={words.byModel}>
        <p className="field-note">{words.byModelHint}</p>
        {!hasFlash(settings) && <p className="banner">{words.noFlash}</p>}
        {BY_MODEL.map(({ setting, choices, hint }) => (
          <Fragment key={setting}>
            <ChoiceSetting
              label={words[setting]}
              value={settings[setting] ? 'on' : 'off'}
              choices={choices}
              toChanges={(value) => ({ [setting]: value === 'on' })}
            />
            <p className="field-note">{hint}</p>
          </Fragment>
        ))}
      </SettingsGroup>
    </>
  );
}

function hasFlash({ tiers, servers }: Settings): boolean {
  return tiers.flash !== null || servers.some(({ models }) => models.flash !== undefined);
}
