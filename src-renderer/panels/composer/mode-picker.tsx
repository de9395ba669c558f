import { ToggleGroup } from 'radix-ui';
import type { ReactNode } from 'react';
import type { RunMode } from '#contract/vocabulary.ts';
import { Tip } from '../../components/tip.tsx';
import { strings } from '../../strings.ts';
import { RUN_MODES, type ShownMode } from './modes.ts';

/** What the task is about. Only the modes that this version can do are there. */
export function ModePicker({
  mode,
  onChange,
}: {
  readonly mode: RunMode;
  readonly onChange: (mode: ShownMode) => void;
}): ReactNode {
  return (
    <ToggleGroup.Root
      type="single"
      className="mode-picker"
      aria-label={strings.composer.mode}
      value={mode}
      onValueChange={(value) => {
        const chosen = RUN_MODES.find((candidate) => candidate === value);
        if (chosen !== undefined) onChange(chosen);
      }}
    >
      {RUN_MODES.map((candidate) => (
        <Tip key={candidate} text={strings.composer.modeHints[candidate]} side="top">
          {/* A wrapper keeps the two sets of state attributes apart. */}
          <span>
            <ToggleGroup.Item value={candidate} className="mode">
              {strings.composer.modes[candidate]}
            </ToggleGroup.Item>
          </span>
        </Tip>
      ))}
    </ToggleGroup.Root>
  );
}
