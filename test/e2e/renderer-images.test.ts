import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { fakeImageRecord } from '../fakes/fake-images.ts';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import {
  beginPicture,
  openChange,
  openPicture,
  PICTURE,
  PICTURE_SIZE,
  pushProgress,
} from '../setup/image-screens.ts';
import { useWindow } from '../setup/use-window.ts';

const TASK = '#/task/t-sales';

interface Started {
  readonly threadId: string;
  readonly prompt: string;
  readonly attachmentIds: readonly string[];
  readonly options: { readonly skill: unknown };
}

/** Of a mask: its size, its colours, and the smallest rectangle around what is white. */
interface ReadMask {
  readonly width: number;
  readonly height: number;
  readonly colours: readonly string[];
  readonly white: { left: number; top: number; right: number; bottom: number; count: number };
}

describe.skipIf(chromiumPath === null)(`pictures in the window${chromiumNote}`, () => {
  const window = useWindow();
  let page: Page;
  beforeEach(() => {
    page = window.page;
  });

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const dialog = () => page.getByRole('dialog', { name: 'Change fox.png' });
  const request = () => page.getByRole('textbox', { name: 'What should be there?' });
  const starts = async () =>
    ((await window.sent('runs.start')) as Started[]).map(
      ({ threadId, prompt, attachmentIds, options }) => ({
        ...{ threadId, prompt, attachmentIds, skill: options.skill },
      }),
    );
  const run = (prompt: string, params: object, attachmentIds: readonly string[] = []) => ({
    ...{ threadId: 't-sales', prompt, attachmentIds },
    skill: { id: 'image_generation', params },
  });
  const masks = async () =>
    (await window.sent('attachments.add')) as { readonly name: string; readonly data: string }[];
  const readMask = (data: string) =>
    page.evaluate<ReadMask>(`(async () => {
      const bytes = Uint8Array.from(atob('${data}'), (one) => one.charCodeAt(0));
      const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const { width, height } = picture;
      const pen = new OffscreenCanvas(width, height).getContext('2d');
      pen.drawImage(picture, 0, 0);
      const pixels = pen.getImageData(0, 0, width, height).data;
      const colours = new Set();
      const white = { left: width, top: height, right: 0, bottom: 0, count: 0 };
      for (let at = 0; at < pixels.length; at += 4) {
        colours.add(pixels.slice(at, at + 4).join(' '));
        if (pixels[at] === 0) continue;
        const x = (at / 4) % width;
        const y = Math.floor(at / 4 / width);
        white.left = Math.min(white.left, x);
        white.top = Math.min(white.top, y);
        white.right = Math.max(white.right, x + 1);
        white.bottom = Math.max(white.bottom, y + 1);
        white.count += 1;
      }
      return { width, height, colours: [...colours].sort(), white };
    })()`);
  /** Places in the picture, as the mouse goes through them. */
  const paint = async (...places: readonly (readonly [number, number])[]) => {
    const box = await page.locator('.mask-stage > canvas').boundingBox();
    if (box === null) throw new Error('There is no canvas.');
    for (const [index, [x, y]] of places.entries()) {
      await page.mouse.move(
        box.x + (x / PICTURE_SIZE.width) * box.width,
        box.y + (y / PICTURE_SIZE.height) * box.height,
      );
      if (index === 0) await page.mouse.down();
    }
    await page.mouse.up();
  };

  it('show how they were made, and are made again, varied and enlarged in their task', async () => {
    await window.goto(TASK, '?pace=0');
    const record = fakeImageRecord();
    await openPicture(page, false, record);
    await page.getByRole('img', { name: 'A fox stands in the snow.' }).waitFor();
    const facts = page.getByRole('region', { name: 'How it was made' });
    expect((await facts.innerText()).split('\n').filter((line) => line !== '')).toEqual([
      ...['How it was made', 'Description', record.prompt, 'Left out', record.negativePrompt],
      ...['Made by', 'ComfyUI', 'Model', 'sd_xl_base_1.0.safetensors', 'Size', '640 × 480'],
      ...['Seed', '1234567', 'Steps', '20', 'Guidance', '6.5', 'Made', expect.any(String)],
    ]);
    const ended = async () => {
      await page.evaluate(() => {
        for (const { id, status } of globalThis.fake.state.runs) {
          if (status !== 'completed') globalThis.fake.setRun(id, { status: 'completed' });
        }
      });
      await expect.poll(() => button('Larger').getAttribute('aria-disabled')).toBe('false');
    };
    // The script of the fake main waits at a question: its runs end here.
    await button('Make again').click();
    await expect.poll(() => button('Vary').getAttribute('aria-disabled')).toBe('true');
    await button('Make again').press('Enter');
    await button('Vary').press('Enter');
    await button('Larger').hover();
    await page.getByRole('tooltip', { name: 'Available when the current run has ended' }).waitFor();
    await ended();
    await button('Vary').click();
    await expect.poll(async () => (await starts()).length).toBe(2);
    await ended();
    await button('Larger').focus();
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await starts()).length).toBe(3);
    const { prompt, negativePrompt, model } = record;
    const same = {
      ...{ request: prompt, exact: true, negative_prompt: negativePrompt, width: 640, height: 480 },
      ...{ steps: 20, guidance: 6.5, model },
    };
    expect(await starts()).toEqual([
      run(`Make ${PICTURE} again`, { ...same, seed: 1_234_567 }),
      run(`Make a variation of ${PICTURE}`, same),
      run(`Make ${PICTURE} larger`, { request: prompt, exact: true, image: PICTURE, scale: 2 }),
    ]);
  });

  it('made from others keep what they were made from; without seeds they are only varied', async () => {
    await window.goto(TASK, '?pace=0');
    await openPicture(
      page,
      false,
      fakeImageRecord({
        ...{ operation: 'inpaint', image: 'sales-by-region.svg', mask: 'mask-1.png' },
        ...{ strength: 0.4, seed: null, steps: null, guidance: null, negativePrompt: '' },
        ...{ server: 'openai', model: null },
      }),
    );
    expect(await button('Make again').count()).toBe(0);
    await button('Vary').click();
    await expect.poll(starts).toEqual([
      run(`Make a variation of ${PICTURE}`, {
        ...{ request: fakeImageRecord().prompt, exact: true, width: 640, height: 480 },
        ...{ image: 'sales-by-region.svg', mask: 'mask-1.png', strength: 0.4 },
      }),
    ]);
    const facts = page.getByRole('region', { name: 'How it was made' });
    await facts.getByRole('button', { name: 'sales-by-region.svg' }).click();
    await page.getByRole('heading', { name: 'sales-by-region.svg' }).waitFor();
  });

  it('from elsewhere can be changed and enlarged as well', async () => {
    await window.goto(TASK, '?pace=0');
    await openPicture(page, false, null);
    await page.getByRole('img', { name: 'fox.png' }).waitFor();
    expect(
      await page
        .getByRole('group', { name: /picture/ })
        .getByRole('button')
        .allInnerTexts(),
    ).toEqual(['Larger', 'Change…']);
    await button('Larger').click();
    await expect
      .poll(starts)
      .toEqual([
        run(`Make ${PICTURE} larger`, { request: 'fox', exact: true, image: PICTURE, scale: 2 }),
      ]);
  });

  it('are changed as a whole where nothing is marked', async () => {
    await window.goto(TASK, '?pace=0');
    await openPicture(page, false, null);
    await openChange(page);
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('TEXTAREA');
    expect(await button('Change picture').isDisabled()).toBe(true);
    await page.keyboard.type('At night');
    await page.getByRole('slider', { name: 'Strength' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    // What is typed stays when the dialog is closed.
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'hidden' });
    await openChange(page);
    expect(await request().inputValue()).toBe('At night');
    await button('Change picture').click();
    await dialog().waitFor({ state: 'hidden' });
    expect(await starts()).toEqual([
      run(`Change ${PICTURE}: At night`, {
        ...{ request: 'At night', image: PICTURE, strength: 0.1, width: 640, height: 480 },
      }),
    ]);
    expect(await masks()).toEqual([]);
  });

  it('are changed where the mouse marked them: the mask is white there, and black elsewhere', async () => {
    await window.goto(TASK, '?pace=0');
    await openPicture(page, false);
    await openChange(page);
    await request().fill('A house');
    await paint([160, 120], [320, 120], [480, 120]);
    await page.getByText('Marked: 7% of the picture.').waitFor();
    await paint([160, 400], [480, 400]);
    await button('Undo').click();
    await button('Change picture').click();
    await dialog().waitFor({ state: 'hidden' });
    const [mask, ...others] = await masks();
    expect([mask?.name, others]).toEqual([expect.stringMatching(/^mask-[0-9a-f]{16}\.png$/), []]);
    const read = await readMask(mask?.data ?? '');
    // A brush of 12% of 480 pixels is 58 wide; a pixel of the screen is 1 to 2 of the picture.
    const around = (value: number) => expect.toSatisfy((one: number) => Math.abs(one - value) <= 3);
    expect(read).toEqual({
      ...{ ...PICTURE_SIZE, colours: ['0 0 0 255', '255 255 255 255'] },
      white: {
        ...{ left: around(160 - 29), right: around(480 + 29) },
        ...{ top: around(120 - 29), bottom: around(120 + 29) },
        count: expect.toSatisfy(
          (one: number) => Math.abs(one - (320 * 58 + Math.PI * 29 * 29)) < 900,
        ),
      },
    });
    expect(await starts()).toEqual([
      run(
        `Change the marked part of ${PICTURE}: A house`,
        {
          ...{ request: 'A house', image: PICTURE, mask: mask?.name, width: 640, height: 480 },
        },
        [mask?.name ?? ''],
      ),
    ]);
  });

  it('are marked by a finger, and by a pen', async () => {
    await window.goto(TASK, '?pace=0');
    await openPicture(page, false);
    await openChange(page);
    const box = await page.locator('.mask-stage > canvas').boundingBox();
    const session = await page.context().newCDPSession(page);
    const at = (x: number) => ({ x: (box?.x ?? 0) + x, y: (box?.y ?? 0) + 60 });
    await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at(60)] });
    await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [at(200)] });
    await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await page.getByText(/^Marked: [1-9]\d*% of the picture/).waitFor();
    const pen = async (type: 'mousePressed' | 'mouseMoved' | 'mouseReleased', x: number) =>
      session.send('Input.dispatchMouseEvent', {
        ...{ type, ...at(x), button: 'left', clickCount: 1, pointerType: 'pen' },
        buttons: type === 'mouseReleased' ? 0 : 1,
      });
    await button('Clear').click();
    await page.getByText('Nothing is marked').waitFor();
    await pen('mousePressed', 100);
    await pen('mouseMoved', 160);
    await pen('mouseReleased', 160);
    await page.getByText(/^Marked: [1-9]\d*% of the picture/).waitFor();
  });

  it('are marked by keyboard, exactly, and erased again', async () => {
    await window.goto(TASK, '?pace=0');
    await openPicture(page, false);
    await openChange(page);
    await request().fill('A lake');
    await button('Mark a rectangle').press('Enter');
    const number = (name: string) => page.getByRole('spinbutton', { name, exact: true });
    await number('From left').fill('100');
    await number('From left').press('ArrowUp');
    expect(await number('From left').inputValue()).toBe('104');
    await number('From top').fill('40');
    await number('Width').fill('200');
    await number('Height').fill('100');
    await number('Height').press('Enter');
    await page.getByText('Marked: 7% of the picture. Only this part changes.').waitFor();
    // What is erased is taken from the mask; what is outside is cut off.
    await button('Erase').press('Enter');
    await number('From left').fill('204');
    await number('Width').fill('9000');
    await button('Erase rectangle').press('Enter');
    await page.getByText('Marked: 3% of the picture.').waitFor();
    await number('From left').fill('700');
    expect(await button('Erase rectangle').getAttribute('aria-disabled')).toBe('true');
    await button('Change picture').press('Enter');
    await dialog().waitFor({ state: 'hidden' });
    const [mask] = await masks();
    expect((await readMask(mask?.data ?? '')).white).toEqual({
      ...{ left: 104, top: 40, right: 204, bottom: 140, count: 10_000 },
    });
  });

  it('whose marks were all erased are changed as a whole; a refusal keeps everything', async () => {
    await window.goto(TASK, '?pace=0');
    await openPicture(page, false);
    await openChange(page);
    await request().fill('Rain');
    await paint([100, 100], [140, 100]);
    await button('Erase').click();
    await page.getByRole('slider', { name: 'Brush size' }).fill('50');
    await paint([100, 100], [140, 100]);
    await page.getByText('Nothing is marked: the whole picture changes.').waitFor();
    await page.evaluate(() =>
      globalThis.fake.refuse.set('runs.start', {
        ...{ code: 'CONFLICT', message: 'A run is going on\u202e.', details: {} },
      }),
    );
    await button('Change picture').click();
    await dialog().getByRole('alert').filter({ hasText: 'A run is going on' }).waitFor();
    await button('Change picture').click();
    await dialog().waitFor({ state: 'hidden' });
    expect((await starts()).at(-1)).toEqual(
      run(`Change ${PICTURE}: Rain`, {
        ...{ request: 'Rain', image: PICTURE, width: 640, height: 480 },
      }),
    );
    expect(await masks()).toEqual([]);
  });

  it('that are being made show how far they are, until their call ends', async () => {
    await window.goto('');
    await beginPicture(page, false);
    await pushProgress(page, { queue: 2, step: null, steps: null });
    await page.getByText('In the queue, 2 before it').waitFor();
    const bar = page.getByRole('progressbar', { name: 'Progress of the picture' });
    expect(await bar.count()).toBe(0);
    await pushProgress(page, {}, true);
    await page.getByText('Step 12 of 20').waitFor();
    expect(
      await bar.evaluate((one) =>
        ['now', 'min', 'max', 'text'].map((name) => one.getAttribute(`aria-value${name}`)),
      ),
    ).toEqual(['12', '0', '20', 'Step 12 of 20']);
    const preview = page.getByRole('img', { name: 'Unfinished picture' });
    expect(await preview.getAttribute('src')).toMatch(/^data:image\/png;base64,/);
    // Another call, another task, and an address that is no picture.
    await pushProgress(page, { toolCallId: 'other', step: 1 });
    await pushProgress(page, { threadId: 't-sales', step: 2 });
    await pushProgress(page, { step: 13, preview: 'https://evil.example/pixel.png' });
    await page.getByText('Step 13 of 20').waitFor();
    expect(await preview.count()).toBe(0);
    await page.evaluate(() =>
      globalThis.fake.emit('drawing', [
        {
          ...{ type: 'tool_result', toolCallId: 'call-image', name: 'generate_image' },
          ...{ status: 'ok', content: 'Made fox.png', durationMs: 9_000 },
        },
      ]),
    );
    await page.getByText('Made a picture').waitFor();
    expect(await bar.count()).toBe(0);
    // A notice that comes late shows nothing.
    await pushProgress(page, { step: 19 });
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))');
    expect(await page.getByText('Step 19 of 20').count()).toBe(0);
  });

  it('that a skill makes show it on its card', async () => {
    await window.goto('');
    await beginPicture(page, true);
    await pushProgress(page, { toolCallId: 'call-skill.1', step: 5 });
    const card = page.getByRole('region', { name: /image_generation/ });
    await card.getByText('Step 5 of 20').waitFor();
    await card.getByRole('progressbar').waitFor();
  });

  it('with hostile words and names are shown as text', async () => {
    await window.goto(TASK, '?pace=0');
    const hostile = '<img src=x onerror=alert(1)>\u202egnp';
    await openPicture(
      page,
      false,
      fakeImageRecord({
        ...{ prompt: hostile, negativePrompt: hostile, model: hostile, alt: hostile },
        ...{ operation: 'edit', image: hostile },
      }),
      'pictures/<b>fox\u202e.png',
    );
    const facts = page.getByRole('region', { name: 'How it was made' });
    expect(await facts.locator('.hidden-character').count()).toBe(4);
    expect(await facts.locator('img').count()).toBe(0);
    expect(await page.locator('.file-image').getAttribute('alt')).not.toContain('\u202e');
    await openChange(page);
    const title = page.getByRole('dialog').getByRole('heading');
    expect(await title.innerText()).toContain('<b>fox');
    expect(await title.innerText()).not.toContain('\u202e');
  });

  it('have a page of the settings, which looks for their servers again', async () => {
    await window.goto('');
    await button('Settings').click();
    await page.getByRole('tab', { name: 'Pictures' }).click();
    const found = page.getByRole('list', { name: 'Found servers' });
    await found.getByText('answers, 2 models').waitFor();
    // Services are asked only while they are in use.
    expect(await found.getByRole('listitem').locator('strong').allInnerTexts()).toEqual([
      ...['ComfyUI', 'AUTOMATIC1111 or Forge', 'stable-diffusion.cpp'],
    ]);
    expect(await found.getByText('in use').count()).toBe(1);
    const model = page.getByRole('combobox', { name: 'Image model' });
    const models = page.locator('datalist option');
    expect(await models.evaluateAll((all) => all.map((one) => one.getAttribute('value')))).toEqual([
      'sd_xl_base_1.0.safetensors',
      'flux1-schnell.safetensors',
    ]);
    await model.fill('my-model');
    await model.press('Enter');
    const address = page.getByRole('textbox', { name: 'Address of ComfyUI' });
    await address.fill('http://192.168.0.9:8188');
    await address.press('Enter');
    await expect.poll(async () => (await window.sent('images.servers')).length).toBe(2);
    await address.fill('');
    await address.press('Enter');
    await expect.poll(() => address.inputValue()).toBe('http://127.0.0.1:8188');
    await page.getByRole('radio', { name: /^OpenAI \(sends descriptions and pictures/ }).check();
    await page.evaluate(() => {
      globalThis.fake.images.servers = globalThis.fake.images.servers.map((one) => ({
        ...{ ...one, isUsed: false, info: null, problem: `<b>gone</b>\u202e ${one.kind}` },
      }));
    });
    await button('Look again').click();
    await page.getByText('Install one of: ComfyUI (comfy.org)').waitFor();
    expect(await found.getByText('<b>gone</b>').count()).toBe(5);
    expect(await found.locator('.hidden-character').count()).toBe(5);
    const local = { 'sd-server': 'http://127.0.0.1:1234', webui: 'http://127.0.0.1:7860' };
    expect(await window.sent('settings.update')).toEqual([
      { changes: { imageModel: 'my-model' } },
      { changes: { imageServers: { ...local, comfyui: 'http://192.168.0.9:8188' } } },
      { changes: { imageServers: { ...local, comfyui: 'http://127.0.0.1:8188' } } },
      { changes: { imageProvider: 'openai' } },
    ]);
  });
});
