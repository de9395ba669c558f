import { z } from 'zod';
import { CodeLanguage } from '#contract/vocabulary.ts';
import { defineTool, type ToolParts } from '../define-tool.ts';
import { runInSandbox } from '../run-command.ts';
import type { ToolDefinition } from '../types.ts';

const LANGUAGE_NAMES: Readonly<Record<CodeLanguage, string>> = {
  python: 'Python',
  javascript: 'JavaScript',
  typescript: 'TypeScript',
  bash: 'Bash',
};

/** Runs a program in the sandbox. */
export function tool({ commandTimeoutMs }: Pick<ToolParts, 'commandTimeoutMs'>): ToolDefinition {
  return defineTool({
    name: 'execute_code',
    description:
      'Run a program in the sandbox, in /workspace. Print what you want to see. Each program starts fresh; files stay.',
    input: z.strictObject({
      language: CodeLanguage,
      code: z.string().min(1),
    }),
    question: ({ language }) => `Run this ${LANGUAGE_NAMES[language]} code?`,
    risk: 'high',
    effect: 'opaque',
    // Any program of the language: the same program rarely comes twice. The language is last in canonical
    // order, so no code can pass as another language.
    widerPattern: ({ language }) => `{"code":*,"language":${JSON.stringify(language)}}`,
    run: ({ language, code }, context) =>
      runInSandbox({ language, code, timeoutMs: commandTimeoutMs() }, context),
  });
}
