import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandNode } from '../command-tree.ts';
import type { Shell } from '../program/shell-integration.ts';
import { bash, fish, powershell, type ShellWriter, zsh } from './shell-writers.ts';
import { type Choice, type Offer, tablesOf } from './tables.ts';

const SHELLS: Readonly<Record<Shell, { readonly file: string; readonly writer: ShellWriter }>> = {
  bash: { file: 'hyperagent.bash', writer: bash },
  zsh: { file: 'hyperagent.zsh', writer: zsh },
  fish: { file: 'hyperagent.fish', writer: fish },
  powershell: { file: 'hyperagent.ps1', writer: powershell },
};

/**
 * The completion script of a shell: a file of `resources/completion` reads the command line, and looks in
 * tables that are made from the commands. The same program makes the same bytes.
 */
export function completionScript(shell: Shell, program: CommandNode, resourcesDir: string): string {
  const { file, writer } = SHELLS[shell];
  const { offers, slots } = tablesOf(program);
  const namesOf = (choicesOf: (offer: Offer) => readonly Choice[]): string[] =>
    offers
      .filter((offer) => choicesOf(offer).length > 0)
      .map((offer) => writer.branch([offer.command], writer.names(choicesOf(offer))));
  const tables: Readonly<Record<string, readonly string[]>> = {
    SUBCOMMANDS: namesOf(({ commands }) => commands),
    FLAGS: namesOf(({ options }) => options),
    SLOTS: slots.map((slot) => writer.branch(slot.keys, writer.slot(slot))),
  };
  return readFileSync(join(resourcesDir, file), 'utf8').replace(
    /^( *)@(SUBCOMMANDS|FLAGS|SLOTS)@$/gm,
    (_, indent: string, table: string) => (tables[table] ?? []).join('\n').replace(/^/gm, indent),
  );
}
