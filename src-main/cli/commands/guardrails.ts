import type { Settings } from '#contract/entities.ts';
import type { CliEnvironment } from '../environment.ts';
import { EXIT } from '../exit-codes.ts';
import { openApp } from '../open-app.ts';
import { jsonLine, print } from '../output.ts';
import { showControls } from '../visible-text.ts';

export interface GuardrailFlags {
  readonly secondOpinion?: 'on' | 'off';
  readonly answerCheck?: 'on' | 'off';
  readonly dataDir?: string;
  readonly json?: boolean;
}

/** `hyperagent guardrails`: what is looked at, after changing what the flags say. */
export async function showGuardrails(
  { secondOpinion, answerCheck, dataDir, json }: GuardrailFlags,
  environment: CliEnvironment,
): Promise<number> {
  const changes: Partial<Settings> = {
    ...(secondOpinion === undefined ? {} : { secondOpinion: secondOpinion === 'on' }),
    ...(answerCheck === undefined ? {} : { answerCheck: answerCheck === 'on' }),
  };
  const readOnly = Object.keys(changes).length === 0;
  await using app = await openApp(environment, { dataDir, attended: false, readOnly });
  const { settings } = app.services;
  if (!readOnly) settings.update(changes);
  const now = settings.get();
  const { guardrails, guardrailsAction: action, tiers } = now;
  const flash = tiers.flash === null ? null : `${tiers.flash.provider}:${tiers.flash.name}`;
  const shown = {
    ...{ guardrails, action, flash },
    ...{ secondOpinion: now.secondOpinion, answerCheck: now.answerCheck },
  };
  print(json ? jsonLine(shown) : `${describe(shown)}\n`);
  return EXIT.complete;
}

interface Shown extends Pick<Settings, 'guardrails' | 'secondOpinion' | 'answerCheck'> {
  readonly action: string;
  readonly flash: string | null;
}

function describe({ guardrails, action, flash, secondOpinion, answerCheck }: Shown): string {
  const state = (isOn: boolean): string => (isOn ? 'on' : 'off');
  return [
    `Scanners: ${guardrails ? action : 'off'}`,
    `Second opinion on what leaves a task with other people's words: ${state(secondOpinion)}`,
    `Check of answers for abuse, hatred and threats: ${state(answerCheck)}`,
    flash === null
      ? 'No flash model is set in the settings: unless the server of the task names one, neither is done.'
      : `Both are asked of ${showControls(flash)}.`,
  ].join('\n');
}
