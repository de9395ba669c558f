import { CommanderError } from 'commander';
import type { CliEnvironment } from './environment.ts';
import { EXIT, exitCodeOfError, messageOf } from './exit-codes.ts';
import { printError, watchOutput } from './output.ts';
import { createProgram } from './program/create-program.ts';
import { showControls } from './visible-text.ts';

/** How long handles may take to close after the last line; then the process exits anyway. */
const CLOSING_MS = 3000;

/** Runs the CLI with these arguments and sets the exit code. Never throws. */
export async function main(argv: readonly string[], environment: CliEnvironment): Promise<void> {
  watchOutput();
  const exitCode = await runCommand(argv, environment);
  // A failed write may have set it already.
  process.exitCode ||= exitCode;
  setTimeout(() => process.exit(), CLOSING_MS).unref();
}

async function runCommand(argv: readonly string[], environment: CliEnvironment): Promise<number> {
  let exitCode: number = EXIT.complete;
  const report = (code: number): void => {
    exitCode = code;
  };
  const program = createProgram(environment, report, argv);
  for (const command of [program, ...program.commands.flatMap((c) => [c, ...c.commands])]) {
    command.exitOverride().configureOutput({
      outputError: (text, write) => write(`hyperagent: ${oneLine(text)}\n`),
    });
  }
  try {
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    // Commander already printed it: help, version, or the usage error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.complete : EXIT.usage;
    printError(`hyperagent: ${oneLine(messageOf(error))}\n`);
    return exitCodeOfError(error);
  }
}

function oneLine(text: string): string {
  return showControls(
    text
      .replace(/^error: /, '')
      .trim()
      .replace(/\s*\n\s*/g, ' '),
  );
}
