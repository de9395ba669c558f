import { parseArgs } from 'node:util';

/**
 * The frame of a command that counts over files: its arguments are files (by default `own`) and shares between 0
 * and 1, each with its default. `each` prints what it counted, and gives a complaint where a share is not met: then
 * the command exits with 1. It exits with 2 if a file or a share cannot be read.
 */
export async function countFiles<Name extends string>(
  own: readonly string[],
  defaults: Readonly<Record<Name, number>>,
  each: (
    file: string,
    shares: Readonly<Record<Name, number>>,
  ) => Promise<string | null> | string | null,
): Promise<void> {
  try {
    const names = Object.keys(defaults) as Name[];
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
    });
    const shares = Object.fromEntries(
      names.map((name) => [name, shareOf(name, values[name] ?? defaults[name])]),
    ) as Record<Name, number>;
    for (const file of positionals.length > 0 ? positionals : own) {
      const complaint = await each(file, shares);
      if (complaint === null) continue;
      process.stderr.write(`${file}: ${complaint}\n`);
      process.exitCode = 1;
    }
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 2;
  }
}

function shareOf(name: string, value: unknown): number {
  const share = Number(value);
  if (!(share >= 0 && share <= 1)) throw new Error(`--${name} takes a share between 0 and 1`);
  return share;
}

/** A share in words: "84.8 %". */
export function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
