import type { ModelRef } from '#contract/entities.ts';
import type { Settings } from '#contract/settings.ts';
import { modelKey } from './app-state.ts';

/** Whether a model is asked to think; `auto` leaves it to the model. */
export type ThinkingChoice = 'auto' | 'on' | 'off';

const VALUES = { auto: undefined, on: true, off: false };

export function thinkingOf({ modelThinking }: Settings, model: ModelRef): ThinkingChoice {
  const asked = modelThinking[modelKey(model)];
  return asked === undefined ? 'auto' : asked ? 'on' : 'off';
}

/** The change of the settings that makes this choice. */
export function chooseThinking(
  { modelThinking }: Settings,
  model: ModelRef,
  choice: ThinkingChoice,
): Pick<Settings, 'modelThinking'> {
  const { [modelKey(model)]: _before, ...others } = modelThinking;
  const value = VALUES[choice];
  return {
    modelThinking: value === undefined ? others : { ...others, [modelKey(model)]: value },
  };
}
