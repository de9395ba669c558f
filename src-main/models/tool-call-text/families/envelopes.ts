import { argumentPairs } from '../grammar/argument-pairs.ts';
import { after, envelope } from '../grammar/envelope.ts';
import { functionTags } from '../grammar/function-tags.ts';
import { invokeTags } from '../grammar/invoke-tags.ts';
import { jsonCalls } from '../grammar/json-calls.ts';
import { pythonUntil } from '../grammar/python-calls.ts';
import type { Family, Grammar } from '../types.ts';
import { apertusShapes } from './apertus.ts';

interface Envelope {
  readonly id: string;
  readonly open: string;
  readonly closes: readonly string[];
  readonly between?: readonly string[];
  readonly holds: readonly Grammar[];
}

const json = jsonCalls();
const plainInvoke = after('<invoke', invokeTags({ call: 'invoke', argument: 'parameter' }));
const namedFunction = after(
  '<function',
  invokeTags({ call: 'function', argument: 'param', cdata: true }),
);
const functionBlock = after('<function=', functionTags);

/**
 * The families that put a mark before their calls and usually one behind: what the marks are, and
 * in which grammars the calls between them may be written. The order of the grammars matters.
 */
const ENVELOPES: readonly Envelope[] = [
  {
    id: 'hermes, qwen, ernie, reka, granite 4; qwen3-coder, nemotron 3, step 3.5; glm, ling 3, spark',
    open: '<tool_call>',
    closes: ['</tool_call>'],
    holds: [
      json,
      functionBlock,
      namedFunction,
      plainInvoke,
      argumentPairs,
      pythonUntil(['</tool_call>'], ['<tool_call>']),
    ],
  },
  {
    id: 'jamba, hunyuan, apriel, minimax m1; hy 3',
    open: '<tool_calls>',
    closes: ['</tool_calls>'],
    between: ['<tool_call>', '</tool_call>'],
    holds: [json, functionBlock, plainInvoke, argumentPairs],
  },
  { id: 'nemotron 2', open: '<TOOLCALL>', closes: ['</TOOLCALL>'], holds: [json] },
  {
    id: 'granite 3, phi 4 mini',
    open: '<|tool_call|>',
    closes: ['<|/tool_call|>', '</tool_call>'],
    holds: [json],
  },
  { id: 'granite 20b', open: '<function_call>', closes: ['</function_call>'], holds: [json] },
  {
    id: 'longcat',
    open: '<longcat_tool_call>',
    closes: ['</longcat_tool_call>'],
    holds: [json, argumentPairs],
  },
  {
    id: 'dots',
    open: '<dots_function_call>',
    closes: ['</dots_function_call>'],
    holds: [plainInvoke, json],
  },
  {
    id: 'minimax m2',
    open: '<minimax:tool_call>',
    closes: ['</minimax:tool_call>'],
    holds: [plainInvoke, json],
  },
  {
    id: 'seed-oss',
    open: '<seed:tool_call>',
    closes: ['</seed:tool_call>'],
    holds: [functionBlock, json],
  },
  {
    id: 'olmo 3; anthropic style',
    open: '<function_calls>',
    closes: ['</function_calls>'],
    holds: [plainInvoke, json, pythonUntil(['</function_calls>'], ['<function_calls>'])],
  },
  {
    id: 'lfm 2',
    open: '<|tool_call_start|>',
    closes: ['<|tool_call_end|>'],
    holds: [json, pythonUntil(['<|tool_call_end|>'], ['<|tool_call_start|>'])],
  },
  {
    id: 'llama 4',
    open: '<|python_start|>',
    closes: ['<|python_end|>'],
    holds: [json, pythonUntil(['<|python_end|>'], ['<|python_start|>', '<|eot|>', '<|eom|>'])],
  },
  {
    id: 'llama 3',
    open: '<|python_tag|>',
    closes: ['<|eom_id|>', '<|eot_id|>'],
    holds: [json, pythonUntil(['<|eom_id|>', '<|eot_id|>'], ['<|python_tag|>'])],
  },
  {
    id: 'apertus',
    open: '<|tools_prefix|>',
    closes: ['<|tools_suffix|>'],
    holds: [jsonCalls(apertusShapes), json],
  },
  {
    id: 'internlm 2',
    open: '<|action_start|><|plugin|>',
    closes: ['<|action_end|>'],
    holds: [json],
  },
  { id: 'cohere', open: '<|START_ACTION|>', closes: ['<|END_ACTION|>'], holds: [json] },
  { id: 'gigachat 3.1', open: '<|function_call|>', closes: ['</s>'], holds: [json] },
  {
    id: 'gigachat 3',
    open: '<|message_sep|>\n\nfunction call<|role_sep|>\n',
    closes: ['<|message_sep|>', '</s>'],
    holds: [json],
  },
  {
    id: 'inkling',
    open: '<|content_invoke_tool_json|>',
    closes: ['<|end_message|>'],
    holds: [json],
  },
  { id: 'pangu', open: '[unused11]', closes: ['[unused12]'], holds: [json] },
  {
    id: 'muse',
    open: '<atem:function_calls>',
    closes: ['</atem:function_calls>'],
    holds: [after('<atem:invoke', invokeTags({ call: 'atem:invoke', argument: 'atem:parameter' }))],
  },
  ...['function_calls', 'tool_calls'].map((block) => ({
    id: 'deepseek 3.2 and 4',
    open: `<｜DSML｜${block}>`,
    closes: [`</｜DSML｜${block}>`],
    holds: [
      after(
        '<｜DSML｜invoke',
        invokeTags({
          call: '｜DSML｜invoke',
          argument: '｜DSML｜parameter',
          outerCloses: [`</｜DSML｜${block}>`],
        }),
      ),
    ],
  })),
];

export const envelopeFamilies: readonly Family[] = ENVELOPES.map(
  ({ id, open, closes, between, holds }) => ({
    id,
    opens: [open],
    read: envelope(holds, between === undefined ? { closes } : { closes, between }),
  }),
);

/** The marks that close envelopes; behind a call they mean nothing more. */
export const envelopeCloses: readonly string[] = [
  ...new Set(ENVELOPES.flatMap(({ closes }) => closes)),
];
