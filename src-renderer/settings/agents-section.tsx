import type { ReactNode } from 'react';
import { agentStrings as words } from '../strings/agents.ts';
import { ChoiceSetting, TextSetting, toNumber, useSettings } from './field.tsx';

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
