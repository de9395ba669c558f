import { describe, expect, it } from 'vitest';
import { PinnedModel } from '#contract/local-models.ts';
import { parseModelReference } from '#main/models/files/model-reference.ts';
import { offersFor, PINNED_MODELS } from '#main/models/files/pinned-models.ts';

const HASH = 'a'.repeat(64);

describe('parseModelReference', () => {
  const at = (path: string): string => `https://huggingface.co/Qwen/Qwen3-4B-GGUF/resolve/${path}`;
  it.each([
    ['Qwen/Qwen3-4B-GGUF/q4.gguf', at('main/q4.gguf'), 'q4.gguf'],
    ['hf:Qwen/Qwen3-4B-GGUF@v1/q4.gguf', at('v1/q4.gguf'), 'q4.gguf'],
    [' hf.co/Qwen/Qwen3-4B-GGUF/sub/q4.GGUF ', at('main/sub/q4.GGUF'), 'q4.gguf'],
    [`${at('main/q4.gguf')}?download=true`, at('main/q4.gguf'), 'q4.gguf'],
    [at('main/q4.gguf').replace('resolve', 'blob'), at('main/q4.gguf'), 'q4.gguf'],
    [
      'https://a.example/m%2F..%20x.gguf?key=1#top',
      'https://a.example/m%2F..%20x.gguf?key=1',
      'm-..-x.gguf',
    ],
    ['https://user:pass@a.example/-.gguf', 'https://a.example/-.gguf', 'model.gguf'],
    ['http://127.0.0.1:8000/m.gguf', 'http://127.0.0.1:8000/m.gguf', 'm.gguf'],
  ])('understands %s', (text, url, file) => {
    expect(parseModelReference(text, null)).toEqual({
      ...{ url, file, sha256: null, bytes: null, licence: null, byUser: true },
    });
  });

  it.each([
    ['qwen3:8b', 'is not a model file'],
    ['https://a.example/page.html', 'is not a model file'],
    ['file:///etc/m.gguf', 'is not a model file'],
    ['../../m.gguf', 'is not a model file'],
    ['https://a.example/m-00001-of-00003.gguf', 'several files'],
    ['http://a.example/m.gguf', 'not encrypted'],
  ])('refuses %s', (text, why) => {
    expect(() => parseModelReference(text, null)).toThrow(why);
  });

  it('takes an unencrypted address with a hash', () => {
    expect(parseModelReference('http://a.example/m.gguf', HASH).sha256).toBe(HASH);
  });
});

describe('the pinned models', () => {
  it('have a hash, a size, a licence and a fixed revision each', () => {
    expect(PINNED_MODELS).toHaveLength(6);
    for (const { url, file, sha256, licence } of PINNED_MODELS) {
      expect(url).toMatch(/^https:\/\/huggingface\.co\/Qwen\/[\w.-]+\/resolve\/[0-9a-f]{40}\//);
      expect(url.endsWith(`/${file}`)).toBe(true);
      expect(sha256).toMatch(/^[0-9a-f]{64}$/);
      expect(licence).toBe('Apache-2.0');
    }
    const names = PINNED_MODELS.flatMap(({ id, file, sha256 }) => [id, file, sha256]);
    expect(new Set(names).size).toBe(names.length);
  });

  it('cannot be without a hash', () => {
    const [model] = PINNED_MODELS;
    for (const sha256 of [undefined, '', 'TODO', '0'.repeat(63)]) {
      expect(PinnedModel.safeParse({ ...model, sha256 }).success).toBe(false);
    }
  });

  it.each([
    [2, []],
    [4, ['qwen3-0.6b']],
    [8, ['qwen3-0.6b', 'qwen3-1.7b', 'qwen3-4b']],
    [16, ['qwen3-1.7b', 'qwen3-4b', 'qwen3-8b']],
    [64, ['qwen3-8b', 'qwen3-14b', 'qwen3-30b-a3b']],
  ])('for %d GB are the largest three that fit', (gigabytes, ids) => {
    expect(offersFor(gigabytes * 1e9).map(({ id }) => id)).toEqual(ids);
  });
});
