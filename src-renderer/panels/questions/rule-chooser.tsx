import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { RulePattern } from '#contract/entities.ts';
import type { RuleDecision } from '#contract/vocabulary.ts';
import { RulePreview } from '../../components/rule-preview.tsx';
import type { OpenQuestion } from '../../store/selectors.ts';
import { questionStrings } from '../../strings/questions.ts';

export interface RuleChoice extends RulePattern {
  readonly thisTaskOnly: boolean;
}

/** The patterns that a rule about this call could have; the exact call comes first. */
export function patternsOf({ rulePattern, rulePatterns = [] }: OpenQuestion): RulePattern[] {
  const whole: RulePattern[] =
    rulePattern === undefined ? [] : [{ match: 'arguments', pattern: rulePattern }];
  return [...whole, ...rulePatterns];
}

/** What a rule matches, where it applies, and how many past calls it would have decided. */
export function RuleChooser({
  question,
  decision,
  choice,
  onChange,
}: {
  readonly question: OpenQuestion;
  readonly decision: RuleDecision;
  readonly choice: RuleChoice;
  readonly onChange: (choice: RuleChoice) => void;
}): ReactNode {
  const name = `rule-${question.interruptId}`;
  // The pattern of an exact call is the bytes shown above, so it is not editable.
  const isExact = (place: number): boolean =>
    place === 0 && patternsOf(question)[0]?.match === 'arguments';
  const [chosen, setChosen] = useState(0);
  const top = useRef<HTMLDivElement>(null);
  // It opens below the question, possibly out of sight.
  useEffect(() => {
    top.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <div ref={top} className="rule-chooser">
      <fieldset className="choice">
        <legend className="field-label">{questionStrings.covers}</legend>
        {patternsOf(question).map(({ match, pattern }, i) => (
          <label key={`${match} ${pattern}`} className="choice-option">
            <input
              type="radio"
              name={name}
              checked={i === chosen}
              onChange={() => {
                setChosen(i);
                onChange({ ...choice, match, pattern });
              }}
            />
            {isExact(i) ? questionStrings.exactCall : questionStrings.matches[match]}
          </label>
        ))}
      </fieldset>
      {!isExact(chosen) && (
        <label className="field">
          <span className="field-label">{questionStrings.pattern}</span>
          <textarea
            className="text-input growing code-input"
            rows={2}
            spellCheck={false}
            value={choice.pattern}
            onChange={(event) => onChange({ ...choice, pattern: event.target.value })}
          />
        </label>
      )}
      <fieldset className="choice">
        <legend className="field-label">{questionStrings.scope}</legend>
        {([true, false] as const).map((thisTaskOnly) => (
          <label key={String(thisTaskOnly)} className="choice-option">
            <input
              type="radio"
              name={`${name}-scope`}
              checked={choice.thisTaskOnly === thisTaskOnly}
              onChange={() => onChange({ ...choice, thisTaskOnly })}
            />
            {thisTaskOnly ? questionStrings.scopes.task : questionStrings.scopes.all}
          </label>
        ))}
      </fieldset>
      <RulePreview
        toolName={question.toolName ?? ''}
        match={choice.match}
        pattern={choice.pattern}
        decision={decision}
      />
    </div>
  );
}
