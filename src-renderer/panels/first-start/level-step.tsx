import { type ReactNode, useState } from 'react';
import type { PolicyLevel } from '#contract/vocabulary.ts';
import { LevelChoice } from '../../components/approval-level/level-choice.tsx';
import { Lockable } from '../../components/locked.tsx';
import { useApp, useSession } from '../../session-context.ts';
import { isSandboxVerified } from '../../store/selectors.ts';
import { firstStartStrings as words } from '../../strings/first-start.ts';

/** The approval level of all tasks that have none of their own. */
export function LevelStep(): ReactNode {
  const { settings } = useSession();
  const value = useApp((state) => state.settings?.policyLevel ?? null);
  const isVerified = useApp(isSandboxVerified);
  const [problem, setProblem] = useState<string | null>(null);
  const choose = async (policyLevel: PolicyLevel): Promise<void> => {
    setProblem((await settings.update({ policyLevel }))?.message ?? null);
  };
  return (
    <>
      <p className="muted">{words.levelHint}</p>
      <Lockable names={['policyLevel']}>
        <LevelChoice
          label={<span className="visually-hidden">{words.level}</span>}
          value={value}
          isVerified={isVerified}
          problem={problem}
          onChoose={choose}
        />
      </Lockable>
    </>
  );
}
