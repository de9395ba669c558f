import { roughTokens } from '#contract/rough-tokens.ts';
import type { CliEnvironment } from '../environment.ts';
import { EXIT } from '../exit-codes.ts';
import { openApp } from '../open-app.ts';
import { jsonLine, print } from '../output.ts';
import { showControls } from '../visible-text.ts';

export interface InstructionFlags {
  readonly set?: string;
  readonly dataDir?: string;
  readonly json?: boolean;
}

/** `hyperagent instructions`: applies the flag, then shows what the user wrote for every task, and what it costs. */
export async function showInstructions(
  { set, dataDir, json }: InstructionFlags,
  environment: CliEnvironment,
): Promise<number> {
  const readOnly = set === undefined;
  await using app = await openApp(environment, { dataDir, attended: false, readOnly });
  if (!readOnly) app.api['settings.update']({ changes: { customInstructions: set } });
  const { customInstructions: text } = app.api['settings.get']().settings;
  const tokens = Math.ceil(roughTokens(text));
  if (json) print(jsonLine({ text, tokens }));
  else if (text === '')
    print('No instructions. Write some with: hyperagent instructions --set TEXT\n');
  else print(`${showControls(text)}\n\nAbout ${tokens} tokens in each model request.\n`);
  return EXIT.complete;
}
