import type { Named } from './expected.ts';

interface PowershellTables {
  readonly subcommands: ReadonlyMap<string, readonly Named[]>;
  readonly flags: ReadonlyMap<string, readonly Named[]>;
  readonly slots: ReadonlyMap<string, readonly string[]>;
}

/** PowerShell ends a string at any of these, unless two follow one another. */
const QUOTES = /['‘’‚‛]/;

/** The strings of a line as PowerShell reads them, and the line with `S` in their places. */
function readStrings(line: string): { readonly strings: string[]; readonly rest: string } {
  const strings: string[] = [];
  let rest = '';
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at] ?? '';
    if (!QUOTES.test(character)) {
      rest += character;
      continue;
    }
    let text = '';
    for (at += 1; at < line.length; at += 1) {
      const inside = line[at] ?? '';
      const isQuote = QUOTES.test(inside);
      if (isQuote && !QUOTES.test(line[at + 1] ?? '')) break;
      if (isQuote) at += 1;
      text += inside;
    }
    strings.push(text);
    rest += 'S';
  }
  return { strings, rest };
}

/** The lines of a table: for each key, its strings. Throws where a line is anything else than keys and strings. */
function readTable(script: string, name: string): Map<string, string[]> {
  const [, body = ''] =
    new RegExp(`function ${name}\\(.*?\\n *switch .*?\\n(.*?)\\n        }\\n`, 's').exec(script) ??
    [];
  const table = new Map<string, string[]>();
  for (const line of body.split('\n')) {
    const { strings, rest } = readStrings(line.trim());
    const [, keys = ''] = /^\{ \$_ -cin (S(?:, S)*) \} \{ S(?:, S)*; break \}$/.exec(rest) ?? [];
    if (keys === '') throw new Error(`This is no line of a table: ${line}`);
    const count = keys.split(', ').length;
    for (const key of strings.slice(0, count)) table.set(key, strings.slice(count));
  }
  return table;
}

/** The tables of a script for PowerShell. */
export function readPowershellTables(script: string): PowershellTables {
  const pairs = (table: Map<string, string[]>): Map<string, Named[]> =>
    new Map(
      [...table].map(([key, strings]) => [
        key,
        strings.flatMap((name, index) =>
          index % 2 === 0 ? [{ name, description: strings[index + 1] ?? '' }] : [],
        ),
      ]),
    );
  return {
    subcommands: pairs(readTable(script, 'Get-Subcommands')),
    flags: pairs(readTable(script, 'Get-Flags')),
    slots: readTable(script, 'Get-Slot'),
  };
}
