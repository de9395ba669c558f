import type { ReactNode } from 'react';
import { INSTRUCTIONS_LIMIT_CHARS } from '#contract/limits.ts';
import { roughTokens } from '#contract/rough-tokens.ts';
import { formatCount } from '../format.ts';
import { agentStrings as words } from '../strings/agents.ts';
import {
  ChoiceSetting,
  Field,
  TextSetting,
  toNumber,
  useSettings,
  useTypedSetting,
} from './field.tsx';

/** Limits of agents with their bounds, which are those of the contract. */
export const AGENT_LIMITS = [
  { name: 'maxReplans', min: 0, max: 5 },
  { name: 'parallelSteps', min: 1, max: 5 },
  { name: 'repeatsBeforeHint', min: 2, max: 20 },
  { name: 'errorsBeforeReplan', min: 2, max: 50 },
  { name: 'maxHandoffs', min: 0, max: 10 },
  { name: 'researchPageSeconds', min: 1, max: 600 },
] as const;

/** Settings of planning, its limits, and the depth of research. */
export function AgentsSection(): ReactNode {
  const settings = useSettings();
  return (
    <>
      <Instructions />
      <ChoiceSetting
        label={words.review}
        value={settings.planReview}
        choices={words.reviews}
        toChanges={(planReview) => ({ planReview })}
      />
      <ChoiceSetting
        label={words.route}
        value={settings.routeByModel ? 'flash' : 'first_call'}
        choices={words.routes}
        toChanges={(value) => ({ routeByModel: value === 'flash' })}
      />
      <p className="muted">{words.routeHint}</p>
      <ChoiceSetting
        label={words.execution}
        value={settings.executionMode}
        choices={words.executionChoices}
        toChanges={(executionMode) => ({ executionMode })}
      />
      <div className="field-row">
        {AGENT_LIMITS.map(({ name, min, max }) => (
          <TextSetting
            key={name}
            label={words.limits[name].label}
            hint={words.bounded(min, max, words.limits[name].hint)}
            value={String(settings[name])}
            inputMode="numeric"
            toChanges={(text) => ({ [name]: toNumber(text) })}
          />
        ))}
      </div>
      <ChoiceSetting
        label={words.depth}
        value={settings.researchDepth}
        choices={words.depths}
        toChanges={(researchDepth) => ({ researchDepth })}
      />
      <p className="muted">{words.depthHint}</p>
    </>
  );
}

/** What the user wants every task to know, saved when the field or the page is left. */
function Instructions(): ReactNode {
  const { customInstructions: stored } = useSettings();
  const { text, problem, saved, setText, commit } = useTypedSetting({
    label: words.instructions,
    value: stored,
    toChanges: (typed) => ({ customInstructions: typed }),
  });
  const hint = words.instructionsHint(
    formatCount(text.length),
    formatCount(INSTRUCTIONS_LIMIT_CHARS),
    formatCount(Math.ceil(roughTokens(text))),
  );
  return (
    <Field
      label={words.instructions}
      hint={hint}
      problem={problem}
      saved={saved}
      settings={['customInstructions']}
    >
      {({ id, describedBy }) => (
        <textarea
          id={id}
          className="text-input"
          dir="auto"
          rows={5}
          maxLength={INSTRUCTIONS_LIMIT_CHARS}
          aria-describedby={describedBy}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onBlur={commit}
        />
      )}
    </Field>
  );
}
