import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { changeFile, openFile } from '../setup/file-screens.ts';
import { useWindow } from '../setup/use-window.ts';

describe.skipIf(chromiumPath === null)(`the editor of a file${chromiumNote}`, () => {
  const window = useWindow();
  let page: Page;
  beforeEach(async () => {
    page = window.page;
    await window.goto('#/task/t-sales');
  });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const editor = () => page.getByRole('textbox', { name: /^Text of / });
  const edit = async () => {
    await button('Edit').click();
    // It takes the keyboard by itself.
    await page.locator('.cm-content:focus').waitFor();
  };
  const stored = (path: string) =>
    page.evaluate((name) => globalThis.fake.state.files.get(name)?.data ?? null, path);
  const written = async () => (await window.sent('files.write')) as { text: string }[];

  it('saves by keyboard, goes on, and closes; the file is shown as it is then', async () => {
    await openFile(page, false, ['a.ts', 'const a = 1;\n']);
    await edit();
    await page.keyboard.type('let b = 2;\n');
    await page.getByText('Unsaved changes').waitFor();
    await page.keyboard.press('ControlOrMeta+s');
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await stored('a.ts')).toBe('let b = 2;\nconst a = 1;\n');
    await page.keyboard.type('let c = 3;\n');
    await button('Save').click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await stored('a.ts')).toBe('let b = 2;\nlet c = 3;\nconst a = 1;\n');
    await button('Close editor').click();
    await expect.poll(() => page.locator('.file-viewer .code').innerText()).toContain('let c = 3;');
    expect(await written()).toHaveLength(2);
  });

  it.each([
    ['lines that end as on Windows', 'one\r\ntwo\r\n'],
    ['both kinds of line ends, tabs, and no last line end', 'one\r\n\ttwo\nthree  \rfour'],
    ['an empty file', ''],
    ['signs of other writings', '数据\u2028\u00a0é\u0301 🙂\n'],
  ])('keeps every byte that is not edited: %s', async (_what, text) => {
    await openFile(page, false, ['b.txt', text]);
    await edit();
    await page.keyboard.press('ControlOrMeta+Home');
    await page.keyboard.type('x');
    await page.keyboard.press('ControlOrMeta+s');
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await stored('b.txt')).toBe(`x${text}`);
  });

  it('keeps unsaved text while other files are looked at, and over a reload', async () => {
    await openFile(page, false, ['a.ts', 'const a = 1;\n']);
    await edit();
    await page.keyboard.type('mine ');
    await button('All files').click();
    const tree = page.getByRole('tabpanel', { name: 'Files' });
    await tree.getByRole('button', { name: 'sales.csv' }).click();
    await button('All files').click();
    await tree.getByRole('button', { name: 'a.ts Unsaved changes' }).click();
    await page.getByText('Unsaved changes').waitFor();
    await page.reload();
    await page.getByRole('tab', { name: 'Files' }).click();
    // The fake main begins anew with a reload.
    await page.evaluate(() => {
      const file = { mimeType: 'text/plain', encoding: 'utf8', data: 'const a = 1;\n' } as const;
      globalThis.fake.state.files.set('a.ts', file);
    });
    await button('Refresh').click();
    await page.getByRole('button', { name: 'a.ts Unsaved changes' }).click();
    await page.getByText('Unsaved changes').waitFor();
    expect(await editor().innerText()).toContain('mine const a = 1;');
    expect(await written()).toEqual([]);
  });

  it('asks before it gives up changes', async () => {
    await openFile(page, false, ['a.ts', 'const a = 1;\n']);
    await edit();
    await page.keyboard.type('x');
    await button('Close editor').click();
    expect(await page.locator(':focus').innerText()).toBe('Save and close');
    await button('Keep editing').click();
    await button('Close editor').click();
    await button('Discard my changes').click();
    await button('Edit').waitFor();
    expect(await written()).toEqual([]);
    await edit();
    await page.keyboard.type('y');
    await button('Close editor').click();
    await button('Save and close').press('Enter');
    await button('Edit').waitFor();
    expect(await stored('a.ts')).toBe('yconst a = 1;\n');
  });

  it('never saves over what somebody else wrote, unless the user has seen it', async () => {
    await openFile(page, false, ['a.ts', 'const a = 1;\n']);
    await edit();
    await page.keyboard.type('mine;\n');
    await changeFile(page, 'a.ts', 'const a = 2;\n');
    await page.getByText('The file was changed while you edited it.').waitFor();
    await editor().focus();
    await page.keyboard.press('ControlOrMeta+s');
    await expect.poll(async () => (await written()).length).toBe(1);
    expect(await stored('a.ts')).toBe('const a = 2;\n');
    await button('Show the difference').click();
    await page.locator('.diff-line[data-kind=removed]').getByText('const a = 2;').waitFor();
    await page.locator('.diff-line[data-kind=added]').getByText('const a = 1;').waitFor();
    await button('Save mine over it').click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await stored('a.ts')).toBe('mine;\nconst a = 1;\n');
    await page.getByText('The file was changed while you edited it.').waitFor({ state: 'hidden' });
  });

  it('says that a file is gone, and saves it again', async () => {
    await openFile(page, false, ['a.ts', 'const a = 1;\n']);
    await edit();
    await page.keyboard.type('mine;\n');
    await page.evaluate(() => {
      globalThis.fake.state.files.delete('a.ts');
      globalThis.fake.push({ kind: 'file_changed', threadId: 't-sales', path: 'a.ts' });
    });
    await page.getByText('The file was deleted while you edited it.').waitFor();
    await button('Save it again').click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await stored('a.ts')).toBe('mine;\nconst a = 1;\n');
  });

  it('shows why a file was not saved, and keeps the text', async () => {
    await openFile(page, false, ['a.ts', 'const a = 1;\n']);
    await edit();
    await page.keyboard.type('mine;\n');
    await page.evaluate(() => {
      const problem = { code: 'DISK_FULL', message: 'The disk is full.', details: {} } as const;
      globalThis.fake.refuse.set('files.write', problem);
    });
    await button('Save').click();
    await page.getByRole('alert').getByText('The disk is full.').waitFor();
    await page.getByText('Unsaved changes').waitFor();
    await button('Save').click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await stored('a.ts')).toBe('mine;\nconst a = 1;\n');
  });

  it('makes a new file by keyboard alone', async () => {
    await page.getByRole('tab', { name: 'Files' }).click();
    await button('New file').press('Enter');
    await page.keyboard.type('../x\n');
    await page.getByText('Write a name such as notes/plan.md.').waitFor();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('sales.csv\n');
    await page.getByText('There is a file sales.csv already.').waitFor();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('notes/plan.md\n');
    await page.locator('.cm-content:focus').waitFor();
    await page.keyboard.type('# Plan');
    await page.keyboard.press('ControlOrMeta+s');
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await window.sent('files.write')).toEqual([
      { threadId: 't-sales', path: 'notes/plan.md', text: '# Plan', was: null },
    ]);
    await button('All files').press('Enter');
    await page.getByRole('button', { name: 'notes' }).waitFor();
  });

  /** Saves are answered when this is called, and no sooner. */
  const holdSaves = async (): Promise<() => Promise<void>> => {
    await page.evaluate(() => {
      const { fake } = globalThis;
      const held = Promise.withResolvers<void>();
      const request = fake.request.bind(fake);
      Object.assign(fake, {
        letGo: held.resolve,
        request: async (...given: Parameters<typeof request>) => {
          const answer = await request(...given);
          if (given[0] === 'files.write') await held.promise;
          return answer;
        },
      });
    });
    return () => page.evaluate('globalThis.fake.letGo()');
  };

  it('keeps what is typed while it saves, and asks for no decision about its own save', async () => {
    await openFile(page, false, ['a.ts', 'const a = 1;\n']);
    await edit();
    await page.keyboard.type('one;');
    const letGo = await holdSaves();
    await button('Close editor').click();
    await button('Save and close').click();
    await editor().click();
    await page.keyboard.press('ControlOrMeta+Home');
    await page.keyboard.type('two;');
    expect(await page.getByText('The file was changed while you edited it.').count()).toBe(0);
    await letGo();
    await page.getByText('Unsaved changes').waitFor();
    expect(await editor().innerText()).toContain('two;one;const a = 1;');
    await page.keyboard.press('ControlOrMeta+s');
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await stored('a.ts')).toBe('two;one;const a = 1;\n');
  });

  it('is not opened again by a save that ends late, which takes nothing from a newer text', async () => {
    await openFile(page, false, ['a.ts', 'const a = 1;\n']);
    await edit();
    await page.keyboard.type('one;');
    const letGo = await holdSaves();
    await button('Save').click();
    await button('All files').click();
    await page.getByRole('list', { name: 'Unsaved changes' }).getByRole('button').click();
    await editor().click();
    await page.keyboard.press('ControlOrMeta+Home');
    await page.keyboard.type('two;');
    await letGo();
    await page.getByText('Unsaved changes').waitFor();
    expect(await editor().innerText()).toContain('two;one;const a = 1;');
    await button('Close editor').click();
    await button('Discard my changes').click();
    await button('Edit').waitFor();
    expect(await stored('a.ts')).toBe('one;const a = 1;\n');
  });

  it('lists a new file that is not saved, and does not empty it', async () => {
    const make = async () => {
      await button('New file').click();
      await page.keyboard.type('notes/plan.md\n');
      await page.locator('.cm-content').waitFor();
    };
    await page.getByRole('tab', { name: 'Files' }).click();
    await make();
    await page.keyboard.type('# Plan');
    await button('All files').click();
    const unsaved = page.getByRole('list', { name: 'Unsaved changes' });
    await unsaved.getByText('notes/plan.md').waitFor();
    await make();
    expect(await editor().innerText()).toContain('# Plan');
  });

  it('follows the file where nothing of it is the user’s', async () => {
    await openFile(page, false, ['a.ts', 'const a = 1;\n']);
    await edit();
    await changeFile(page, 'a.ts', 'const a = 2;\n');
    await expect.poll(() => editor().innerText()).toContain('const a = 2;');
    expect(await page.getByText('The file was changed while you edited it.').count()).toBe(0);
    await page.keyboard.press('ControlOrMeta+s');
    expect(await written()).toEqual([]);
  });

  it('says why, where the file is the one that was edited and is refused all the same', async () => {
    await openFile(page, false, ['a.ts', 'const a = 1;\n']);
    await edit();
    await page.keyboard.type('mine;');
    await page.evaluate(() => {
      const problem = { code: 'CONFLICT', message: 'It is a link.', details: {} } as const;
      globalThis.fake.refuse.set('files.write', problem);
    });
    await button('Save').click();
    await page.getByRole('alert').getByText('It is a link.').waitFor();
  });

  it('does not take a file that cannot be read now for one that is gone', async () => {
    await openFile(page, false, ['a.ts', 'const a = 1;\n']);
    await edit();
    await page.keyboard.type('mine;');
    await page.evaluate(() => {
      const { fake } = globalThis;
      const problem = { code: 'INTERNAL', message: 'Something broke.', details: {} } as const;
      fake.refuse.set('files.read', problem);
      fake.push({ kind: 'file_changed', threadId: 't-sales', path: 'a.ts' });
    });
    await expect.poll(() => page.evaluate(() => globalThis.fake.refuse.size)).toBe(0);
    await page.getByText('Unsaved changes').waitFor();
    expect(await page.getByText('The file was deleted').count()).toBe(0);
    await page.keyboard.press('ControlOrMeta+s');
    await page.getByText('Saved', { exact: true }).waitFor();
  });

  it.each([
    ['one\r\ntwo\r\n', 'a\nb\r\nc', 'a\r\nb\r\ncone\r\ntwo\r\n'],
    ['one\ntwo\n', 'a\r\nb\rc', 'a\nb\ncone\ntwo\n'],
  ])('gives what is pasted the line ends of the file: %j', async (text, pasted, all) => {
    await openFile(page, false, ['b.txt', text]);
    await edit();
    await page.evaluate(
      `(() => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', ${JSON.stringify(pasted)});
        const init = { clipboardData, bubbles: true, cancelable: true };
        document.activeElement.dispatchEvent(new ClipboardEvent('paste', init));
      })()`,
    );
    await page.keyboard.press('ControlOrMeta+s');
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await stored('b.txt')).toBe(all);
  });

  it('gives the focus back to where it came from', async () => {
    await openFile(page, false, ['a.ts', 'const a = 1;\n']);
    await edit();
    await page.keyboard.type('x');
    await button('Close editor').press('Enter');
    await button('Keep editing').press('Enter');
    await page.locator('.cm-content:focus').waitFor();
    await button('Close editor').press('Enter');
    await button('Discard my changes').press('Enter');
    await page.locator('button[aria-label="Edit"]:focus').waitFor();
    await button('All files').press('Enter');
    await button('New file').press('Enter');
    await page.locator('input:focus').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('button[aria-label="New file"]:focus').waitFor();
  });

  it('is not offered for what is no text', async () => {
    await page.evaluate(() => {
      const file = { mimeType: 'image/png', encoding: 'base64', data: '' } as const;
      globalThis.fake.state.files.set('a.png', file);
    });
    await page.getByRole('tab', { name: 'Files' }).click();
    await button('Refresh').click();
    await page.getByRole('button', { name: 'a.png' }).click();
    await page.getByRole('link', { name: 'Download' }).waitFor();
    expect(await button('Edit').count()).toBe(0);
  });

  it('renames and deletes a file by keyboard alone', async () => {
    const openMenu = async () => {
      await button('More actions for this file').press('Enter');
      await page.locator('[role=menuitem]:focus').waitFor();
    };
    await openFile(page, false, ['a.ts', 'const a = 1;\n']);
    await openMenu();
    await page.keyboard.press('Enter');
    const name = page.getByRole('textbox', { name: 'New name, with its folder' });
    await expect.poll(() => page.locator(':focus').inputValue()).toBe('a.ts');
    await page.keyboard.press('Escape');
    await name.waitFor({ state: 'hidden' });
    await openMenu();
    await page.keyboard.press('Enter');
    await name.waitFor();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('sales.csv\n');
    await page.getByText('There is a file sales.csv already.').waitFor();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('src/b.ts\n');
    await page.getByRole('heading', { name: 'b.ts', exact: true }).waitFor();
    await page.locator('.file-viewer .code').getByText('const').waitFor();
    await openMenu();
    await page.keyboard.press('ArrowDown');
    await page.locator('[role=menuitem]:focus').getByText('Delete…').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('alertdialog', { name: 'Delete b.ts?' }).waitFor();
    // The safe answer has the focus.
    expect(await page.locator(':focus').innerText()).toBe('Cancel');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'total.py' }).waitFor();
    expect([await stored('a.ts'), await stored('src/b.ts')]).toEqual([null, null]);
    expect(await window.sent('files.remove')).toEqual([{ threadId: 't-sales', path: 'src/b.ts' }]);
  });
});
