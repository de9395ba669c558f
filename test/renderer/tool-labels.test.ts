import { expect, test } from 'vitest';
import { TOOLS } from '#contract/tools.ts';
import { labelOf } from '#renderer/panels/chat/tool-labels.ts';
import type { ToolItem } from '#renderer/store/run-view.ts';

function title(name: string, changes: Partial<ToolItem> = {}): string {
  const item = { name, arguments: {}, status: 'ok', question: null, ...changes };
  return labelOf(item as ToolItem).title;
}

test('a call has the title of its tool, by what happens to it and by its arguments', () => {
  const python = { arguments: { language: 'python' } };
  expect([
    title('execute_code', { ...python, status: 'waiting' }),
    title('execute_code', { ...python, status: 'running' }),
    title('execute_code', python),
    title('execute_code', { arguments: { language: 'bash' }, status: 'denied' }),
    title('sandbox_file', { arguments: { operation: 'move' } }),
    title('list_skills', { status: 'running' }),
  ]).toEqual([
    'Wants to run Python',
    'Running Python',
    'Ran Python',
    'Wants to run a command',
    'Moved a file',
    'Listed the skills',
  ]);
});

test('a call of an unknown tool, or with a value that no title is for, keeps the name that the model used', () => {
  for (const language of ['rust', 'constructor', '__proto__', 7]) {
    expect(title('execute_code', { arguments: { language } })).toBe('Called execute_code');
  }
  expect([title('do_it'), title('toString')]).toEqual(['Called do_it', 'Called toString']);
});

test('every tool has a subject: one line, the first that says something', () => {
  const text = '# a comment\nimport os\n  print(1)\nprint(2)';
  for (const [name, { subject }] of Object.entries(TOOLS)) {
    const item = { name, arguments: { [subject]: text }, status: 'ok', question: null };
    expect([name, labelOf(item as unknown as ToolItem).subject]).toEqual([name, 'print(1)']);
  }
});

test('a question whose arguments are not in the log yet is named by its message', () => {
  const question = { message: 'Which colour?' } as ToolItem['question'];
  const item = { name: 'ask_user', arguments: {}, status: 'waiting', question };
  expect(labelOf(item as ToolItem).subject).toBe('Which colour?');
});
