import { Argument, type Command } from 'commander';
import type { Report } from './run-options.ts';

export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;
export type Shell = (typeof SHELLS)[number];

const INSTALL = `
Install:
  bash        hyperagent completion bash > ~/.local/share/bash-completion/completions/hyperagent
  zsh         hyperagent completion zsh > ~/.zfunc/_hyperagent   (with "fpath+=~/.zfunc" before compinit in ~/.zshrc)
  fish        hyperagent completion fish > ~/.config/fish/completions/hyperagent.fish
  powershell  hyperagent completion powershell >> $PROFILE`;

/** `hyperagent completion`: made from all commands, as `createAll` declares them. */
export function addCompletion(program: Command, report: Report, createAll: () => Command): void {
  program
    .command('completion')
    .description('Print a script that completes commands and options with Tab')
    .addArgument(new Argument('<shell>', 'the shell that reads it').choices(SHELLS))
    .addHelpText('after', INSTALL)
    .action(async (shell: Shell) => {
      const { printCompletion } = await import('../commands/completion.ts');
      report(printCompletion(shell, createAll()));
    });
}

/** `hyperagent man`: made from all commands, as `createAll` declares them. */
export function addMan(program: Command, report: Report, createAll: () => Command): void {
  program
    .command('man')
    .description('Print the manual page')
    .addHelpText(
      'after',
      '\nRead it with "hyperagent man | man -l -", or install it:\n  hyperagent man > ~/.local/share/man/man1/hyperagent.1',
    )
    .action(async () => {
      const { printManPage } = await import('../commands/man.ts');
      report(printManPage(createAll()));
    });
}
