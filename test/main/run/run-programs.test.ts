import { expect, test } from 'vitest';
import { describePrograms } from '#main/run/run-programs.ts';

const program = (pid: number, command: string) => ({ pid, command, startedAt: 0, runId: null });

test('command lines are one line, cut, with hidden characters made visible', () => {
  const commands = ['npm  run\n\ndev', 'a\u202eb\u001b[2J', 'x'.repeat(500)];
  const programs = commands.map((command, index) => program(index + 1, command));
  expect(describePrograms({ programs, isKnown: true })).toBe(
    `3 programs: npm run dev (pid 1); a⟨U+202E⟩b⟨U+001B⟩[2J (pid 2); ${'x'.repeat(80)} (pid 3)`,
  );
});

test('of many, the first are named, and an ellipsis says that there may be more', () => {
  const programs = Array.from({ length: 7 }, (_, index) => program(index, 'sleep'));
  expect(describePrograms({ programs, isKnown: true })).toMatch(
    /^7 programs: (sleep \(pid \d\); ){5}…$/,
  );
  expect(describePrograms({ programs: [program(1, 'a')], isKnown: false })).toBe(
    '1 program: a (pid 1); …',
  );
  expect(describePrograms({ programs: [], isKnown: false })).toBe('any programs that ran there');
});
