import { bareTagFamilies } from './families/bare-tags.ts';
import { deepseek, deepseekCloses } from './families/deepseek.ts';
import { envelopeCloses, envelopeFamilies } from './families/envelopes.ts';
import { gemma, gemmaCloses } from './families/gemma.ts';
import { kimiCloses, kimiK2 } from './families/kimi-k2.ts';
import { kimiK3, kimiK3Closes } from './families/kimi-k3.ts';
import { minimaxM3, minimaxM3Closes } from './families/minimax-m3.ts';
import { mistral, mistralCloses } from './families/mistral.ts';
import { LiteralIndex } from './literal-index.ts';
import type { Family } from './types.ts';

/** What a mark in the answer means. */
export type Marker =
  | { readonly kind: 'call'; readonly family: Family }
  /** Thinking begins, up to one of `closes`; `label` may follow the mark and is not said. */
  | { readonly kind: 'think'; readonly closes: readonly string[]; readonly label?: string }
  /** Up to `close` nothing is the model's own doing: a tool's result, an example. */
  | { readonly kind: 'foreign'; readonly close: string }
  /** A message with a recipient begins: harmony, muse. */
  | { readonly kind: 'channel' }
  /** Means nothing by itself. */
  | { readonly kind: 'nothing' };

/** A mark that was found. */
export interface MarkHit {
  readonly literal: string;
  readonly value: Marker;
}

const FAMILIES: readonly Family[] = [
  ...envelopeFamilies,
  ...bareTagFamilies,
  mistral,
  kimiK2,
  kimiK3,
  deepseek,
  gemma,
  minimaxM3,
];

const THINKING: readonly (readonly [open: string, close: string, label?: string])[] = [
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
  ['<thought>', '</thought>'],
  ['<reasoning>', '</reasoning>'],
  ['<mm:think>', '</mm:think>'],
  ['<seed:think>', '</seed:think>'],
  ['[THINK]', '[/THINK]'],
  ['<|START_THINKING|>', '<|END_THINKING|>'],
  ['<|channel>', '<channel|>', 'thought\n'],
  ['<|content_thinking|>', '<|end_message|>'],
  ['<|open|>think<|sep|>', '<|close|>think<|sep|>'],
];

const FOREIGN: readonly (readonly [open: string, close: string])[] = [
  ['<tool_response>', '</tool_response>'],
  ['<tool_responses>', '</tool_responses>'],
  ['<tool_result>', '</tool_result>'],
  ['<tool_results>', '</tool_results>'],
  ['<tool_output>', '</tool_output>'],
  ['<function_response>', '</function_response>'],
  ['<function_result>', '</function_result>'],
  ['<function_results>', '</function_results>'],
  ['<observation>', '</observation>'],
  ['[TOOL_RESULTS]', '[/TOOL_RESULTS]'],
  ['<|tool_response>', '<tool_response|>'],
  ['<start_function_response>', '<end_function_response>'],
  ['<|START_TOOL_RESULT|>', '<|END_TOOL_RESULT|>'],
  ['<｜tool▁outputs▁begin｜>', '<｜tool▁outputs▁end｜>'],
  ['<｜tool▁output▁begin｜>', '<｜tool▁output▁end｜>'],
  ['<example>', '</example>'],
  ['<examples>', '</examples>'],
  ['<code>', '</code>'],
  ['<pre>', '</pre>'],
  ['<blockquote>', '</blockquote>'],
];

const CHANNELS = ['<|channel|>', '<|start|>'];

const NOTHING = [
  '<|im_start|>assistant',
  '<|im_end|>',
  '<|eot_id|>',
  '<|eom_id|>',
  '<|end_of_text|>',
  '<|endoftext|>',
  '<|end|>',
  '<|eot|>',
  '<|eom|>',
  '<|call|>',
  '<|return|>',
  '<|role_end|>',
  '<|role_sep|>',
  '<|message_sep|>',
  '<|message_model|>',
  '<|end_message|>',
  '<|content_text|>',
  '<|START_TEXT|>',
  '<|END_TEXT|>',
  '<|START_RESPONSE|>',
  '<|END_RESPONSE|>',
  '<|END_OF_TURN_TOKEN|>',
  '<|open|>response<|sep|>',
  '<|close|>response<|sep|>',
  '<|close|>message<|sep|>',
  '<｜end▁of▁sentence｜>',
  '<|end▁of▁sentence|>',
  '<end_of_turn>',
  '<turn|>',
  '[e~[',
  '[BEGIN FINAL RESPONSE]',
  '[END FINAL RESPONSE]',
];

/** What ends thinking that began in the prompt, where its opening mark is not seen. */
export const THINKING_CLOSES: readonly string[] = [
  ...THINKING.map(([, close]) => close).filter((close) => close !== '<|end_message|>'),
  '<|open|>response<|sep|>',
  '[BEGIN FINAL RESPONSE]',
];

/** Behind a call these mean nothing more. */
const LEFTOVERS: readonly string[] = [
  ...envelopeCloses,
  ...mistralCloses,
  ...kimiCloses,
  ...kimiK3Closes,
  ...deepseekCloses,
  ...gemmaCloses,
  ...minimaxM3Closes,
  ...NOTHING,
];

/** Whether a prompt that ends like this leaves the model inside its thinking. */
export function opensThinking(prompt: string): boolean {
  const end = prompt.trimEnd();
  return (
    THINKING.some(([open]) => end.endsWith(open)) || end.endsWith('Here are my reasoning steps:')
  );
}

/** Where a whole text closes thinking that it never opened; -1 when it does not. */
export function orphanThinkingClose(text: string): number {
  const first = (marks: readonly string[]): number =>
    marks
      .map((mark) => text.indexOf(mark))
      .reduce((a, b) => (a < 0 || (b >= 0 && b < a) ? b : a), -1);
  const close = first(THINKING_CLOSES.filter((mark) => !mark.startsWith('<|open|>')));
  const open = first(THINKING.map(([mark]) => mark));
  return open >= 0 && open < close ? -1 : close;
}

function buildMarkers(): LiteralIndex<Marker> {
  const index = new LiteralIndex<Marker>();
  for (const family of FAMILIES) {
    for (const open of family.opens) index.add(open, { kind: 'call', family });
  }
  for (const [open, close, label] of THINKING) {
    const marker = { kind: 'think', closes: [close] } as const;
    index.add(open, label === undefined ? marker : { ...marker, label });
  }
  for (const [open, close] of FOREIGN) index.add(open, { kind: 'foreign', close });
  for (const open of CHANNELS) index.add(open, { kind: 'channel' });
  for (const mark of [...NOTHING, ...THINKING_CLOSES]) index.add(mark, { kind: 'nothing' });
  return index;
}

function buildLeftovers(): LiteralIndex<true> {
  const index = new LiteralIndex<true>();
  for (const mark of LEFTOVERS) index.add(mark, true);
  return index;
}

/** The marks that close thinking; `withCalls`, those that open a call as well. */
function buildThinking(withCalls: boolean): LiteralIndex<true> {
  const index = new LiteralIndex<true>();
  for (const mark of [...THINKING.map(([, close]) => close), ...THINKING_CLOSES])
    index.add(mark, true);
  if (withCalls) for (const mark of FAMILIES.flatMap(({ opens }) => opens)) index.add(mark, true);
  return index;
}

export interface MarkIndexes {
  readonly markers: LiteralIndex<Marker>;
  /** The marks that count within thinking. */
  readonly inThinking: LiteralIndex<true>;
  /** Of these, the ones that close it. */
  readonly thinkingCloses: LiteralIndex<true>;
  /** The marks that mean nothing more behind a call. */
  readonly leftovers: LiteralIndex<true>;
}

let shared: MarkIndexes | undefined;

/** The indexes of all marks: constants, built when they are first asked for. */
export function markIndexes(): MarkIndexes {
  shared ??= {
    markers: buildMarkers(),
    inThinking: buildThinking(true),
    thinkingCloses: buildThinking(false),
    leftovers: buildLeftovers(),
  };
  return shared;
}
