import { describe, expect, it } from 'vitest';
import { outline, TOOLS } from './reading.ts';

const LOOKUP = { lookup: { word: 'sloe' } };
const MOVE = { move: { x: 3, y: -0.5, fast: true } };
const NOW = { now: {} };
const JSON_LOOKUP = '{"name": "lookup", "arguments": {"word": "sloe"}}';
const JSON_NOW = '{"name": "now", "arguments": {}}';

/** Each family's way of writing the same few calls. */
const FORMS: readonly (readonly [family: string, text: string, ...outcome: unknown[]])[] = [
  ['hermes', `<tool_call>\n${JSON_LOOKUP}\n</tool_call>`, LOOKUP],
  [
    'hermes, two',
    `<tool_call>${JSON_LOOKUP}</tool_call>\n<tool_call>${JSON_NOW}</tool_call>`,
    LOOKUP,
    NOW,
  ],
  [
    'hermes, with words before',
    `I will look.\n<tool_call>${JSON_LOOKUP}</tool_call>`,
    'I will look.',
    LOOKUP,
  ],
  ['hermes, no closing tag', `<tool_call>${JSON_LOOKUP}`, LOOKUP],
  [
    'hermes, last brace forgotten',
    '<tool_call>{"name": "lookup", "arguments": {"word": "sloe"}</tool_call>',
    LOOKUP,
  ],
  ['hermes, a brace too many', `<tool_call>${JSON_LOOKUP}}</tool_call>Done.`, LOOKUP, 'Done.'],
  [
    'hermes, Python words',
    `<tool_call>{'name': 'move', 'arguments': {'x': 3, 'y': -0.5, 'fast': True}}</tool_call>`,
    MOVE,
  ],
  [
    'hermes, arguments as a string',
    String.raw`<tool_call>{"name": "lookup", "arguments": "{\"word\": \"sloe\"}"}</tool_call>`,
    LOOKUP,
  ],
  [
    'hermes, parameters',
    '<tool_call>{"name": "lookup", "parameters": {"word": "sloe"}}</tool_call>',
    LOOKUP,
  ],
  ['hermes, an array', `<tool_call>[${JSON_LOOKUP}, ${JSON_NOW}]</tool_call>`, LOOKUP, NOW],
  [
    'qwen3-coder',
    '<tool_call>\n<function=move>\n<parameter=x>\n3\n</parameter>\n<parameter=y>\n-0.5\n</parameter>\n<parameter=fast>\ntrue\n</parameter>\n</function>\n</tool_call>',
    MOVE,
  ],
  [
    'qwen3-coder, opening tag forgotten',
    '<function=lookup>\n<parameter=word>\nsloe\n</parameter>\n</function>\n</tool_call>',
    LOOKUP,
  ],
  [
    'qwen3-coder, value not closed',
    '<tool_call>\n<function=save>\n<parameter=path>\na\n<parameter=content>\nb\n</parameter>\n</function>\n</tool_call>',
    { save: { path: 'a', content: 'b' } },
  ],
  ['functionary 3.1', '<function=lookup>{"word": "sloe"}</function>', LOOKUP],
  ['functionary 3.2', '>>>lookup\n{"word": "sloe"}', LOOKUP],
  ['functionary 3.2, prompt mark missing', 'lookup\n{"word": "sloe"}', LOOKUP],
  [
    'llama 3, JSON',
    '{"name": "lookup", "parameters": {"word": "sloe"}}; {"name": "now", "parameters": {}}',
    LOOKUP,
    NOW,
  ],
  ['llama 3, tag', '<|python_tag|>lookup.call(word="sloe")<|eom_id|>', LOOKUP],
  ['llama 4', "<|python_start|>[lookup(word='sloe'), now()]<|python_end|>", LOOKUP, NOW],
  ['pythonic', "[move(x=3, y=-0.5, fast=True), lookup(word='sloe')]", MOVE, LOOKUP],
  ['lfm 2', 'So.<|tool_call_start|>[lookup(word="sloe")]<|tool_call_end|>', 'So.', LOOKUP],
  ['olmo 3', '<function_calls>lookup(word="sloe")\nnow()</function_calls>', LOOKUP, NOW],
  ['mistral, array', `[TOOL_CALLS] [${JSON_LOOKUP}]`, LOOKUP],
  ['mistral, names', '[TOOL_CALLS]lookup[ARGS]{"word": "sloe"}[TOOL_CALLS]now{}', LOOKUP, NOW],
  ['mistral, ids', '[TOOL_CALLS]lookup[CALL_ID]a1b2c3d4e[ARGS]{"word": "sloe"}', LOOKUP],
  ['mistral, a name alone', '[TOOL_CALLS]now', NOW],
  [
    'deepseek 3',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>lookup\n```json\n{"word": "sloe"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    LOOKUP,
  ],
  [
    'deepseek 3.1, plain bars',
    '<|tool▁calls▁begin|><|tool▁call▁begin|>lookup<|tool▁sep|>{"word": "sloe"}<|tool▁call▁end|><|tool▁calls▁end|>',
    LOOKUP,
  ],
  [
    'deepseek 3.2',
    '<｜DSML｜function_calls>\n<｜DSML｜invoke name="move">\n<｜DSML｜parameter name="x" string="false">3</｜DSML｜parameter>\n<｜DSML｜parameter name="y" string="false">-0.5</｜DSML｜parameter>\n<｜DSML｜parameter name="fast" string="false">true</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
    MOVE,
  ],
  [
    'deepseek 4, call not closed',
    '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="lookup">\n<｜DSML｜parameter name="word" string="true">sloe</｜DSML｜parameter>\n</｜DSML｜tool_calls>',
    LOOKUP,
  ],
  [
    'gemma 4',
    '<|tool_call>call:move{x:3,y:-0.5,fast:true}<tool_call|><|tool_call>call:lookup{word:<|"|>sloe<|"|>}<tool_call|>',
    MOVE,
    LOOKUP,
  ],
  [
    'functiongemma',
    '<start_function_call>call:lookup{word:<escape>sloe<escape>}<end_function_call>',
    LOOKUP,
  ],
  ['gemma 3', '```tool_code\nprint(lookup(word="sloe"))\n```', LOOKUP],
  ['phi 4', `functools[${JSON_LOOKUP}, ${JSON_NOW}]`, LOOKUP, NOW],
  ['granite 3', `<|tool_call|>[${JSON_LOOKUP}]`, LOOKUP],
  ['granite 20b', `<function_call> ${JSON_LOOKUP}\n<function_call> ${JSON_NOW}`, LOOKUP, NOW],
  [
    'kimi k2',
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.lookup:0<|tool_call_argument_begin|>{"word": "sloe"}<|tool_call_end|><|tool_call_begin|>functions.now:1<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>',
    LOOKUP,
    NOW,
  ],
  [
    'kimi k2, index alone',
    '<|tool_calls_section_begin|><|tool_call_begin|>0<|tool_call_argument_begin|>{"word": "sloe"}<|tool_call_end|><|tool_calls_section_end|>',
    LOOKUP,
  ],
  [
    'kimi k3',
    '<|open|>tools<|sep|><|open|>call tool="move" index="1"<|sep|><|open|>argument key="x" type="number"<|sep|>3<|close|>argument<|sep|><|open|>argument key="y" type="number"<|sep|>-0.5<|close|>argument<|sep|><|open|>argument key="fast" type="boolean"<|sep|>true<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>',
    MOVE,
  ],
  [
    'glm 4.5',
    '<tool_call>move\n<arg_key>x</arg_key>\n<arg_value>3</arg_value>\n<arg_key>y</arg_key>\n<arg_value>-0.5</arg_value>\n<arg_key>fast</arg_key>\n<arg_value>true</arg_value>\n</tool_call>',
    MOVE,
  ],
  ['glm 4.7, no arguments', '<tool_call>now</tool_call>', NOW],
  [
    'glm 4.5, tags dropped',
    '<tool_call>save<arg_key>path</arg_key><arg_value>a<arg_key>content</arg_key><arg_value>b</tool_call>',
    { save: { path: 'a', content: 'b' } },
  ],
  [
    'glm 4.5, the envelope lost',
    'lookup\n<arg_key>word</arg_key>\n<arg_value>sloe</arg_value>',
    LOOKUP,
  ],
  [
    'hy 3',
    '<tool_calls>\n<tool_call>lookup<tool_sep>\n<arg_key>word</arg_key>\n<arg_value>sloe</arg_value>\n</tool_call>\n</tool_calls>',
    LOOKUP,
  ],
  [
    'minimax m2',
    '<minimax:tool_call>\n<invoke name="lookup">\n<parameter name="word">sloe</parameter>\n</invoke>\n</minimax:tool_call>',
    LOOKUP,
  ],
  [
    'minimax m3',
    ']<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name="tag">]<]minimax[>[<labels>]<]minimax[>[<item>a]<]minimax[>[</item>]<]minimax[>[<item>b]<]minimax[>[</item>]<]minimax[>[</labels>]<]minimax[>[<meta>]<]minimax[>[<k>1]<]minimax[>[</k>]<]minimax[>[</meta>]<]minimax[>[</invoke>\n]<]minimax[>[</tool_call>',
    { tag: { labels: ['a', 'b'], meta: { k: 1 } } },
  ],
  [
    'harmony',
    '<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>commentary to=functions.lookup <|constrain|>json<|message|>{"word": "sloe"}<|call|>',
    ['Hm.'],
    LOOKUP,
  ],
  [
    'muse',
    ' to=self<|message|>Hm.<|eom|><|start|>assistant to=lookup<|message|><atem:function_calls>\n<atem:invoke name="lookup">\n<atem:parameter name="word">sloe</atem:parameter>\n</atem:invoke>\n</atem:function_calls><|eot|>',
    ['Hm.'],
    LOOKUP,
  ],
  ['jamba', `<tool_calls>[${JSON_LOOKUP}, ${JSON_NOW}]</tool_calls>`, LOOKUP, NOW],
  ['minimax m1', `<tool_calls>\n${JSON_LOOKUP}\n${JSON_NOW}\n</tool_calls>`, LOOKUP, NOW],
  [
    'cohere',
    '<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "lookup", "parameters": {"word": "sloe"}}]<|END_ACTION|>',
    LOOKUP,
  ],
  [
    'cohere, block',
    'Action:\n```json\n[{"tool_name": "lookup", "parameters": {"word": "sloe"}}]\n```',
    'Action:',
    LOOKUP,
  ],
  [
    'internlm 2',
    '<|action_start|><|plugin|>{"name": "lookup", "parameters": {"word": "sloe"}}<|action_end|>',
    LOOKUP,
  ],
  ['nemotron 2', `<TOOLCALL>[${JSON_LOOKUP}]</TOOLCALL>`, LOOKUP],
  [
    'seed-oss',
    '<seed:tool_call>\n<function=save>\n<parameter=path>a</parameter>\n<parameter=content>b\n</parameter>\n</function>\n</seed:tool_call>',
    { save: { path: 'a', content: 'b\n' } },
  ],
  [
    'step 3',
    '<｜tool_calls_begin｜><｜tool_call_begin｜><steptml:invoke name="lookup"><steptml:parameter name="word">sloe</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>',
    LOOKUP,
  ],
  [
    'apertus',
    '<|tools_prefix|>[{"lookup": {"word": "sloe"}}, {"now": {}}]<|tools_suffix|>',
    LOOKUP,
    NOW,
  ],
  ['longcat', `<longcat_tool_call>${JSON_LOOKUP}</longcat_tool_call>`, LOOKUP],
  [
    'minicpm 5',
    '<function name="save"><param name="path">a</param><param name="content"><![CDATA[ <b>\n]]></param></function>',
    { save: { path: 'a', content: ' <b>\n' } },
  ],
  [
    'minicpm 5, spaces lost',
    '<functionname="lookup"><paramname="word">sloe</param></function>',
    LOOKUP,
  ],
  [
    'inkling',
    '<|content_thinking|>Hm.<|end_message|><|message_model|><|content_invoke_tool_json|>{"name":"lookup","args":{"word":"sloe"}}<|end_message|>',
    ['Hm.'],
    LOOKUP,
  ],
  [
    'dots',
    '<dots_function_call><invoke name="lookup"><parameter name="word">sloe</parameter></invoke></dots_function_call>',
    LOOKUP,
  ],
  [
    'gigachat 3',
    `So.<|message_sep|>\n\nfunction call<|role_sep|>\n${JSON_LOOKUP}</s>`,
    'So.',
    LOOKUP,
  ],
  ['gigachat 3.1', `<|function_call|>${JSON_LOOKUP}`, LOOKUP],
  [
    'anthropic style',
    '<function_calls>\n<invoke name="lookup">\n<parameter name="word">sloe</parameter>\n</invoke>\n</function_calls>',
    LOOKUP,
  ],
  [
    'xlam, JSON block',
    `I'll look it up.\n\`\`\`json\n[${JSON_LOOKUP}]\n\`\`\``,
    "I'll look it up.",
    LOOKUP,
  ],
  ['bare JSON', `  ${JSON_LOOKUP}\n`, LOOKUP],
  [
    'bare JSON, OpenAI shape',
    String.raw`{"type": "function", "function": {"name": "lookup", "arguments": "{\"word\": \"sloe\"}"}}`,
    LOOKUP,
  ],
  ['bare JSON, an array without its bracket', `[${JSON_LOOKUP}, ${JSON_NOW}`, LOOKUP, NOW],
  [
    'bare JSON, announced',
    `Let me look that up:\n\n${JSON_LOOKUP}`,
    'Let me look that up:',
    LOOKUP,
  ],
  [
    'JSON block as the whole answer',
    `\`\`\`json\n${JSON_LOOKUP}\n\`\`\`\n\n\`\`\`json\n${JSON_NOW}\n\`\`\``,
    LOOKUP,
    NOW,
  ],
  [
    'marks block as the whole answer',
    `\`\`\`xml\n<tool_call>${JSON_LOOKUP}</tool_call>\n\`\`\``,
    LOOKUP,
  ],
];

describe('each family writes its calls', () => {
  for (const [family, text, ...outcome] of FORMS) {
    it(family, () => {
      expect(outline(text, { tools: TOOLS })).toEqual(outcome);
    });
  }
});
