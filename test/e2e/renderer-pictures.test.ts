import { describe, expect, it } from 'vitest';
import { pngOf } from '../fakes/png.ts';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { useWindow } from '../setup/use-window.ts';

const photo = pngOf(64, 40, (x, y) => [x * 4, y * 6, 120]);

describe.skipIf(chromiumPath === null)(`pictures of a message${chromiumNote}`, () => {
  const window = useWindow('?empty=yes');

  async function attach(...names: string[]): Promise<void> {
    const files = names.map((name) => ({ name, mimeType: 'image/png', buffer: photo }));
    await window.page.locator('.composer input[type=file]').setInputFiles(files);
    for (const name of names) await window.page.getByText(name).waitFor();
  }

  /** Adds a model to Ollama's list. */
  async function install(name: string, vision: boolean | null): Promise<void> {
    await window.page.evaluate(
      ([named, sees]) => {
        const [ollama] = globalThis.fake.state.servers;
        const [first] = ollama?.models ?? [];
        if (first !== undefined) ollama?.models.push({ ...first, name: named, vision: sees });
      },
      [name, vision] as const,
    );
  }

  it('are shown small, and one that cannot be read says why', async () => {
    await window.goto('');
    await attach('photo.png', 'broken.png', 'notes.txt');
    const shown = window.page.locator('.attachment[data-picture="shown"]');
    expect(
      await shown.locator('img').evaluate((img) => 'naturalWidth' in img && img.naturalWidth),
    ).toBe(64);
    expect(await shown.textContent()).toContain('1600 × 1000');
    const broken = window.page.locator('.attachment[data-picture="not-shown"]');
    expect(await broken.textContent()).toContain('Attached as a file only. It has 100 megapixels');
    expect(await window.page.locator('.attachment').count()).toBe(3);
  });

  it('are warned about before they are sent to a model that does not see, with one that does', async () => {
    await window.goto('');
    const { page } = window;
    await install('gemma3:12b', true);
    const message = page.getByRole('textbox', { name: 'Message' });
    await message.fill('What is this?');
    await attach('photo.png');
    const notice = page.getByRole('status').filter({ hasText: 'does not see pictures' });
    await notice.waitFor();
    expect(await notice.textContent()).toContain(
      'qwen3:8b does not see pictures. It will get only their file names.',
    );
    await page.getByRole('button', { name: 'Send without showing the pictures' }).waitFor();
    await page.getByRole('button', { name: 'Use gemma3:12b, which sees them' }).click();
    await expect.poll(() => notice.count()).toBe(0);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await expect
      .poll(() => window.sent('runs.start'))
      .toEqual([
        expect.objectContaining({
          attachmentIds: ['photo.png'],
          options: expect.objectContaining({ model: { provider: 'ollama', name: 'gemma3:12b' } }),
        }),
      ]);
  });

  it('are not sent by an Enter that comes before the warning, and are by the next one', async () => {
    await window.goto('');
    const { page } = window;
    await page.evaluate(() => {
      const { fake } = globalThis;
      const request = fake.request.bind(fake);
      const held: (() => void)[] = [];
      Object.assign(globalThis, { held });
      // The server answers when the test says so.
      fake.request = async (name, input) => {
        if (name === 'models.sight') await new Promise<void>((go) => void held.push(go));
        return request(name, input);
      };
    });
    const message = page.getByRole('textbox', { name: 'Message' });
    await message.fill('What is this?');
    await attach('photo.png');
    await expect.poll(() => page.evaluate('held.length')).toBe(1);
    await message.press('Enter');
    await expect.poll(() => page.evaluate('held.length')).toBe(2);
    await page.evaluate('for (const go of held.splice(0)) go()');
    await page.getByText('qwen3:8b does not see pictures').waitFor();
    expect(await window.sent('runs.start')).toEqual([]);
    expect(await message.inputValue()).toBe('What is this?');
    await expect.poll(() => message.isEditable()).toBe(true);
    await message.press('Enter');
    await expect.poll(async () => (await window.sent('runs.start')).length).toBe(1);
  });

  it('whose model is not known to see are warned about as well', async () => {
    await window.goto('');
    await install('mystery:7b', null);
    await window.page.evaluate(() => {
      const { state } = globalThis.fake;
      state.settings = { ...state.settings, model: { provider: 'ollama', name: 'mystery:7b' } };
      globalThis.fake.push({ kind: 'settings_changed', settings: state.settings });
    });
    await attach('photo.png');
    await window.page.getByText('It is not known whether mystery:7b sees pictures').waitFor();
    await window.page.getByText('Install a model that sees').waitFor();
  });
});
