import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeVisible, visibleSegments } from '#contract/visible-text.ts';
import { classifyTarget } from '#renderer/components/markdown/safe-url.ts';
import {
  formatBytes,
  formatCountdown,
  formatDuration,
  formatElapsed,
  formatMoment,
  formatTokens,
  listOf,
} from '#renderer/format.ts';
import { takeTerminalText, terminalStart } from '#renderer/panels/computer/terminal-writer.ts';
import { buildFileTree, withChanges } from '#renderer/store/file-tree.ts';
import { foldEvents } from '#renderer/store/fold-events.ts';
import { groupThreads } from '#renderer/store/group-threads.ts';
import { createLayoutStore } from '#renderer/store/layout.ts';
import { parseTable } from '#renderer/store/parse-table.ts';
import { TERMINAL_CHARS } from '#renderer/store/reducers/sandbox.ts';
import { emptyRunView, type TerminalLog } from '#renderer/store/run-view.ts';
import { fakeThread } from '../fakes/fake-thread.ts';
import { CSV_LOG, log } from './events.ts';

describe('text that is approved', () => {
  it('makes every invisible character visible', () => {
    const hidden = 'rm\u202e -rf\u00a0\u200b/\u0000\u001b[2K\u2028\ud800\u{e0041}\ufe0f';
    expect(makeVisible(hidden)).toBe(
      'rm⟨U+202E⟩ -rf⟨U+00A0⟩⟨U+200B⟩/⟨U+0000⟩⟨U+001B⟩[2K⟨U+2028⟩⟨U+D800⟩⟨U+E0041⟩⟨U+FE0F⟩',
    );
  });

  it('leaves visible text unchanged', () => {
    const plain = 'def größe(x):\n\treturn "日本 👍" # ñ\n';
    expect(visibleSegments(plain)).toEqual([{ text: plain, hidden: false }]);
  });

  it('keeps different texts different', () => {
    expect(makeVisible('⟨U+202E⟩')).not.toBe(makeVisible('\u202e'));
  });
});

describe("the target of an address in a model's text", () => {
  it.each([
    ['https://example.org/a?b', { kind: 'web', url: 'https://example.org/a?b' }],
    ['mailto:a@example.org', { kind: 'mail', url: 'mailto:a@example.org' }],
    ['chart.png', { kind: 'workspace', path: 'chart.png' }],
    ['./out/my%20chart.png', { kind: 'workspace', path: 'out/my chart.png' }],
    ['/workspace/out/a.png', { kind: 'workspace', path: 'out/a.png' }],
    ['sandbox:/workspace/a.png', { kind: 'workspace', path: 'a.png' }],
    ['data:image/png;base64,AAAA', { kind: 'inline-image', url: 'data:image/png;base64,AAAA' }],
  ])('%s', (address, target) => expect(classifyTarget(address)).toEqual(target));

  it.each([
    ...[
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'java\nscript:alert(1)',
      ' \u0001javascript:x',
    ],
    ...[
      'data:text/html,<script>',
      'data:image/svg+xml;base64,AAAA',
      'vbscript:x',
      'blob:x',
      'ftp://x',
    ],
    ...[
      'file:///etc/passwd',
      '//evil.example/x',
      '\\\\evil\\x',
      '../secret',
      'a/../../b',
      '#x',
      '',
    ],
    ...[
      'hyperagent://x',
      '/etc/passwd',
      'https://',
      '/workspace/../etc/passwd',
      '%2e%2e/secret',
      '%5C%5Cevil%5Cx',
      'a\\b',
      '%2Fetc/x',
    ],
  ])('refuses %j', (address) => expect(classifyTarget(address).kind).toBe('refused'));
});

describe('tasks by date', () => {
  it('groups by calendar day', () => {
    const now = new Date(2026, 10, 21, 0, 30).getTime();
    const thread = (id: string, ...date: [number, number, number, number]) => {
      const at = new Date(...date).getTime();
      return fakeThread({ id, title: id, at });
    };
    const groups = groupThreads(
      [
        thread('old', 2026, 9, 1, 12),
        thread('late yesterday', 2026, 10, 20, 23),
        thread('just now', 2026, 10, 21, 0),
        thread('last week', 2026, 10, 14, 9),
        thread('early yesterday', 2026, 10, 20, 1),
      ],
      now,
    );
    expect(groups.map(({ age, threads }) => [age, ...threads.map(({ id }) => id)])).toEqual([
      ['today', 'just now'],
      ['yesterday', 'late yesterday', 'early yesterday'],
      ['week', 'last week'],
      ['older', 'old'],
    ]);
  });
});

describe('tables', () => {
  it('reads quotes, line ends and separators', () => {
    expect(parseTable('\uFEFFa;b\r\n"x ""y"";\n";2\r\n\r\n;\n3;4', null)).toEqual({
      header: ['a', 'b'],
      rows: [
        ['x "y";\n', '2'],
        ['3', '4'],
      ],
      more: false,
    });
  });

  it('stops after the rows that are shown', () => {
    const table = parseTable(`n\n${'1\n'.repeat(2000)}`, ',');
    expect([table.rows.length, table.more]).toEqual([500, true]);
  });

  it.each(['', '"', 'a,', ',', '"a', 'a\n"'])('ends on %j', (text) => {
    expect(parseTable(text, ',').more).toBe(false);
  });
});

describe('the workspace', () => {
  it('is a tree, folders first, with later changes applied to the listing', () => {
    const entries = [
      { path: 'b.txt', kind: 'file' as const, size: 1, modifiedAt: 0 },
      { path: 'out/x10.png', kind: 'file' as const, size: 2, modifiedAt: 0 },
      { path: 'out/x9.png', kind: 'file' as const, size: 3, modifiedAt: 0 },
    ];
    const change = { origin: 'call', seq: 1, writers: 1 };
    const changes = new Map([
      ['b.txt', { operation: 'delete' as const, size: 0, ...change }],
      ['new/a.csv', { operation: 'create' as const, size: 9, ...change }],
    ]);
    const names = buildFileTree(withChanges(entries, changes)).map(({ path, children }) => [
      path,
      ...children.map(({ name, size }) => [name, size]),
    ]);
    expect(names).toEqual([
      ['new', ['a.csv', 9]],
      ['out', ['x9.png', 3], ['x10.png', 2]],
    ]);
  });
});

describe('the terminal', () => {
  const plain = (text: string): string =>
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are taken out
    text.replace(/\u001b\[\d*m/g, '');

  it('writes each character once, whatever the batches', () => {
    const whole = takeTerminalText(
      foldEvents(emptyRunView('r'), CSV_LOG).terminal,
      terminalStart(),
    );
    let view = emptyRunView('r');
    const cursor = terminalStart();
    let bit = '';
    for (const event of CSV_LOG) {
      view = foldEvents(view, [event]);
      bit += takeTerminalText(view.terminal, cursor);
    }
    expect(plain(bit)).toBe(plain(whole));
    expect(plain(whole)).toContain('South    1767.00\nUserWarning');
    expect(plain(whole)).toContain('exit 0, 1.8 s');
  });

  it('drops old output, and says so', () => {
    const drafts = Array.from({ length: 3000 }, (_, index) => ({
      ...{ type: 'terminal_output' as const, commandId: 'c', offset: index * 1000 },
      text: `${'x'.repeat(999)}\n`,
    }));
    const { terminal }: { terminal: TerminalLog } = foldEvents(emptyRunView('r'), log(drafts));
    const text = takeTerminalText(terminal, terminalStart());
    const held = terminal.entries.reduce(
      (sum, entry) => sum + (entry.kind === 'output' ? entry.text.length : 0),
      0,
    );
    expect(terminal.dropped).toBeGreaterThan(0);
    expect(held).toBe(terminal.chars);
    expect(held).toBeLessThanOrEqual(TERMINAL_CHARS);
    expect(text).toContain('Older output was dropped');
  });

  it('shows a command, and does not interpret it', () => {
    const { terminal } = foldEvents(
      emptyRunView('r'),
      log([
        {
          ...{ type: 'terminal_command', commandId: 'c', language: 'bash', cwd: '/' },
          command: 'echo \u001b[2J\u0007',
        },
      ]),
    );
    const text = takeTerminalText(terminal, terminalStart());
    expect([text.includes('\u001b[2J'), text.includes('\u0007')]).toEqual([false, false]);
  });
});

describe('the layout', () => {
  it.each([
    ['nothing stored', null],
    ['nonsense', '{'],
    ['wrong kinds', '{"sidebarWidth":"wide","computerOpen":1}'],
  ])('starts over from %s', (_name, stored) => {
    const store = createLayoutStore({ getItem: () => stored, setItem: () => undefined });
    expect(store.get()).toEqual({
      ...{ sidebarOpen: true, sidebarWidth: 256, computerOpen: true, computerWidth: 440 },
    });
  });
});

describe('figures', () => {
  const MORNING = new Date(2026, 10, 16, 9, 5).getTime();
  it.each([
    [formatBytes(999), '999 B'],
    [formatBytes(1500), '1.5 kB'],
    [formatBytes(26_214_400), '26.2 MB'],
    [formatBytes(999_950), '1.0 MB'],
    [formatMoment(MORNING, MORNING + 1000), '09:05'],
    [formatMoment(MORNING, MORNING + 86_400_000), 'Nov 16, 09:05'],
    [formatDuration(340), '340 ms'],
    [formatDuration(4200), '4.2 s'],
    [formatDuration(200_000), '3 min 20 s'],
    [formatElapsed(42_900), '42 s'],
    [formatCountdown(119_900), '1:59'],
    [formatCountdown(3_723_000), '1:02:03'],
    [formatCountdown(-1), '0:00'],
    [formatTokens(16_384), '16k'],
    [formatTokens(200_000), '200k'],
    [formatTokens(1_048_576), '1M'],
    [listOf([]), ''],
    [listOf(['salt']), 'salt'],
    [listOf(['salt', 'pepper and oil', 'rice']), 'salt, pepper and oil, rice'],
  ])('%s', (shown, expected) => expect(shown).toBe(expected));

  it('has one place for how lists are written', () => {
    const root = join(import.meta.dirname, '../../src-renderer');
    const joined = globSync('**/*.{ts,tsx}', { cwd: root }).filter((path) =>
      /join\('(?:, |、)'\)/.test(readFileSync(join(root, path), 'utf8')),
    );
    expect(joined).toEqual([]);
  });
});
