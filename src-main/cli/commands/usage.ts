import { defined } from '#contract/defined.ts';
import type { ModelUse } from '#contract/model-use.ts';
import type { CliEnvironment } from '../environment.ts';
import { EXIT } from '../exit-codes.ts';
import { openApp } from '../open-app.ts';
import { jsonLine, print } from '../output.ts';
import { showControls } from '../visible-text.ts';

export interface UsageFlags {
  readonly task?: string;
  readonly dataDir?: string;
  readonly json?: boolean;
}

/** `hyperagent usage`: tokens and time by model. */
export async function showUsage(
  { task, dataDir, json }: UsageFlags,
  environment: CliEnvironment,
): Promise<number> {
  await using app = await openApp(environment, { dataDir, attended: false, readOnly: true });
  const use = await app.api['usage.get'](defined({ threadId: task }));
  if (json) print(jsonLine(use));
  else if (use.all.length === 0) print('No model was asked yet.\n');
  else if (task !== undefined) print(lines(use.all));
  else print(`Last 30 days\n${lines(use.recent)}\nAll time\n${lines(use.all)}`);
  return EXIT.complete;
}

function lines(models: readonly ModelUse[]): string {
  if (models.length === 0) return '  nothing\n';
  return models
    .map(({ model, requests, promptTokens, completionTokens, durationMs, estimated }) => {
      const about = estimated === 0 ? '' : `, ${estimated} of them estimated`;
      const asked = requests === 1 ? '1 request' : `${requests} requests`;
      const seconds = (durationMs / 1000).toFixed(1);
      return `  ${showControls(model)}  ${promptTokens} tokens in, ${completionTokens} out, ${seconds} s, ${asked}${about}\n`;
    })
    .join('');
}
