import { Hand } from 'lucide-react';
import type { ReactNode } from 'react';
import { PolicyLevel } from '#contract/vocabulary.ts';
import { ChoiceMenu, MenuChoices } from '../../components/choice-menu.tsx';
import { useLock } from '../../components/locked.tsx';
import { useApp, useSession } from '../../session-context.ts';
import type { Draft } from '../../store/app-state.ts';
import { levelOfTask } from '../../store/selectors.ts';
import { levelStrings as words } from '../../strings/approval-levels.ts';

const SETTINGS = 'settings';

/** The approval level of a task; a change counts from its next call on. */
export function LevelPicker({
  threadId,
  draftKey,
  draft,
}: {
  readonly threadId: string | null;
  readonly draftKey: string;
  readonly draft: Draft;
}): ReactNode {
  const { drafts, threads } = useSession();
  const own = useApp((state) => levelOfTask(state, threadId, draft));
  const lock = useLock(['policyLevel']);
  const general = useApp((state) => state.settings?.policyLevel ?? null);
  const asInSettings = words.asInSettings(words.short[general ?? 'none']);
  const choose = (wanted: PolicyLevel | typeof SETTINGS): void => {
    const level = wanted === SETTINGS ? null : wanted;
    if (threadId === null) drafts.change(draftKey, { level });
    else void threads.setLevel(threadId, level);
  };
  return (
    <ChoiceMenu
      label={words.current(words.short[own ?? general ?? 'none'])}
      className="icon-button"
      align="end"
      face={<Hand aria-hidden="true" size={16} />}
    >
      <MenuChoices
        lock={lock}
        title={words.ofTask}
        value={own ?? SETTINGS}
        choices={[
          [SETTINGS, asInSettings] as const,
          ...PolicyLevel.options.map((level) => [level, words.levels[level].title] as const),
        ]}
        onChoose={choose}
      />
    </ChoiceMenu>
  );
}
