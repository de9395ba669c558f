import { ToggleGroup } from 'radix-ui';
import { type ReactNode, useEffect } from 'react';
import type { RunMode } from '#contract/vocabulary.ts';
import { Tip } from '../../components/tip.tsx';
import { useApp, useSession } from '../../session-context.ts';
import { equalMembers } from '../../store/equality.ts';
import { loadedValue } from '../../store/selectors.ts';
import { offeredModes } from '../../store/skill-list.ts';
import { composerStrings } from '../../strings/composer.ts';

/** The mode of the task. Only available modes are listed: most need a skill that is ready. */
export function ModePicker({
  mode,
  onChange,
}: {
  readonly mode: RunMode;
  readonly onChange: (mode: RunMode) => void;
}): ReactNode {
  const { skills } = useSession();
  useEffect(() => void skills.load(), [skills]);
  const modes = useApp((state) => offeredModes(loadedValue(state.skills) ?? []), equalMembers);
  return (
    <ToggleGroup.Root
      type="single"
      className="mode-picker"
      aria-label={composerStrings.mode}
      value={mode}
      onValueChange={(value) => {
        const chosen = modes.find((candidate) => candidate === value);
        if (chosen !== undefined) onChange(chosen);
      }}
    >
      {modes.map((candidate) => (
        <Tip key={candidate} text={composerStrings.modeHints[candidate]} side="top">
          {/* A wrapper keeps the two sets of state attributes apart. */}
          <span>
            <ToggleGroup.Item value={candidate} className="mode">
              {composerStrings.modes[candidate]}
            </ToggleGroup.Item>
          </span>
        </Tip>
      ))}
    </ToggleGroup.Root>
  );
}
