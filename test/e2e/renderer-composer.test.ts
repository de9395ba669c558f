import { describe, expect, it } from 'vitest';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { useWindow } from '../setup/use-window.ts';

describe.skipIf(chromiumPath === null)(`files of a message${chromiumNote}`, () => {
  const window = useWindow('?empty=yes');

  it('are uploaded before it is sent, and a failed upload keeps the draft', async () => {
    await window.goto('');
    const { page } = window;
    await page.evaluate(() => {
      const { fake } = globalThis;
      const request = fake.request.bind(fake);
      const arrivals: (() => void)[] = [];
      Object.assign(globalThis, { arrivals });
      // Uploads finish when the test says so.
      fake.request = async (name, input) => {
        if (name === 'attachments.add') await new Promise<void>((go) => void arrivals.push(go));
        return request(name, input);
      };
    });
    const arrive = async (count: number): Promise<void> => {
      await expect.poll(() => page.evaluate('arrivals.length')).toBe(count);
      await page.evaluate('for (const go of arrivals.splice(0)) go()');
    };
    const attach = async (...names: string[]): Promise<void> => {
      const buffer = Buffer.from('region,amount\n');
      const files = names.map((name) => ({ name, mimeType: 'text/csv', buffer }));
      await page.locator('.composer input[type=file]').setInputFiles(files);
      for (const name of names) await page.getByText(name).waitFor();
    };
    const message = page.getByRole('textbox', { name: 'Message' });
    const send = page.getByRole('button', { name: 'Send', exact: true });

    await attach('lost.csv');
    await message.fill('Total it');
    await page.evaluate(() =>
      globalThis.fake.refuse.set('attachments.add', {
        ...{ code: 'BAD_REQUEST', message: 'No room.', details: {} },
      }),
    );
    await message.press('Enter');
    await expect.poll(() => send.isDisabled()).toBe(true);
    await arrive(1);
    await page.getByText('No room.').waitFor();
    await expect.poll(() => send.isEnabled()).toBe(true);
    expect(await message.inputValue()).toBe('Total it');
    expect(await window.sent('runs.start')).toEqual([]);

    await page.evaluate(() => globalThis.fake.refuse.clear());
    await page.getByRole('button', { name: 'Remove lost.csv' }).click();
    await attach('one.csv', 'two.csv');
    await message.press('Enter');
    await message.press('Enter');
    expect(await window.sent('runs.start')).toEqual([]);
    await arrive(2);
    await expect
      .poll(() => window.sent('runs.start'))
      .toEqual([
        expect.objectContaining({ prompt: 'Total it', attachmentIds: ['one.csv', 'two.csv'] }),
      ]);
  });

  it('are taken wherever in the window they are dropped, and the page stays', async () => {
    await window.goto('');
    const { page } = window;
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    const dropped = (selector: string) =>
      page.evaluate<boolean>(`(() => {
        const files = new DataTransfer();
        files.items.add(new File(['region'], 'dropped.csv', { type: 'text/csv' }));
        const options = { dataTransfer: files, bubbles: true, cancelable: true };
        const place = document.querySelector('${selector}');
        place.dispatchEvent(new DragEvent('dragover', options));
        return place.dispatchEvent(new DragEvent('drop', options));
      })()`);
    // A drop that nobody prevents makes the browser open the file in place of the page.
    expect(await dropped('.sidebar')).toBe(false);
    await page.getByText('dropped.csv').waitFor();
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('dialog', { name: 'Settings' }).waitFor();
    expect(await dropped('[role=dialog]')).toBe(false);
  });
});

describe.skipIf(chromiumPath === null)(`a draft${chromiumNote}`, () => {
  const window = useWindow();

  it('is still there after the page was loaded again, for each task', async () => {
    await window.goto('');
    const { page } = window;
    const message = page.getByRole('textbox', { name: 'Message' });
    await message.fill('A task that is');
    await window.goto('#/task/t-sales');
    await message.fill('And then?');
    await page.reload();
    await page.getByRole('heading', { name: 'Sales by region' }).waitFor();
    expect(await message.inputValue()).toBe('And then?');
    await page.getByRole('button', { name: 'New task' }).click();
    expect(await message.inputValue()).toBe('A task that is');
    await message.fill('');
    await page.reload();
    await page.getByText('What can I help with?').waitFor();
    expect(await message.inputValue()).toBe('');
  });
});

describe.skipIf(chromiumPath === null)(`the mode of a message${chromiumNote}`, () => {
  const window = useWindow('?pace=1');

  it('is that of this message alone, and comes back with it', async () => {
    await window.goto('');
    const { page } = window;
    const message = page.getByRole('textbox', { name: 'Message' });
    const chosen = () => page.locator('.mode-picker [aria-checked=true]').innerText();
    await page.getByRole('radio', { name: 'Research' }).click();
    await message.fill('Compare the two');
    await message.press('Enter');
    await page.getByRole('button', { name: 'Approve once' }).waitFor();
    await page.getByRole('button', { name: 'New task' }).click();
    expect(await chosen()).toBe('Task');
    expect(await window.sent('runs.start')).toMatchObject([{ options: { mode: 'research' } }]);
    // A message that is taken back is as it was.
    await page.getByRole('button', { name: 'Compare the two' }).first().click();
    await page.getByRole('radio', { name: 'Data' }).click();
    await message.fill('Then total them');
    await page.getByRole('button', { name: 'Send after this run instead' }).click();
    await message.press('Enter');
    await page.getByText('Next', { exact: true }).waitFor();
    expect(await chosen()).toBe('Task');
    await page.getByRole('button', { name: 'Move back to the message box' }).click();
    expect(await chosen()).toBe('Data');
  });

  it('leaves room for the name of the model beside the computer', async () => {
    const { page } = window;
    await window.goto('#/');
    // The modes that the skills of the real app bring.
    await page.evaluate(`(() => {
      const [first] = fake.skills.details;
      for (const id of ['simple_writing', 'code_generation']) {
        const summary = { ...first.summary, id, state: 'ready' };
        fake.skills.details = [...fake.skills.details, { ...first, summary }];
      }
      fake.push({ kind: 'skills_changed' });
      location.hash = '#/task/t-sales';
    })()`);
    await page.getByText('Writing', { exact: true }).waitFor();
    await page.getByRole('tab', { name: 'Files' }).waitFor();
    await page.locator('.model-button').click();
    await page.getByRole('menuitemradio', { name: /scripted/ }).click();
    await page.locator('.model-button').getByText('scripted demo').waitFor();
    const name = page.locator('.model-name');
    expect(await name.innerText()).toBe('scripted');
    expect(await name.evaluate((one) => one.scrollWidth > one.clientWidth)).toBe(false);
  });

  it('keeps a draft when an example is chosen', async () => {
    await window.goto('');
    const { page } = window;
    const message = page.getByRole('textbox', { name: 'Message' });
    const examples = page.locator('.example');
    await examples.nth(0).click();
    await examples.nth(1).click();
    expect(await message.inputValue()).toBe(await examples.nth(1).innerText());
    await message.fill('My own words');
    await examples.nth(0).click();
    expect(await message.inputValue()).toContain('My own words');
  });
});
