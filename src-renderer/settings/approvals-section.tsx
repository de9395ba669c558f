import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { askToNotify, canAskToNotify } from '../bridge/notifications.ts';
import { LevelChoice } from '../components/approval-level/level-choice.tsx';
import { Button } from '../components/button.tsx';
import { Lockable } from '../components/locked.tsx';
import { useApp } from '../session-context.ts';
import { isSandboxVerified } from '../store/selectors.ts';
import { levelStrings } from '../strings/approval-levels.ts';
import { settingsStrings } from '../strings/settings.ts';
import { ChoiceSetting, useAskedFor, useSaving, useSettings } from './field.tsx';
import { RuleList } from './rule-list.tsx';

const words = settingsStrings.approvals;

export function ApprovalsSection(): ReactNode {
  const { approve, attentionTimeout, resumeRuns, notifications } = useSettings();
  return (
    <>
      <LevelSetting />
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
      <ChoiceSetting
        label={words.timeout}
        value={attentionTimeout}
        choices={words.timeouts}
        toChanges={(value) => ({ attentionTimeout: value })}
      />
      <ChoiceSetting
        label={words.resume}
        value={resumeRuns}
        choices={words.resumes}
        toChanges={(value) => ({ resumeRuns: value })}
      />
      <ChoiceSetting
        label={words.notifications}
        value={notifications ? 'on' : 'off'}
        choices={words.notificationChoices}
        toChanges={(value) => ({ notifications: value === 'on' })}
      />
      {notifications && canAskToNotify() && (
        <div className="row">
          <Button size="small" onClick={() => void askToNotify()}>
            {words.allowNotifications}
          </Button>
        </div>
      )}
      <RuleList />
    </>
  );
}

/** The approval level of tasks that have none of their own. */
function LevelSetting(): ReactNode {
  const { policyLevel } = useSettings();
  const isVerified = useApp(isSandboxVerified);
  const { problem, save } = useSaving();
  const place = useAskedFor<HTMLDivElement>(levelStrings.label);
  return (
    <div ref={place}>
      <Lockable names={['policyLevel']}>
        <LevelChoice
          value={policyLevel}
          isVerified={isVerified}
          problem={problem}
          onChoose={(level) => save({ policyLevel: level })}
        />
      </Lockable>
    </div>
  );
}
