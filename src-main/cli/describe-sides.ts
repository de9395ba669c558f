import { diffLines } from '#contract/diff-lines.ts';
import type { FileSide } from '#contract/workspace.ts';
import type { Style } from './style.ts';
import { showControls } from './visible-text.ts';

/** Two sides of a file, each with its name: the lines that differ, or the sizes of binary files. */
export function describeSides(sides: Readonly<Record<string, FileSide>>, style: Style): string {
  const named = Object.entries(sides);
  const [before = '', after = ''] = named.map(([, side]) =>
    side.kind === 'text' ? side.text : '',
  );
  if (named.some(([, { kind }]) => kind === 'binary')) {
    return named.map(([name, side]) => describeSide(name, side)).join('');
  }
  const lines = diffLines(before, after).map(({ kind, text }) => {
    if (kind === 'same') return `  ${showControls(text)}`;
    return kind === 'added'
      ? style.green(`+ ${showControls(text)}`)
      : style.red(`- ${showControls(text)}`);
  });
  const isCut = named.some(([, side]) => side.kind === 'text' && side.truncated);
  return `${lines.join('\n')}\n${isCut ? 'The rest of the file is not shown.\n' : ''}`;
}

function describeSide(name: string, side: FileSide): string {
  if (side.kind === 'absent') return `${name}: no file\n`;
  if (side.kind === 'binary') return `${name}: ${side.bytes} bytes, not text\n`;
  return `${name}: text\n`;
}
