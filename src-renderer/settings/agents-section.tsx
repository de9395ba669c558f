import type { ReactNode } from 'react';
import { agentStrings as words } from '../strings/agents.ts';
import { AGENT_LIMITS } from './agent-limits.ts';
import { ChoiceSetting, TextSetting, toNumber, useSettings } from './field.tsx';

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
