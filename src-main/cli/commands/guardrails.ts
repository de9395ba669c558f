import { defined } from '#contract/defined.ts';
import type { Settings } from '#contract/settings.ts';
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

/** `hyperagent guardrails`: applies the flags, then shows the settings. */
export async function showGuardrails(
  { secondOpinion, answerCheck, dataDir, json }: GuardrailFlags,
  environment: CliEnvironment,
): Promise<number> {
  const changes: Partial<Settings> = defined({
    secondOpinion: secondOpinion === undefined ? undefined : secondOpinion === 'on',
    answerCheck: answerCheck === undefined ? undefined : answerCheck === 'on',
  });
  const readOnly = Object.keys(changes).length === 0;
  await using app = await openApp(environment, { dataDir, attended: false, readOnly });
  if (!readOnly) app.api['settings.update']({ changes });
  const { settings: now } = app.api['settings.get']();
  const { guardrails, guardrailsAction: action, tiers } = now;
  const flash = tiers.flash === null ? null : `${tiers.flash.provider}:${tiers.flash.name}`;
  const shown = {
    guardrails,
    action,
    flash,
    secondOpinion: now.secondOpinion,
    answerCheck: now.answerCheck,
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
    `Second opinion on outgoing calls of tasks with untrusted text: ${state(secondOpinion)}`,
    `Check of answers for abuse, hate and threats: ${state(answerCheck)}`,
    flash === null
      ? 'No flash model is set, so both checks run only if the model server of the task provides one.'
      : `Both checks use ${showControls(flash)}.`,
  ].join('\n');
}
