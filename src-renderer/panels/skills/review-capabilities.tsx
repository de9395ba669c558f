import type { ReactNode } from 'react';
import type { SkillCapability, SkillReview } from '#contract/skills.ts';
import { reviewStrings as words } from '../../strings/skill-editor.ts';
import { skillStrings } from '../../strings/skills.ts';

/** The permissions that a dynamic skill asks for, each to grant or not, and those it had. */
export function ReviewCapabilities({
  capabilities: { before, after },
  granted,
  onChange,
}: {
  readonly capabilities: SkillReview['capabilities'];
  readonly granted: readonly SkillCapability[];
  readonly onChange: (granted: readonly SkillCapability[]) => void;
}): ReactNode {
  const dropped = before.filter((capability) => !after.includes(capability));
  return (
    <fieldset className="review-capabilities">
      <legend className="section-label">{words.capabilities}</legend>
      <p className="muted">{after.length === 0 ? words.noCapabilities : words.capabilitiesHint}</p>
      {after.map((capability) => (
        <label key={capability} className="choice-option">
          <input
            type="checkbox"
            checked={granted.includes(capability)}
            onChange={(event) =>
              onChange(
                event.target.checked
                  ? after.filter((one) => one === capability || granted.includes(one))
                  : granted.filter((one) => one !== capability),
              )
            }
          />
          <span>{skillStrings.capabilities[capability]}</span>
          <span className="tag" data-tone={before.includes(capability) ? 'plain' : 'warning'}>
            {before.includes(capability) ? words.before : words.asked}
          </span>
        </label>
      ))}
      {dropped.map((capability) => (
        <p key={capability} className="muted">
          {skillStrings.capabilities[capability]}: {words.dropped}
        </p>
      ))}
    </fieldset>
  );
}
