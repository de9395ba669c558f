import { describe, expect, it } from 'vitest';
import { isAssent } from '../../src-renderer/store/answer-in-words.ts';

describe('agreement in words', () => {
  it.each([
    'yes',
    'Yes!',
    'OK',
    'ok, go ahead',
    'Yes, please.',
    'Sure',
    'approve',
    'Approve it',
    'go on please',
    '好的',
    '可以。',
    '同意，继续',
    'y',
  ])('is seen: %s', (text) => expect(isAssent(text)).toBe(true));

  it.each([
    '',
    '...',
    'no',
    'Yes, but only the notes',
    'ok then delete the other file',
    'go to the other folder',
    'Run it with --dry-run',
    '好的，但是先备份',
    'do it in Python',
    'fine-tune it',
    'continue with the list only',
  ])('is not seen: %s', (text) => expect(isAssent(text)).toBe(false));
});
