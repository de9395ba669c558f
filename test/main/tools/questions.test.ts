import { expect, it } from 'vitest';
import { executeCodeTool } from '#main/tools/execute-code.ts';
import { executeScriptTool } from '#main/tools/execute-script.ts';
import { sandboxFileTool } from '#main/tools/sandbox-file.ts';
import { shellCommandTool } from '#main/tools/shell-command.ts';
import type { ToolDefinition } from '#main/tools/types.ts';

const limit = (): number => 1_000;

it.each<[ToolDefinition, Record<string, unknown>, string]>([
  [executeCodeTool(limit), { language: 'python', code: 'x' }, 'Run this Python code?'],
  [executeCodeTool(limit), { language: 'bash', code: 'x' }, 'Run this Bash code?'],
  [shellCommandTool(limit), { command: 'ls' }, 'Run this command?'],
  [executeScriptTool(limit), { script: 'x' }, 'Run this script?'],
  [sandboxFileTool(), { operation: 'write', path: 'a', content: 'x' }, 'Write this file?'],
  [sandboxFileTool(), { operation: 'delete', path: 'a' }, 'Delete this file?'],
])('an approval asks in words what will happen: %#', ({ question, input }, given, words) => {
  expect(question?.(input.parse(given))).toBe(words);
});
