import type { Command } from 'commander';
import { describeProgram } from '../command-tree.ts';
import { EXIT, exitCodes } from '../exit-codes.ts';
import { manPage } from '../man-page.ts';
import { print } from '../output.ts';
import { EXIT_CODES } from '../program/run-options.ts';

/** `hyperagent man` */
export function printManPage(program: Command): number {
  const parts = {
    version: program.version() ?? '',
    exitCodes: exitCodes(),
    exitCodesText: EXIT_CODES,
  };
  print(manPage(describeProgram(program), parts));
  return EXIT.complete;
}
