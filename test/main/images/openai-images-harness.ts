import { expect } from 'vitest';
import { openAiImages } from '#main/images/providers/openai-images.ts';
import { solidPng } from '../../fakes/images/png.ts';
import { clearPng, Service } from './service-harness.ts';

/** Milliseconds: long before the job would have ended, on a machine that has much else to do. `npm run bench images` has the figure. */
export const PROMPTLY = 5_000;

/** Against the fake, over HTTP. */

export const OPENAI = new Service(openAiImages, {
  label: 'OpenAI',
  headers: { authorization: 'Bearer sk-test' },
});
export const STRANGER = new Service(openAiImages, {
  label: 'OpenAI',
  headers: { authorization: 'Bearer sk-wrong' },
});
export const IMAGE = solidPng(96, 64, [9, 99, 200]);
export const MASK = solidPng(96, 64, [255, 255, 255]);
export const CLEAR = clearPng(96, 64);
export const FLARE = 'gpt-image-2.5-flare';
export const none = new AbortController().signal;

export function event(type: string, data: unknown): string {
  return `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}

export function failure(message: string | RegExp, code = 'IMAGE_FAILED'): object {
  const text = typeof message === 'string' ? message : expect.stringMatching(message);
  return { code, message: text };
}
