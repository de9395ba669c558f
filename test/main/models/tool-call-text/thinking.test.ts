import { describe, expect, it } from 'vitest';
import { opensThinking } from '#main/models/tool-call-text/markers.ts';
import { recoverToolCalls } from '#main/models/tool-call-text/recover.ts';
import { outline, TOOLS } from './reading.ts';

const CALL = '<tool_call>{"name": "now", "arguments": {}}</tool_call>';
const DONE = { now: {} };

describe('thinking', () => {
  it.each([
    ['<think>', '</think>'],
    ['<seed:think>', '</seed:think>'],
    ['<mm:think>', '</mm:think>'],
    ['[THINK]', '[/THINK]'],
    ['<|START_THINKING|>', '<|END_THINKING|>'],
    ['<|channel>thought\n', '<channel|>'],
    ['<|content_thinking|>', '<|end_message|>'],
    ['<|open|>think<|sep|>', '<|close|>think<|sep|>'],
  ])('in %s and %s makes no call', (open, close) => {
    const text = `${open}Maybe ${CALL} then?${close}\n\n${CALL}`;
    expect(outline(text, { tools: TOOLS })).toEqual([[`Maybe ${CALL} then?`], DONE]);
  });

  it('that is never closed ends where the model acts', () => {
    const text = `Now I need the time.\n${CALL}\n`;
    expect(outline(text, { startsInThinking: true, tools: TOOLS })).toEqual([
      ['Now I need the time.'],
      DONE,
    ]);
  });

  it('that is never closed is thinking when it goes on after the call', () => {
    const text = `Maybe ${CALL} but wait`;
    expect(outline(text, { startsInThinking: true, tools: TOOLS })).toEqual([[text]]);
  });

  it('that a limit cut off makes no call at all', () => {
    const text = `Now I need the time.\n${CALL}`;
    expect(outline(text, { startsInThinking: true, cut: true, tools: TOOLS })).toEqual([[text]]);
  });

  it('is skipped by a model that acts at once', () => {
    expect(outline(`${CALL}\nIt is late.`, { startsInThinking: true, tools: TOOLS })).toEqual([
      DONE,
      'It is late.',
    ]);
  });

  it('is known to begin from the end of the prompt', () => {
    const prompts = [
      '<|im_start|>assistant\n<think>\n',
      '<｜Assistant｜><think>',
      '<think></think>',
      'assistant\n',
    ];
    expect(prompts.map(opensThinking)).toEqual([true, true, false, false]);
  });
});

describe('a whole answer', () => {
  it('that closes thinking it never opened was thought before', () => {
    const text = `I could write ${CALL} here.\n</think>\n\nGood evening.`;
    const { calls, content, reasoning } = recoverToolCalls(text, TOOLS);
    expect({ calls, content, reasoning }).toEqual({
      calls: [],
      content: 'Good evening.',
      reasoning: `I could write ${CALL} here.`,
    });
  });

  it('is put together by kind', () => {
    const text = `<think>Hm.</think>First.\n${CALL}\nThen.\n<tool_call>{"name": "lookup", "arg`;
    const { calls, invalidCalls, ...said } = recoverToolCalls(text, TOOLS);
    expect({
      ...said,
      calls: calls.map(({ name }) => name),
      invalid: invalidCalls.map(({ name }) => name),
    }).toEqual({ content: 'First.\nThen.', reasoning: 'Hm.', calls: ['now'], invalid: ['lookup'] });
  });
});
