import { type ReactNode, useCallback, useEffect, useState } from 'react';
import type { ApprovalRule, RuleDraft } from '#contract/entities.ts';
import { Button } from '../components/button.tsx';
import { useKept } from '../components/use-kept.ts';
import { VisibleText } from '../components/visible-text.tsx';
import { useSession } from '../session-context.ts';
import { questionStrings } from '../strings/questions.ts';
import { settingsStrings } from '../strings/settings.ts';
import { SettingsGroup } from './field.tsx';
import { RuleForm } from './rule-form.tsx';

const words = settingsStrings.approvals;

const NEW_RULE: RuleDraft = {
  toolName: 'shell_command',
  match: 'argv',
  pattern: '["ls"]',
  decision: 'approve',
  threadId: null,
};

/** The rule that is being edited: its id, null for a new one, and how it is now. */
interface EditedRule {
  readonly ruleId: string | null;
  readonly draft: RuleDraft;
}

function draftOf({ toolName, match, pattern, decision, threadId }: ApprovalRule): RuleDraft {
  return { toolName, match, pattern, decision, threadId };
}

/** Every rule, to be edited, tried and revoked. */
export function RuleList(): ReactNode {
  const session = useSession();
  const [rules, setRules] = useState<readonly ApprovalRule[] | null>(null);
  const [edited, setEdited] = useKept<EditedRule | null>('rule', null);
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
    setEdited(undefined);
    void read();
  };
  // One that was revoked elsewhere meanwhile is a new one.
  const ruleId = rules?.find(({ id }) => id === edited?.ruleId)?.id ?? null;
  const form = edited !== null && (
    <RuleForm
      key={edited.ruleId}
      ruleId={ruleId}
      draft={edited.draft}
      onChange={(draft) => setEdited({ ...edited, draft })}
      onDone={done}
    />
  );
  return (
    <SettingsGroup title={words.rules}>
      <p className="muted">{words.rulesHint}</p>
      {rules?.length === 0 && <p className="muted">{words.noRules}</p>}
      <ul className="settings-list">
        {rules?.map((rule) =>
          ruleId === rule.id ? (
            <li key={rule.id}>{form}</li>
          ) : (
            <RuleLine
              key={rule.id}
              rule={rule}
              isOther={edited !== null}
              onEdit={() => setEdited({ ruleId: rule.id, draft: draftOf(rule) })}
              onRevoke={() => void revoke(rule.id)}
            />
          ),
        )}
      </ul>
      {rules !== null && edited !== null && ruleId === null ? (
        form
      ) : (
        <Button
          size="small"
          disabled={edited !== null}
          onClick={() => setEdited({ ruleId: null, draft: NEW_RULE })}
        >
          {words.add}
        </Button>
      )}
    </SettingsGroup>
  );
}

const TONES = { approve: 'accent', deny: 'danger', ask: 'warning' } as const;

function RuleLine({
  rule,
  isOther,
  onEdit,
  onRevoke,
}: {
  readonly rule: ApprovalRule;
  /** Another one is being edited. */
  readonly isOther: boolean;
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
      <Button
        size="small"
        disabled={isOther}
        aria-label={words.editRule(toolName, pattern)}
        onClick={onEdit}
      >
        {words.edit}
      </Button>
      <Button size="small" aria-label={words.revokeRule(toolName, pattern)} onClick={onRevoke}>
        {words.revoke}
      </Button>
    </li>
  );
}
