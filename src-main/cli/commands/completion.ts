import { join } from 'node:path';
import type { Command } from 'commander';
import { appRoot } from '../../app-root.ts';
import { describeProgram } from '../command-tree.ts';
import { completionScript } from '../completion/completion-script.ts';
import { EXIT } from '../exit-codes.ts';
import { print } from '../output.ts';
import type { Shell } from '../program/shell-integration.ts';

/** `hyperagent completion` */
export function printCompletion(shell: Shell, program: Command): number {
  const resourcesDir = join(appRoot(), 'resources', 'completion');
  print(completionScript(shell, describeProgram(program), resourcesDir));
  return EXIT.complete;
}
