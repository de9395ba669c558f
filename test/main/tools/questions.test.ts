import { expect, it } from 'vitest';
import { tool as executeCodeTool } from '#main/tools/definitions/execute-code.ts';
import { tool as executeScriptTool } from '#main/tools/definitions/execute-script.ts';
import { tool as sandboxFileTool } from '#main/tools/definitions/sandbox-file.ts';
import { tool as shellCommandTool } from '#main/tools/definitions/shell-command.ts';
import type { ToolDefinition } from '#main/tools/types.ts';
import { inlineDocuments } from '../../fakes/inline-documents.ts';
import { noEdits } from '../../fakes/no-edits.ts';
import { noPictures } from '../../fakes/no-pictures.ts';

const limit = (): number => 1_000;

it.each<[ToolDefinition, Record<string, unknown>, string]>([
  [
    executeCodeTool({ commandTimeoutMs: limit }),
    { language: 'python', code: 'x' },
    'Run this Python code?',
  ],
  [
    executeCodeTool({ commandTimeoutMs: limit }),
    { language: 'bash', code: 'x' },
    'Run this Bash code?',
  ],
  [shellCommandTool({ commandTimeoutMs: limit }), { command: 'ls' }, 'Run this command?'],
  [executeScriptTool({ commandTimeoutMs: limit }), { script: 'x' }, 'Run this script?'],
  [
    sandboxFileTool({ pictures: noPictures, documents: inlineDocuments, edits: noEdits }),
    { operation: 'write', path: 'a', content: 'x' },
    'Write this file?',
  ],
  [
    sandboxFileTool({ pictures: noPictures, documents: inlineDocuments, edits: noEdits }),
    { operation: 'delete', path: 'a' },
    'Delete this file?',
  ],
])('an approval asks in words what will happen: %#', ({ question, input }, given, words) => {
  expect(question?.(input.parse(given))).toBe(words);
});
