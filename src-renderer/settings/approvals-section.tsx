import { TriangleAlert } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import type { ApprovalRule } from '#contract/entities.ts';
import { Button } from '../components/button.tsx';
import { VisibleText } from '../components/visible-text.tsx';
import { useSession } from '../session-context.ts';
import { ChoiceSetting, useSettings } from './field.tsx';
import { settingsStrings } from './strings.ts';

const words = settingsStrings.approvals;

export function ApprovalsSection(): ReactNode {
  const { approve } = useSettings();
  return (
    <>
      <ChoiceSetting
        label={words.policy}
        value={approve}
        choices={words.policies}
        toChanges={(value) => ({ approve: value })}
      />
      {approve === 'all' && (
        <p className="banner" data-tone="warning">
          <TriangleAlert aria-hidden="true" size={14} />
          {words.allWarning}
        </p>
      )}
      <RuleList />
    </>
  );
}

function RuleList(): ReactNode {
  const session = useSession();
  const [rules, setRules] = useState<readonly ApprovalRule[]>([]);
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
  return (
    <section className="settings-group">
      <h4>{words.rules}</h4>
      <p className="muted">{words.rulesHint}</p>
      {rules.length === 0 && <p className="muted">{words.noRules}</p>}
      <ul className="settings-list">
        {rules.map((rule) => (
          <li key={rule.id}>
            <span className="tag" data-tone={rule.decision === 'approve' ? 'accent' : 'danger'}>
              {words[rule.decision]}
            </span>
            <div className="rule">
              <strong>{rule.toolName}</strong>
              <code>
                <VisibleText text={rule.pattern} />
              </code>
            </div>
            <span className="spacer" />
            <Button
              size="small"
              aria-label={words.revokeRule(rule.toolName, rule.pattern)}
              onClick={() => void revoke(rule.id)}
            >
              {words.revoke}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
