import { type ReactNode, useCallback, useEffect, useState } from 'react';
import type { ApprovalRule, RuleDraft } from '#contract/entities.ts';
import { Button } from '../components/button.tsx';
import { VisibleText } from '../components/visible-text.tsx';
import { useSession } from '../session-context.ts';
import { questionStrings } from '../strings/questions.ts';
import { settingsStrings } from '../strings/settings.ts';
import { RuleForm } from './rule-form.tsx';

const words = settingsStrings.approvals;

const NEW_RULE: RuleDraft = {
  toolName: 'shell_command',
  match: 'argv',
  pattern: '["ls"]',
  decision: 'approve',
  threadId: null,
};

/** Every rule, to be edited, tried and revoked. */
export function RuleList(): ReactNode {
  const session = useSession();
  const [rules, setRules] = useState<readonly ApprovalRule[]>([]);
  /** The rule that is being edited: its id, null for a new one, undefined for none. */
  const [editing, setEditing] = useState<string | null | undefined>(undefined);
  const read = useCallback(async () => {
    const result = await session.bridge.request('rules.list', {});
    if (result.ok) setRules(result.data.rules);
    else session.showError(result.error.message);
  }, [session]);
  useEffect(() => void read(), [read]);
  const revoke = async (ruleId: string): Promise<void> => {
    const result = await session.bridge.request('rules.delete', { ruleId });
    if (!result.ok) session.showError(result.error.message);
    await read();
  };
  const done = (): void => {
    setEditing(undefined);
    void read();
  };
  return (
    <section className="settings-group">
      <h4>{words.rules}</h4>
      <p className="muted">{words.rulesHint}</p>
      {rules.length === 0 && <p className="muted">{words.noRules}</p>}
      <ul className="settings-list">
        {rules.map((rule) =>
          editing === rule.id ? (
            <li key={rule.id}>
              <RuleForm ruleId={rule.id} rule={rule} onDone={done} />
            </li>
          ) : (
            <RuleLine
              key={rule.id}
              rule={rule}
              onEdit={() => setEditing(rule.id)}
              onRevoke={() => void revoke(rule.id)}
            />
          ),
        )}
      </ul>
      {editing === null ? (
        <RuleForm ruleId={null} rule={NEW_RULE} onDone={done} />
      ) : (
        <Button size="small" onClick={() => setEditing(null)}>
          {words.add}
        </Button>
      )}
    </section>
  );
}

const TONES = { approve: 'accent', deny: 'danger', ask: 'warning' } as const;

function RuleLine({
  rule,
  onEdit,
  onRevoke,
}: {
  readonly rule: ApprovalRule;
  readonly onEdit: () => void;
  readonly onRevoke: () => void;
}): ReactNode {
  const { toolName, pattern } = rule;
  return (
    <li>
      <span className="tag" data-tone={TONES[rule.decision]}>
        {words.decisions[rule.decision]}
      </span>
      <div className="rule">
        <strong>{toolName}</strong>
        <span className="muted"> {questionStrings.matches[rule.match]}</span>
        {rule.threadId !== null && <span className="tag">{words.thisTask}</span>}
        <code>
          <VisibleText text={pattern} />
        </code>
      </div>
      <span className="spacer" />
      <Button size="small" aria-label={words.editRule(toolName, pattern)} onClick={onEdit}>
        {words.edit}
      </Button>
      <Button size="small" aria-label={words.revokeRule(toolName, pattern)} onClick={onRevoke}>
        {words.revoke}
      </Button>
    </li>
  );
}
