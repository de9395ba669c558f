import { z } from 'zod';
import { silentLogger } from '#main/base/logger.ts';
import { RUN_STEP } from '#main/base/step-path.ts';
import { Guards } from '#main/guardrails/guards.ts';
import type { ModelReply } from '#main/models/types.ts';
import { defineTool } from '#main/tools/define-tool.ts';
import { guardArguments } from '#main/tools/guard-call.ts';
import { type KnownTool, prepareCall } from '#main/tools/prepare-call.ts';
import { toToolSchema } from '#main/tools/tool-schema.ts';

/** Tools with every kind of argument that tools of the app have. */
const definitions = [
  defineTool({
    name: 'text',
    category: 'file',
    description: 'Takes a text.',
    input: z.strictObject({ path: z.string(), limit: z.number().optional() }),
    ...{ risk: 'low', effect: 'read', run: async () => ({ content: '' }) },
  } as never),
  defineTool({
    name: 'deep',
    category: 'skill',
    description: 'Takes anything.',
    input: z.strictObject({
      value: z.record(z.string(), z.unknown()).optional(),
      list: z.array(z.unknown()).optional(),
      a: z.unknown().optional(),
    }),
    ...{ risk: 'high', effect: 'opaque', run: async () => ({ content: '' }) },
  } as never),
  defineTool({
    name: 'execute_code',
    category: 'code_exec',
    description: 'Runs code.',
    input: z.strictObject({ code: z.string(), language: z.enum(['python', 'bash']) }),
    ...{ risk: 'high', effect: 'opaque', run: async () => ({ content: '' }) },
  } as never),
];

export const KNOWN_TOOLS: ReadonlyMap<string, KnownTool> = new Map(
  definitions.map((definition) => [
    definition.name,
    { definition, schema: toToolSchema(definition) },
  ]),
);
export const FUZZ_TOOLS = [...KNOWN_TOOLS.values()].map(({ schema }) => schema);

export const GUARDS = new Guards({
  settings: () => ({
    ...{ guardrails: true, guardrailsInput: true, guardrailsOutput: true, guardrailsTool: true },
    ...{ guardrailsAction: 'block', guardrailsTimeoutMs: 500 },
  }),
  logger: silentLogger,
});

/** What becomes of the calls of an answer before anybody is asked. */
export function prepareAll(reply: Pick<ModelReply, 'toolCalls' | 'invalidToolCalls'>): void {
  for (const call of [...reply.toolCalls, ...reply.invalidToolCalls]) {
    const prepared = prepareCall(call, KNOWN_TOOLS, RUN_STEP);
    if (prepared.kind === 'prepared') guardArguments(GUARDS, prepared, 'open');
    else JSON.stringify(prepared.given);
  }
}
