import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TerminalEntry } from '../../src-renderer/store/run-view.ts';
import { cutMiddle, outputOf } from '../../src-renderer/store/tool-output.ts';

const numbered = (count: number): string =>
  `${Array.from({ length: count }, (_, i) => `line ${i + 1}`).join('\n')}\n`;

describe('the ends of a long output', () => {
  it('are whole lines, with the number of those between them', () => {
    const cut = cutMiddle(numbered(5_000));
    expect(cut?.head.split('\n')).toHaveLength(40);
    expect(cut?.head.endsWith('line 40')).toBe(true);
    expect(cut?.tail.startsWith('line 4961\n')).toBe(true);
    expect(cut?.hiddenLines).toBe(4_920);
  });

  it('are all of a short one', () => {
    for (const text of ['', 'x', numbered(80)]) expect(cutMiddle(text)).toBeNull();
  });

  it('of a line without end count characters', () => {
    expect(cutMiddle('x'.repeat(50_000))).toMatchObject({ hiddenLines: 0, hiddenChars: 38_000 });
  });

  it('are the beginning and the end of any text, within their limit, and hide the rest', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 2_000 }), { maxLength: 300 }), (lines) => {
        const text = lines.join('\n');
        const cut = cutMiddle(text);
        if (cut === null) return text.length <= 12_200;
        expect(text.startsWith(cut.head)).toBe(true);
        expect(text.replace(/\n$/, '').endsWith(cut.tail)).toBe(true);
        expect(cut.head.length + cut.tail.length).toBeLessThanOrEqual(12_000);
        return cut.hiddenChars > 0;
      }),
    );
  });
});

describe('what a call printed', () => {
  const command: TerminalEntry = {
    ...{ kind: 'command' as const, commandId: 'c', toolCallId: 'call', command: 'x' },
    ...{ language: 'bash' as const, cwd: '/' },
  };
  const out = (text: string, commandId = 'c') =>
    ({ kind: 'output', commandId, stream: 'out', text }) as const;

  it('is all that the terminal has of it', () => {
    const entries = [command, out('a\n'), out('other\n', 'd'), out('b\n')];
    expect(outputOf({ entries }, 'call', { stdout: 'b\n', stderr: '' }).stdout).toEqual({
      ...{ text: 'a\nb\n', isTail: false },
    });
  });

  it('is the end that the result has, from a whole line, where the terminal let go of it', () => {
    const stdout = `half a li${'ne\nx'.repeat(2_000)}`.slice(-4_000);
    const { text, isTail } = outputOf({ entries: [] }, 'call', { stdout, stderr: '' }).stdout;
    expect([text.startsWith('x'), isTail, stdout.endsWith(text)]).toEqual([true, true, true]);
    expect(outputOf({ entries: [] }, 'call', { stdout: 'short', stderr: '' }).stdout).toEqual({
      ...{ text: 'short', isTail: false },
    });
  });
});
