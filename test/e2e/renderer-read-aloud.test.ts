import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { useWindow } from '../setup/use-window.ts';

const LOCAL = { voiceURI: 'here', lang: 'en-US', localService: true, default: true };
const CLOUD = { voiceURI: 'cloud', lang: 'en-US', localService: false, default: true };
const CHINESE = { voiceURI: 'zh', lang: 'zh_CN', localService: true, default: false };

/** A system that reads nothing by itself: the page ends each text. What it is asked for is in `spoken`. */
const fakeSpeech = (voices: readonly object[]): string => `{
  const target = new EventTarget();
  globalThis.spoken = [];
  globalThis.open = null;
  globalThis.voices = ${JSON.stringify(voices)};
  Object.assign(target, {
    getVoices: () => globalThis.voices,
    speak: (utterance) => {
      globalThis.open = utterance;
      globalThis.spoken.push([utterance.voice.voiceURI, utterance.lang, utterance.text]);
    },
    cancel: () => {
      const { open } = globalThis;
      globalThis.open = null;
      globalThis.spoken.push('cancel');
      // For the page that comes after this one.
      localStorage.setItem('spoken', globalThis.spoken.length);
      // As Chromium does, after the fact.
      setTimeout(() => open?.onerror?.({ error: 'canceled' }));
    },
  });
  Object.defineProperty(globalThis, 'speechSynthesis', { value: target, configurable: true });
  globalThis.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
}`;

describe.skipIf(chromiumPath === null)(`reading aloud${chromiumNote}`, () => {
  const window = useWindow();
  let page: Page;
  beforeEach(() => {
    page = window.page;
  });
  const open = async (voices: readonly object[], hash = '#/task/t-sales') => {
    await page.addInitScript(fakeSpeech(voices));
    await window.goto(hash);
    await page.getByRole('button', { name: 'Copy the answer' }).first().waitFor();
  };
  const button = () => page.getByRole('button', { name: 'Read aloud' });
  const stop = () => page.getByRole('button', { name: 'Stop reading' });
  const spoken = () =>
    page.evaluate<readonly (string | readonly [string, string, string])[]>('globalThis.spoken');
  const endOne = (event = 'onend') => page.evaluate(`globalThis.open.${event}({})`);

  it('reads an answer by a voice of this computer, text by text, until it is stopped', async () => {
    await open([CLOUD, LOCAL]);
    const tip = page.getByRole('tooltip', { name: /the text is sent nowhere/ });
    // Scrolling closes a tooltip, and the transcript scrolls until its rows are measured.
    await expect
      .poll(async () => {
        await button().first().blur();
        await button().first().focus();
        return tip.waitFor({ timeout: 1000 }).then(
          () => true,
          () => false,
        );
      })
      .toBe(true);
    await page.keyboard.press('Enter');
    await stop().waitFor();
    await expect.poll(async () => (await spoken()).length).toBe(1);
    const [first] = await spoken();
    expect(first?.slice(0, 2)).toEqual(['here', 'en-US']);
    await endOne();
    const texts = await spoken();
    expect(texts).toHaveLength(2);
    expect(JSON.stringify(texts)).not.toMatch(/```|\[\d\]|\*\*|cloud/);
    await stop().click();
    await button().first().waitFor();
    expect((await spoken()).slice(2)).toEqual(['cancel']);
    expect(await page.getByText('could not be read aloud').count()).toBe(0);
    // To its end.
    await button().first().click();
    await stop().waitFor();
    await page.evaluate(
      'while (globalThis.open !== null) { const now = globalThis.open; globalThis.open = null; now.onend({}); }',
    );
    await button().first().waitFor();
    expect(await stop().count()).toBe(0);
  });

  it('stops where its task or its window is left, and says where it fails', async () => {
    await open([LOCAL]);
    await button().first().click();
    await expect.poll(async () => (await spoken()).length).toBe(1);
    await page.getByRole('button', { name: 'New task' }).first().click();
    await expect.poll(async () => (await spoken()).at(-1)).toBe('cancel');
    await page.goBack();
    await button().first().click();
    await expect.poll(async () => (await spoken()).length).toBe(3);
    await endOne('onerror');
    await page.getByText('This answer could not be read aloud.').waitFor();
    await button().first().click();
    await expect.poll(async () => (await spoken()).length).toBe(4);
    await page.reload();
    expect(await page.evaluate('localStorage.getItem("spoken")')).toBe('5');
  });

  it('is not offered without a voice of this computer, and comes with one', async () => {
    await open([CLOUD]);
    expect(await button().count()).toBe(0);
    await page.evaluate(
      `globalThis.voices = [${JSON.stringify(CHINESE)}]; speechSynthesis.dispatchEvent(new Event('voiceschanged'))`,
    );
    await button().first().waitFor();
    await button().first().click();
    await expect.poll(async () => (await spoken())[0]?.slice(0, 2)).toEqual(['zh', 'zh_CN']);
  });
});
