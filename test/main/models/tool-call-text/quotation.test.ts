import { describe, expect, it } from 'vitest';
import { DECOY_TOOLS, DECOYS } from '../../../fixtures/tool-call-decoys.ts';
import { outline, read, TOOLS } from './reading.ts';

const CALL = '<tool_call>{"name": "lookup", "arguments": {"word": "sloe"}}</tool_call>';
const JSON_CALL = '{"name": "lookup", "arguments": {"word": "sloe"}}';
const DONE = { lookup: { word: 'sloe' } };

describe('answers that speak about calls', () => {
  it.each(DECOYS)('make none: %j', (text) => {
    const calls = read([text], { tools: DECOY_TOOLS }).filter(({ kind }) => kind === 'call');
    expect(calls).toEqual([]);
  });
});

describe('what is shown stays in the text, to the letter', () => {
  it.each([
    `The model writes \`${CALL}\` and waits.`,
    `For example:\n\n\`\`\`\n${CALL}\n\`\`\`\n\nThat is the form.`,
    `> ${CALL}\n> is what it said.`,
    `You can write ${CALL} for that.`,
    `Send ${JSON_CALL} to it.`,
    `<tool_response>${CALL}</tool_response>`,
  ])('%j', (text) => {
    expect(outline(text, { tools: TOOLS })).toEqual([text]);
  });
});

it('a message to the user quotes whatever it holds', () => {
  const text = ` to=user<|message|>You write:\n${CALL}<|eot|>`;
  expect(outline(text, { tools: TOOLS })).toEqual([`You write:\n${CALL}`]);
});

describe('words that announce a call do not hide it', () => {
  it.each([
    'Let me see what the file contains:',
    'I will check the format of the example:',
    'We need to know the word first.',
    'It would be good to look that up:',
    'Here is the plan. I would start with the word.',
    'Use the ` key.\n\nNow I look:',
  ])('%s', (lead) => {
    expect(outline(`${lead}\n${CALL}`, { tools: TOOLS })).toEqual([lead, DONE]);
  });
});

describe('forms that any text may have', () => {
  it('are calls in a block only when nothing follows it', () => {
    const block = `I'll look.\n\`\`\`json\n${JSON_CALL}\n\`\`\``;
    expect(outline(block, { tools: TOOLS })).toEqual(["I'll look.", DONE]);
    const more = `${block}\nThen I read it.`;
    expect(outline(more, { tools: TOOLS })).toEqual([more]);
  });

  it('are never calls in a block of code of another language', () => {
    const text = '```python\nlookup(word="sloe")\n```';
    expect(outline(text, { tools: TOOLS })).toEqual([text]);
  });

  it('are calls in a block only when every one of them is', () => {
    const text = `\`\`\`json\n[${JSON_CALL}, {"name": "other", "arguments": {}}]\n\`\`\``;
    expect(outline(text, { tools: TOOLS })).toEqual([text]);
  });

  it('are calls as bare JSON unless what follows explains them', () => {
    const explained = `${JSON_CALL}\n\nThis is how a call looks.`;
    expect(outline(explained, { tools: TOOLS })).toEqual([explained]);
    const followed = `${JSON_CALL}\n\nOne moment.`;
    expect(outline(followed, { tools: TOOLS })).toEqual([DONE, 'One moment.']);
  });

  it('are never calls of a tool that is not offered', () => {
    const text = '{"name": "other", "arguments": {}}';
    expect(outline(text, { tools: TOOLS })).toEqual([text]);
    expect(outline(text, { tools: [] })).toEqual([text]);
  });
});
