import type { CliEnvironment } from '../environment.ts';
import { EXIT } from '../exit-codes.ts';
import { openApp } from '../open-app.ts';
import { jsonLine, print } from '../output.ts';
import type { ReadFlags } from './runs.ts';

/** `hyperagent tools list`. */
export async function listTools(flags: ReadFlags, environment: CliEnvironment): Promise<number> {
  await using app = await openApp(environment, {
    dataDir: flags.dataDir,
    attended: false,
    readOnly: true,
  });
  const tools = app.tools();
  if (flags.json) {
    print(jsonLine(tools));
    return EXIT.complete;
  }
  for (const { name, risk, effect, description } of tools) {
    const summary = description.split('\n', 1)[0] ?? '';
    print(`${name.padEnd(16)} ${risk} risk, ${effect}\n    ${summary}\n`);
  }
  return EXIT.complete;
}
