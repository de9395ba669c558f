import type { ModelRef } from '#contract/entities.ts';
import type { Settings } from '#contract/settings.ts';
import { RUN_STEP } from '../base/step-path.ts';
import { createSecondOpinion, KeptOpinions, type SecondOpinion } from '../hitl/second-opinion.ts';
import type { ChatModel, ModelReply, ModelService } from '../models/types.ts';
import type { RunJournal } from '../storage/types.ts';
import { checkAnswer } from './answer-check.ts';
import { guardStage } from './guard-notices.ts';
import type { TierModels } from './tier-models.ts';
import type { RunContext } from './types.ts';

/** System prompts. The bytes never change, so that servers keep their cache. */
export interface CheckPrompts {
  readonly secondOpinion: string;
  readonly answer: string;
}

export interface FlashCheckParts {
  readonly settings: () => Settings;
  readonly models: Pick<ModelService, 'ofTier'>;
  readonly tiers: Pick<TierModels, 'get'>;
  readonly journal: RunJournal;
  readonly checkPrompts: CheckPrompts;
  /** What the user wrote in this task, oldest first. */
  readonly words: readonly string[];
}

export interface FlashChecks {
  readonly secondOpinion: SecondOpinion | null;
  /** Reports what a model finds in the answer, if the user wants that check. */
  markAnswer(answer: string): Promise<void>;
}

/** Opens the flash model of a run; null if none is set. */
export function flashOf(
  task: ModelRef,
  { settings, models, tiers }: Pick<FlashCheckParts, 'settings' | 'models' | 'tiers'>,
): (() => Promise<ChatModel>) | null {
  const flash = models.ofTier('flash', task);
  const isTask = flash.provider === task.provider && flash.name === task.name;
  const isSet = flash.provider !== 'demo' && (settings().tiers.flash !== null || !isTask);
  return isSet ? () => tiers.get('flash') : null;
}

/** The checks of a run by the flash tier; none if no flash model is set. */
export function openFlashChecks(
  { run, signal, emit, persist }: RunContext,
  { settings, models, tiers, journal, checkPrompts, words }: FlashCheckParts,
): FlashChecks {
  const { secondOpinion, answerCheck } = settings();
  const model = flashOf(run.options.model, { settings, models, tiers });
  // Without window and prefix sizes: this request is not part of the conversation.
  const onReply = ({ usage }: ModelReply, { ref }: ChatModel): void =>
    emit({ type: 'usage', round: 1, ...usage, model: `${ref.provider}:${ref.name}` });
  return {
    secondOpinion:
      model !== null && secondOpinion
        ? createSecondOpinion({
            ...{ model, onReply, words, systemPrompt: checkPrompts.secondOpinion },
            kept: KeptOpinions.catch({}).parse(
              journal.newest(run.id, RUN_STEP, 'opinions')?.payload ?? {},
            ),
            keep: (payload) =>
              persist(() => journal.put(run.id, { step: RUN_STEP, kind: 'opinions', payload })),
          })
        : null,
    markAnswer: async (answer) => {
      if (model === null || !answerCheck) return;
      const found = await checkAnswer(
        answer,
        { model, systemPrompt: checkPrompts.answer },
        { signal, onReply },
      );
      if (found !== null) emit(guardStage([found]));
    },
  };
}
