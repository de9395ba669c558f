import { z } from 'zod';
import { RUN_STEP } from '#main/base/step-path.ts';
import { AnswerBuilder } from '#main/models/answer-builder.ts';
import { readStructured } from '#main/models/structured-answer.ts';
import { recoverToolCalls } from '#main/models/tool-call-text/recover.ts';
import { readConstrainedCall } from '#main/models/tool-means/constrained-call.ts';
import type { ToolSchema } from '#main/models/types.ts';
import { validateInput } from '#main/skills/skill-input.ts';
import { reviewArguments } from '#main/tools/review-arguments.ts';
import { TOOL_CALL_FORMS } from '../../fixtures/tool-call-forms.ts';
import { type FuzzInput, type FuzzTarget, HOLE } from '../types.ts';
import { turns } from './streams.ts';
import { FUZZ_TOOLS, GUARDS, KNOWN_TOOLS, prepareAll } from './tools.ts';

/** What models write, whichever server it came over. */

const FORMS = TOOL_CALL_FORMS.map(([, text]) => text);
/** The tools of those forms, beside our own. */
const TOOLS: readonly ToolSchema[] = [
  ...FUZZ_TOOLS,
  ...['lookup', 'move', 'now', 'save', 'tag'].map((name) => ({
    ...{ name, description: name },
    parameters: {
      type: 'object',
      properties: {
        ...{ word: { type: 'string' }, path: { type: 'string' }, content: { type: 'string' } },
        ...{ x: { type: 'integer' }, labels: { type: 'array' }, meta: { type: 'object' } },
      },
    },
  })),
];

/** Marks of all families, as they stand in the forms. */
const MARKS = [
  ...new Set(
    FORMS.flatMap((form) => form.match(/<[^<>\n]{1,40}>|\[[A-Z_/ ]{3,30}\]|```\w*|>>>/g) ?? []),
  ),
  ...[
    '<think>',
    '</think>',
    '<|channel|>',
    '<|start|>',
    '<|message|>',
    'to=functions.',
    '<example>',
    '<code>',
  ],
  ...[
    '{"name": "lookup", "arguments": {',
    '"',
    "'",
    '\\"',
    'lookup(',
    '[lookup(',
    'Action: ',
    'Action Input: ',
  ],
  ...['<![CDATA[', ']]>', 'for example: ', '\n'],
];

/** As an answer comes: in deltas of text. */
async function readAnswer(input: FuzzInput): Promise<void> {
  const builder = new AnswerBuilder({ messages: [], tools: TOOLS }, () => undefined);
  let inTurn = 0;
  for (const delta of deltas(input)) {
    builder.text(delta);
    // What one piece from a socket holds.
    inTurn += delta.length + 50;
    if (inTurn < 65_536) continue;
    inTurn = 0;
    await turns(1);
  }
  await turns(1);
  const content = builder.build(input.random() < 0.1 ? 'length' : 'stop');
  prepareAll(content);
  JSON.stringify(content);
}

function deltas({ text, random }: FuzzInput): string[] {
  const size = [text.length, 1, 4, 40, 4_000][Math.floor(random() * 5)] ?? 1;
  // Readers of streams take in no more at once.
  const step = Math.min(32_768, Math.max(1, size, Math.ceil(text.length / 50_000)));
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += step) pieces.push(text.slice(at, at + step));
  return pieces;
}

const Plan = z.object({
  steps: z.array(z.object({ id: z.string(), goal: z.string(), more: z.unknown().optional() })),
});
const PLAN = '{"steps":[{"id":"a","goal":"read"},{"id":"b","goal":"write"}]}';
const JSON_TOKENS = [
  '{',
  '}',
  '[',
  ']',
  '"',
  '```json\n',
  '```',
  '":',
  '{"steps":[',
  '\\u0041',
  '\\"',
  ',',
];

const SKILL = {
  id: 's',
  parameters: [
    { name: 'object', type: 'object', description: '', required: false },
    { name: 'array', type: 'array', description: '', required: false },
    { name: 'text', type: 'string', description: '', required: false },
    { name: 'number', type: 'number', description: '', required: false },
  ],
} as const;

export const MODEL_TEXT_TARGETS: readonly FuzzTarget[] = [
  {
    name: 'tool-call-text',
    faces: 'model',
    seeds: [
      ...FORMS,
      `<tool_call>{"name":"deep","arguments":{"value":${HOLE}}}</tool_call>`,
      `<function=save><parameter=meta>${HOLE}</parameter></function>`,
      `[tag(labels=${HOLE})]`,
      `<think>${HOLE}</think>done`,
      `${HOLE}</think>done`,
    ],
    tokens: MARKS,
    run: readAnswer,
  },
  {
    name: 'tool-call-recovery',
    faces: 'model',
    seeds: [...FORMS, `Done.\n\`\`\`json\n{"name":"deep","arguments":${HOLE}}\n\`\`\``],
    tokens: MARKS,
    // What is gone through once more.
    maxBytes: 192 * 1024,
    run: ({ text }) => {
      prepareAll({ ...recoverToolCalls(text, TOOLS), toolCalls: [], invalidToolCalls: [] });
    },
  },
  {
    name: 'structured-answer',
    faces: 'model',
    seeds: [
      PLAN,
      `Here it is:\n\`\`\`json\n${PLAN}\n\`\`\`\nDone.`,
      `I think {x} of [it]. ${PLAN}`,
      `{"steps":[{"id":"a","goal":"b","more":${HOLE}}]}`,
    ],
    tokens: JSON_TOKENS,
    run: ({ text }) => {
      const found = readStructured(text, Plan);
      if (found.ok) JSON.stringify(found.value);
    },
  },
  {
    name: 'constrained-call',
    faces: 'model',
    seeds: [
      `{"tool":"deep","arguments":{"value":${HOLE}}}`,
      '{"tool":"text","arguments":{"path":"a"}}',
    ],
    tokens: JSON_TOKENS,
    run: ({ text }) => {
      const call = readConstrainedCall(text, FUZZ_TOOLS);
      if (call !== null) prepareAll({ toolCalls: [call], invalidToolCalls: [] });
    },
  },
  {
    name: 'call-arguments',
    faces: 'model',
    seeds: [
      `{"value":${HOLE},"list":[1]}`,
      `{"list":${HOLE}}`,
      '{"value":"{\\"a\\":1}","list":"[1,2]"}',
      '{"code":"print(1)\\nimport os; os.system(\'rm -rf /\')","language":"python"}',
      '{"path":"../../etc/passwd","limit":"5"}',
    ],
    tokens: [
      ...JSON_TOKENS,
      '"value":',
      '"code":',
      'rm -rf ',
      'curl http://',
      ' | sh',
      'base64 -d',
    ],
    run: ({ text, random }) => {
      const builder = new AnswerBuilder({ messages: [], tools: [] }, () => undefined);
      const name = ['text', 'deep', 'execute_code'][Math.floor(random() * 3)] ?? 'deep';
      // Text in text: small models write an object as its JSON.
      const given = random() < 0.3 ? { value: text, code: text, language: 'bash' } : text;
      builder.call({ id: '', name, arguments: given });
      prepareAll(builder.build('stop'));
    },
  },
  {
    name: 'skill-parameters',
    faces: 'model',
    seeds: [`{"a":${HOLE}}`, '[1,2,3]', '5', '{"a":{"b":[1]}}'],
    tokens: JSON_TOKENS,
    run: ({ text }) => {
      const checked = validateInput(SKILL as never, {
        object: text,
        array: text,
        text,
        number: text,
      });
      JSON.stringify(checked);
    },
  },
  {
    name: 'edited-arguments',
    faces: 'window',
    seeds: [`{"value":{"a":${HOLE}}}`, `{"a":${HOLE}}`, '{"list":[1,"x"]}'],
    tokens: JSON_TOKENS,
    run: ({ text }) => {
      const parts = { tools: KNOWN_TOOLS, guards: GUARDS };
      reviewArguments(parts, { id: 'a', step: RUN_STEP, tool: { name: 'deep' } }, text);
    },
  },
];
