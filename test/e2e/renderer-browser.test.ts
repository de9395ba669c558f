import { describe, expect, it } from 'vitest';
import type { BrowserInput } from '#contract/browser.ts';
import { BROWSER_SCREENS, changeBrowser } from '../setup/browser-screens.ts';
import { browserTab } from '../setup/browser-tab.ts';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { LAYOUT_FAULTS } from '../setup/layout-faults.ts';
import { useWindow } from '../setup/use-window.ts';

describe.skipIf(chromiumPath === null)(`the browser of a task${chromiumNote}`, () => {
  const window = useWindow('?browser=1');
  const { focused, button, showBrowser, takeOver } = browserTab(window);
  const inputs = () => window.page.evaluate<BrowserInput[]>('fake.browser.inputs');
  const keys = () => window.page.locator('.browser-keys');
  const faultsAt = async (widths: readonly number[]) => {
    const faults: Record<number, string[]> = {};
    for (const width of widths) {
      await window.page.setViewportSize({ width, height: 760 });
      // Two frames: sizes are observed, and then drawn.
      await window.page.evaluate(
        'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))',
      );
      const found = await window.page.evaluate<string[]>(LAYOUT_FAULTS);
      if (found.length > 0) faults[width] = found;
    }
    return faults;
  };
  const tabTo = async (name: string) => {
    for (let presses = 0; presses < 60 && (await focused()) !== name; presses += 1) {
      await window.page.keyboard.press('Tab');
    }
    expect(await focused()).toBe(name);
  };

  it('is taken over, driven and handed back by keyboard alone', async () => {
    const { page } = window;
    await window.goto('#/task/t-browse');
    await page.getByText('The agent is using the browser').waitFor();
    await tabTo('Take over');
    await page.keyboard.press('Enter');
    await page.getByText('You have control').waitFor();
    await expect.poll(focused).toBe('Keyboard of the page Book a train');
    await page.keyboard.press('Shift+U');
    await page.keyboard.press('Tab');
    // What the window would do with these keys is the page's now.
    await page.keyboard.press('Control+k');
    await page.keyboard.press('Escape');
    await page.keyboard.press('m');
    const downs = async () =>
      (await inputs()).flatMap((one) =>
        one.type === 'key_down' ? [[...one.modifiers, one.key].join('+')] : [],
      );
    const pressed = [
      'Shift+Shift',
      'Shift+U',
      'Tab',
      'Control+Control',
      'Control+k',
      'Escape',
      'm',
    ];
    await expect.poll(downs).toEqual(pressed);
    expect(await focused()).toBe('Keyboard of the page Book a train');

    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    expect(await focused()).toBe('Hand back');
    await expect.poll(downs).toEqual([...pressed, 'Escape']);
    const ups = (await inputs()).filter(({ type }) => type === 'key_up');
    expect(ups.length).toBe(pressed.length + 1);
    await page.keyboard.press('Enter');
    await page.getByText('Nobody is using the browser').waitFor();
    expect(await focused()).toBe('Take over');
    expect(await window.sent('browser.control')).toEqual([
      { threadId: 't-browse', action: 'take' },
      { threadId: 't-browse', action: 'hand_back' },
    ]);
  });

  it('gives tabs, address and the end of the browser to the keyboard', async () => {
    const { page } = window;
    await takeOver();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    for (const name of ['Timetable', 'Close Timetable', 'Book a train', 'Close Book a train']) {
      await page.keyboard.press('Tab');
      expect(await focused()).toBe(name);
    }
    await tabTo('Address');
    await page.keyboard.type('example.com');
    await page.keyboard.press('Enter');
    await page.getByRole('img', { name: 'Page: example.com' }).waitFor();
    await tabTo('New tab');
    await page.keyboard.press('Enter');
    await page.getByRole('listitem').filter({ hasText: 'Untitled page' }).waitFor();
    for (const close of ['Close Timetable', 'Close Untitled page']) await button(close).click();
    await expect
      .poll(() => page.getByRole('list', { name: 'Tabs of the browser' }).count())
      .toBe(0);
    await button('Reload').click();
    await button('Stop loading').waitFor();
    await button('End the browser and its sign-ins').click();
    await page.getByText('No page is open.').waitFor();
    expect(await window.sent('browser.close')).toEqual([{ threadId: 't-browse' }]);
  });

  it.each([
    { name: '1440 px', width: 1440, height: 900, scale: 1, narrow: false },
    { name: '420 px', width: 420, height: 760, scale: 1, narrow: true },
    { name: '1440 px at a zoom of 200 %', width: 720, height: 450, scale: 2, narrow: true },
  ])('takes the mouse to the same place of the page at $name', async (size) => {
    const { page } = window;
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setDeviceMetricsOverride', {
      ...{ width: size.width, height: size.height, deviceScaleFactor: size.scale, mobile: false },
    });
    await takeOver(size.narrow);
    const canvas = page.locator('canvas[data-drawn]');
    await canvas.scrollIntoViewIfNeeded();
    const box = await canvas.boundingBox();
    if (box === null) throw new Error('The canvas has no box.');
    expect(Math.abs(box.width / box.height - 1280 / 800)).toBeLessThan(0.01);
    // A mouse points at whole pixels, each of which is several of the page.
    const [x, y] = [Math.round(box.x + box.width / 4), Math.round(box.y + box.height / 2)];
    await page.mouse.move(x, y);
    await page.mouse.down();
    // A drag goes on outside of the picture, and ends at its edge.
    await page.mouse.move(x, Math.round(box.y) - 20);
    await page.mouse.up();
    await page.mouse.move(x, y);
    await page.mouse.dblclick(x, y, { button: 'right' });
    await page.mouse.wheel(0, 120);
    await page.mouse.wheel(0, 30);
    const across = expect.closeTo(((x - box.x) / box.width) * 1280, 1);
    const place = { x: across, y: expect.closeTo(((y - box.y) / box.height) * 800, 1) };
    const press = (type: string, button: string, clicks: number, at: object = place) =>
      expect.objectContaining({ type, button, clicks, ...at });
    await expect
      .poll(async () => (await inputs()).filter(({ type }) => /^mouse_(?:down|up)$/.test(type)))
      .toEqual([
        press('mouse_down', 'left', 1),
        press('mouse_up', 'left', 1, { x: across, y: 0 }),
        press('mouse_down', 'right', 1),
        press('mouse_up', 'right', 1),
        press('mouse_down', 'right', 2),
        press('mouse_up', 'right', 2),
      ]);
    // The wheel of this test turns in pixels of the screen.
    const turned = async () =>
      (await inputs()).reduce((sum, one) => sum + (one.type === 'wheel' ? one.dy : 0), 0);
    await expect.poll(turned).toBe(150 / size.scale);
    await session.send('Emulation.clearDeviceMetricsOverride');
  });

  it('takes what is pasted, and what input methods compose, as text; nothing of it stays in the window', async () => {
    const { page } = window;
    await takeOver();
    const secret = 'hunter2-canary';
    await page.evaluate(`(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', '${secret}');
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
    })()`);
    const session = await page.context().newCDPSession(page);
    await session.send('Input.imeSetComposition', {
      ...{ text: 'ni hao', selectionStart: 6, selectionEnd: 6 },
    });
    expect(await keys().inputValue()).toBe('ni hao');
    expect(await page.evaluate('getComputedStyle(document.activeElement).opacity')).toBe('1');
    await session.send('Input.insertText', { text: '你好' });
    await page.keyboard.insertText('é');
    const texts = async () =>
      (await inputs()).flatMap((one) => (one.type === 'text' ? [one.text] : []));
    await expect.poll(texts).toEqual([secret, '你好', 'é']);
    expect(await keys().inputValue()).toBe('');
    const kept = await page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.documentElement.outerHTML])',
    );
    expect(kept).not.toMatch(/canary|你好/);
  });

  it('copies and cuts what is selected in the page by the key alone, and pastes it', async () => {
    const { page } = window;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await takeOver();
    const clipboard = () => page.evaluate<string>('navigator.clipboard.readText()');
    const select = (selection: { text: string | null; canCut: boolean }) =>
      page.evaluate((selected) => {
        globalThis.fake.browser.selection = selected;
      }, selection);
    const keysDown = async () =>
      (await inputs()).flatMap((one) => (one.type === 'key_down' ? [one.key] : []));
    await page.evaluate(`navigator.clipboard.writeText('before')`);
    await select({ text: '', canCut: true });
    await page.keyboard.press('Control+c');
    await expect.poll(async () => (await window.sent('browser.selection')).length).toBe(1);
    await select({ text: 'canary-copied', canCut: false });
    await page.keyboard.press('a');
    await expect.poll(keysDown).toEqual(['Control', 'a']);
    expect(await clipboard()).toBe('before');
    for (const keys of ['Control+c', 'Control+Insert', 'Control+x']) {
      await page.evaluate(`navigator.clipboard.writeText('before')`);
      await page.keyboard.press(keys);
      await expect.poll(clipboard).toBe('canary-copied');
    }
    await select({ text: 'canary-cut', canCut: true });
    await page.keyboard.press('Control+x');
    await page.keyboard.press('b');
    await expect.poll(keysDown).toContain('b');
    expect((await keysDown()).slice(-3)).toEqual(['Control', 'Delete', 'b']);
    expect(await clipboard()).toBe('canary-cut');
    await page.keyboard.press('Control+v');
    await expect
      .poll(async () => (await inputs()).flatMap((one) => (one.type === 'text' ? [one.text] : [])))
      .toEqual(['canary-cut']);
    await select({ text: null, canCut: true });
    await page.keyboard.press('Control+x');
    await page.getByText('Copy at most 100,000 characters at once.').waitFor();
    expect([await clipboard(), await focused()]).toEqual([
      'canary-cut',
      'Keyboard of the page Book a train',
    ]);
    await page.evaluate(`navigator.clipboard.writeText('')`);
    const kept = await page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.documentElement.outerHTML])',
    );
    expect(kept).not.toMatch(/canary/);
  });

  it('draws each picture before it asks for the next, and none while the tab is not shown', async () => {
    const { page } = window;
    await showBrowser();
    await page.locator('canvas[data-drawn]').waitFor();
    const pixel = () =>
      page.evaluate<number[]>(
        `(() => {
          const canvas = document.querySelector('canvas');
          const at = [(canvas.width * 60) / 1280, (canvas.height * 700) / 800].map(Math.round);
          return [...canvas.getContext('2d').getImageData(...at, 1, 1).data];
        })()`,
      );
    await expect.poll(async () => (await pixel())[0]).toBeGreaterThan(240);
    const counts = () =>
      page.evaluate<number[]>('[fake.browser.sent.length, fake.browser.drawn.length]');
    await page.evaluate(`for (let n = 0; n < 20; n++) fake.browser.change('t-browse', {})`);
    await expect.poll(async () => new Set(await counts()).size).toBe(1);
    expect((await counts())[0]).toBeLessThan(10);
    await page.getByRole('tab', { name: 'Files' }).click();
    await expect.poll(() => window.sent('browser.unwatch')).toEqual([{ threadId: 't-browse' }]);
    const before = await counts();
    await changeBrowser(page, { isLoading: true });
    expect(await counts()).toEqual(before);
    await page.getByRole('tab', { name: 'Browser' }).click();
    await page.locator('canvas[data-drawn]').waitFor();
  });

  it('takes no input while the agent has control, and says what the agent does', async () => {
    const { page } = window;
    await showBrowser();
    const canvas = page.getByRole('img', { name: 'Page: Book a train' });
    await canvas.click();
    await page.keyboard.type('x');
    expect(await keys().count()).toBe(0);
    const mark = await page.locator('.browser-mark').boundingBox();
    const box = await canvas.boundingBox();
    expect(((mark?.x ?? 0) - (box?.x ?? 0)) / (box?.width ?? 1)).toBeCloseTo(64 / 1280, 2);
    const steps = page.locator('.browser-action');
    expect(await steps.allInnerTexts()).toEqual([
      expect.stringMatching(/^Completed\s*Open https:\/\/trains\.example\/$/),
      expect.stringMatching(/^Failed\s*Click Accept ?⟨U\+202E⟩ all$/),
      expect.stringMatching(/^Completed\s*Type into From$/),
      expect.stringMatching(/^Completed\s*Type into To$/),
      expect.stringMatching(/^Running\s*Click Search$/),
    ]);
    await page.evaluate(`fake.emit('run-t-browse', [
      { type: 'browser_action', actionId: 'b5', action: 'click', target: 'Search', status: 'completed' },
      ...Array.from({ length: 200 }, (_, n) =>
        ({ type: 'browser_action', actionId: 'n' + n, action: 'scroll', status: 'completed' })),
    ])`);
    await button('Show 145 earlier').click();
    await expect.poll(() => steps.count()).toBe(205);
    await page.evaluate(`fake.cancel('run-t-browse')`);
    expect(await window.sent('browser.input')).toEqual([]);
  });

  it('shows a dialog of the page to who has control', async () => {
    const { page } = window;
    await showBrowser();
    await changeBrowser(page, { dialog: { kind: 'confirm', message: 'Pay 9 €?' } });
    await page.getByText('The agent answers this.').waitFor();
    expect(await button('OK').count()).toBe(0);
    await button('Take over').click();
    await expect.poll(focused).toBe('OK');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(focused).toBe('Keyboard of the page Book a train');
    await changeBrowser(page, { dialog: { kind: 'prompt', message: 'How many?' } });
    await expect.poll(focused).toBe('Answer');
    await page.keyboard.type('2');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => window.sent('browser.go'))
      .toEqual([
        { threadId: 't-browse', to: { accept: false } },
        { threadId: 't-browse', to: { accept: true, text: '2' } },
      ]);
  });

  it('asks for files of this computer for the page, and gives them to it alone', async () => {
    const { page } = window;
    // From the start: it takes the browser a while to report choosers instead of showing them.
    const picking = page.waitForEvent('filechooser');
    await takeOver();
    const chooser = { id: 'chooser_1', accept: 'image/*,.pdf\u202e', isMultiple: false };
    await changeBrowser(page, { chooser });
    await page.getByText('The page asks for a file').waitFor();
    await page.locator('.browser-dialog').getByText('U+202E').waitFor();
    await expect.poll(focused).toBe('Choose file…');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(focused).toBe('Keyboard of the page Book a train');
    await changeBrowser(page, { chooser: { id: 'chooser_2', accept: '', isMultiple: true } });
    await expect.poll(focused).toBe('Choose files…');
    await page.keyboard.press('Enter');
    const picker = await picking;
    expect(picker.isMultiple()).toBe(true);
    const buffer = Buffer.from('canary-content');
    await picker.setFiles({ name: 'canary.txt', mimeType: 'text/plain', buffer });
    await expect.poll(focused).toBe('Keyboard of the page Book a train');
    expect(await page.evaluate('fake.browser.given')).toEqual([
      [],
      [['canary.txt', 'text/plain', 'canary-content']],
    ]);
    expect((await window.sent('browser.giveFiles'))[0]).toEqual({
      ...{ threadId: 't-browse', chooserId: 'chooser_1', files: [] },
    });
    const kept = await page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.documentElement.outerHTML])',
    );
    expect(kept).not.toMatch(/canary/);
    // Another window hands back.
    await changeBrowser(page, { chooser: { id: 'chooser_3', accept: '', isMultiple: true } });
    await page.getByText('The page asks for files').waitFor();
    await changeBrowser(page, { control: 'agent', chooser: null });
    await expect.poll(() => page.getByText('The page asks for files').count()).toBe(0);
  });

  it('comes forward with the first action, and is opened by who asks for it', async () => {
    const { page } = window;
    await window.goto('#/task/t-unverified');
    await button('Show the computer').click();
    await button('Open a browser').click();
    await page.getByText('No page is open. Take over to open one yourself.').waitFor();
    await button('Take over').click();
    // The page is empty: what comes next is an address.
    await expect.poll(focused).toBe('Address');

    await page.evaluate("location.hash = '#/task/t-wait'");
    await page.getByText('Clean up the photo archive').first().waitFor();
    await page.evaluate(`fake.emit('run-t-wait', [
      { type: 'browser_action', actionId: 'b1', action: 'navigate', url: 'https://a.example/', status: 'running' }])`);
    const tab = page.getByRole('tab', { name: 'Browser' });
    await expect.poll(() => tab.getAttribute('aria-selected')).toBe('true');
  });

  it('gives the focus back when another window hands the browser back', async () => {
    await takeOver();
    await changeBrowser(window.page, { control: 'agent' });
    await expect.poll(focused).toBe('Take over');
  });

  const looks = Object.entries(BROWSER_SCREENS).flatMap(([name, screen]) => [
    { name, screen, widths: [1440, 1024, 900] },
    { name, screen, widths: [700, 560, 420] },
  ]);
  it.each(looks)('has no layout faults at $widths px: $name', async ({ screen, widths }) => {
    const [first = 1440] = widths;
    await window.page.setViewportSize({ width: first, height: 760 });
    await window.goto('', screen.path);
    await screen.open(window.page, first < 900);
    expect(await faultsAt(widths)).toEqual({});
  });

  // The last one: its page starts in Chinese from now on.
  it('has no layout faults in Chinese, at any width', async () => {
    const { page } = window;
    await page.addInitScript(
      `globalThis.startLanguage = 'zh-Hans'; localStorage.setItem('hyperagent.language', 'zh-Hans')`,
    );
    await window.goto('#/task/t-browse');
    await page.getByText('智能体正在使用浏览器').waitFor();
    await page.getByRole('button', { name: '接管' }).click();
    await page.getByText('连按两次 Escape').waitFor();
    expect(await faultsAt([1440, 1024, 900])).toEqual({});
  });
});
