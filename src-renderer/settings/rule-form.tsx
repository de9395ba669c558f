import { type FormEvent, type ReactNode, useState } from 'react';
import type { RuleDraft } from '#contract/entities.ts';
import { TOOL_NAMES } from '#contract/tools.ts';
import type { RuleDecision, RuleMatch } from '#contract/vocabulary.ts';
import { Button } from '../components/button.tsx';
import { RulePreview } from '../components/rule-preview.tsx';
import { useSession } from '../session-context.ts';
import { appStrings } from '../strings/app.ts';
import { questionStrings } from '../strings/questions.ts';
import { settingsStrings } from '../strings/settings.ts';
import { Field } from './field.tsx';

const words = settingsStrings.approvals;

/** Edits a rule, and shows which past calls it would decide. */
export function RuleForm({
  ruleId,
  draft,
  onChange: setDraft,
  onDone,
}: {
  readonly ruleId: string | null;
  /** As it is typed and chosen. */
  readonly draft: RuleDraft;
  readonly onChange: (draft: RuleDraft) => void;
  readonly onDone: () => void;
}): ReactNode {
  const { bridge } = useSession();
  const [problem, setProblem] = useState<string | null>(null);
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const result = await bridge.request('rules.put', { ruleId, rule: draft });
    if (result.ok) onDone();
    else setProblem(result.error.message);
  };
  return (
    <form className="rule-form" onSubmit={(event) => void save(event)}>
      <Choice
        label={words.decision}
        value={draft.decision}
        options={keysOf<RuleDecision>(words.decisions).map((value) => [
          value,
          words.decisions[value],
        ])}
        onChange={(decision) => setDraft({ ...draft, decision })}
      />
      <Choice
        label={words.tool}
        value={draft.toolName}
        options={TOOL_NAMES.map((name) => [name, name])}
        onChange={(toolName) => setDraft({ ...draft, toolName })}
      />
      <Choice
        label={questionStrings.covers}
        value={draft.match}
        options={keysOf<RuleMatch>(questionStrings.matches).map((match) => [
          match,
          questionStrings.matches[match],
        ])}
        onChange={(match) => setDraft({ ...draft, match })}
      />
      <Field label={questionStrings.pattern} problem={problem}>
        {({ id, describedBy }) => (
          <textarea
            id={id}
            aria-describedby={describedBy}
            className="text-input growing code-input"
            rows={2}
            spellCheck={false}
            value={draft.pattern}
            onChange={(event) => setDraft({ ...draft, pattern: event.target.value })}
          />
        )}
      </Field>
      <RulePreview {...draft} />
      <div className="row">
        <Button type="submit" size="small" variant="primary" disabled={draft.pattern === ''}>
          {words.save}
        </Button>
        <Button size="small" variant="ghost" onClick={onDone}>
          {appStrings.cancel}
        </Button>
      </div>
    </form>
  );
}

function Choice<Value extends string>({
  label,
  value,
  options,
  onChange,
}: {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly (readonly [Value, string])[];
  readonly onChange: (value: Value) => void;
}): ReactNode {
  return (
    <Field label={label} problem={null}>
      {({ id }) => (
        <select
          id={id}
          className="text-input"
          value={value}
          onChange={(event) => onChange(event.target.value as Value)}
        >
          {options.map(([option, text]) => (
            <option key={option} value={option}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** The keys of a record of all values of a vocabulary, in its order. */
function keysOf<Value extends string>(record: Readonly<Record<Value, string>>): Value[] {
  return Object.keys(record) as Value[];
}
