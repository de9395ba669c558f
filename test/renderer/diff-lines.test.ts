import { describe, expect, it } from 'vitest';
import { type DiffLine, diffLines } from '#contract/diff-lines.ts';
import { createRandom } from '../setup/sampling.ts';

const textOf = (lines: readonly DiffLine[], without: DiffLine['kind']): string[] =>
  lines.filter(({ kind }) => kind !== without).map(({ text }) => text);

describe('a comparison by lines', () => {
  it('shows the fewest changes, removed lines first', () => {
    expect(diffLines('a\nb\nc\nd\n', 'a\nx\nc\nd\ne\n')).toEqual([
      { kind: 'same', text: 'a' },
      { kind: 'removed', text: 'b' },
      { kind: 'added', text: 'x' },
      { kind: 'same', text: 'c' },
      { kind: 'same', text: 'd' },
      { kind: 'added', text: 'e' },
    ]);
  });

  it('of nothing is all that is new', () => {
    expect(diffLines('', 'a\n')).toEqual([{ kind: 'added', text: 'a' }]);
    expect(diffLines('a', '')).toEqual([{ kind: 'removed', text: 'a' }]);
    expect(diffLines('', '')).toEqual([]);
  });

  it('leads from one text to the other, whatever they are', () => {
    const random = createRandom(7);
    const text = (lines: number): string[] =>
      Array.from({ length: lines }, () => `line ${Math.floor(random() * 6)}`);
    for (let round = 0; round < 300; round += 1) {
      const [before, after] = [text(1 + random() * 30), text(1 + random() * 30)];
      const lines = diffLines(before.join('\n'), after.join('\n'));
      expect([textOf(lines, 'added'), textOf(lines, 'removed')]).toEqual([before, after]);
    }
  });

  it('of texts that share nothing but their ends shows the middle as replaced', () => {
    const middle = (mark: string): string =>
      Array.from({ length: 3_000 }, (_, line) => `${mark} ${line}`).join('\n');
    const lines = diffLines(`start\n${middle('a')}\nend`, `start\n${middle('b')}\nend`);
    expect([lines[0], lines.at(-1)]).toEqual([
      { kind: 'same', text: 'start' },
      { kind: 'same', text: 'end' },
    ]);
    expect(lines.filter(({ kind }) => kind === 'same')).toHaveLength(2);
    expect(lines).toHaveLength(6_002);
  });
});
