import { readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HandBack } from '#main/browser/types.ts';
import { logAttack } from '../../fakes/browser/attack-log.ts';
import { type Attempt, attempt, refsIn } from '../../fakes/browser/attempt.ts';
import { type OpenBrowsers, openBrowsers } from '../../fakes/browser/open-browsers.ts';
import { readPng } from '../../fakes/browser/read-png.ts';
import {
  FILLED_PAGE,
  fieldPage,
  HIDDEN_USES,
  middleOf,
  PREFILLED,
  SECRET_FIELDS,
  STATED_USES,
} from '../../fakes/browser/secret-fields.ts';
import { page, type Site, startSite } from '../../fakes/browser/site.ts';
import { UserAtBrowser } from '../../fakes/browser/user-at-browser.ts';
import { chromiumNote, chromiumPath } from '../../setup/chromium.ts';
import { sample } from '../../setup/sampling.ts';
import { findSecrets } from '../../setup/secret-hunt.ts';

/** Enough where it is about what the page does with them. */
const FEW = SECRET_FIELDS.filter(({ name }) =>
  ['password', 'plain text', 'text area', 'text in a shadow root'].includes(name),
);
/** Of 12 letters or digits, no two alike; the first five are alike, so that they can be searched for. */
function canaries(seed: number, fields = SECRET_FIELDS): string[] {
  return fields.map(({ isNumber }, at) =>
    isNumber === true
      ? `77130${1_000_000 + seed * 1000 + at}`
      : `zqxjk${'bcdfghlm'[seed]}${'bcdfghlmnprstvwxyz'[at]}wvtrs`,
  );
}

/** Their ends too: what was typed first must not be hidden alone. */
function withTails(secrets: readonly string[]): string[] {
  return [...secrets, ...secrets.map((secret) => secret.slice(5))];
}

describe.skipIf(chromiumPath === null)(
  `what a user types while they have control${chromiumNote}`,
  () => {
    let site: Site;
    let opened: OpenBrowsers;
    const begin = Date.now();
    beforeAll(async () => {
      site = await startSite(new Map([['/filled', FILLED_PAGE]]));
      opened = await openBrowsers({ viewTokens: 4_000 });
    });
    afterAll(async () => {
      await opened[Symbol.asyncDispose]();
      await site[Symbol.asyncDispose]();
    });

    /** Opens the fields, types a secret into each as the user, and hands back. */
    async function typeAll(
      threadId: string,
      secrets: readonly string[],
      code: string,
      fields = SECRET_FIELDS,
      how?: HandBack,
    ) {
      site.pages.set('/fields', fieldPage(fields, code));
      site.sent.length = 0;
      const browser = opened.browsers.forTask(threadId);
      const act = (action: Parameters<typeof browser.act>[0]) =>
        attempt(browser, action, opened.run());
      const first = await act({ kind: 'navigate', url: site.url('/fields') });
      expect(first.ok, first.text).toBe(true);
      await opened.browsers.take(threadId);
      const user = new UserAtBrowser(opened.browsers, threadId);
      for (const [at, secret] of secrets.entries()) {
        const { x, y } = middleOf(at);
        await user.click(x, y);
        if (at % 2 === 0) await user.press(secret);
        else await user.paste(secret);
        await expect
          .poll(() => site.sent.includes(secret), {
            timeout: 5_000,
            message: `${fields[at]?.name} was typed`,
          })
          .toBe(true);
      }
      await user.click(700, 600);
      await opened.browsers.handBack(threadId, how);
      return { browser, act };
    }

    /** Everything that could show a secret after the user handed back. */
    async function lookAround(
      threadId: string,
      act: (
        action: Parameters<ReturnType<typeof opened.browsers.forTask>['act']>[0],
      ) => Promise<Attempt>,
    ) {
      const browser = opened.browsers.forTask(threadId);
      const came: Attempt[] = [];
      const look = async (action: Parameters<typeof browser.act>[0]) => {
        const one = await act(action);
        came.push(one);
        return one;
      };
      await look({ kind: 'snapshot' });
      await look({ kind: 'find', text: 'zqxjk' });
      await look({ kind: 'find', text: '77130' });
      await look({ kind: 'find', role: 'textbox' });
      const button = came
        .flatMap(({ text }) => refsIn(text))
        .find((ref) => browser.shown(ref)?.name === 'Next step');
      if (button !== undefined) await look({ kind: 'click', at: { ref: button } });
      const view = await look({ kind: 'snapshot' });
      await look({ kind: 'find', text: 'zqxjk' });
      await look({ kind: 'find', role: 'textbox' });
      for (const ref of refsIn(view.text).slice(0, 6)) await look({ kind: 'snapshot', ref });
      await look({ kind: 'tabs' });
      await look({ kind: 'press_key', key: 'Tab' });
      await look({ kind: 'scroll', screens: 1 });
      return came;
    }

    const sourcesOf = (threadId: string, came: readonly Attempt[]): Map<string, Buffer> => {
      const browser = opened.browsers.forTask(threadId);
      const refs = [...new Set(came.flatMap(({ text }) => refsIn(text)))];
      return new Map<string, Buffer>([
        ...came.map(({ text, url }, at): [string, Buffer] => [
          `outcome ${at}`,
          Buffer.from(`${text}\n${url}`),
        ]),
        ['shown', Buffer.from(JSON.stringify(refs.map((ref) => browser.shown(ref))))],
        ['events', Buffer.from(JSON.stringify(opened.events))],
        [
          'states',
          Buffer.from(JSON.stringify([...opened.states, opened.browsers.state(threadId)])),
        ],
        ['connections', Buffer.from(JSON.stringify(opened.connections))],
      ]);
    };
    const nameOf = (secrets: readonly string[], secret: string): string =>
      SECRET_FIELDS[secrets.indexOf(secret)]?.name ?? secret;

    it('nothing of it is in views, finds, shown elements, events and states', async () => {
      const secrets = canaries(0);
      const { act } = await typeAll('thr_1', secrets, '');
      const came = await lookAround('thr_1', act);
      const found = findSecrets(sourcesOf('thr_1', came), withTails(secrets));
      expect(
        found.map(
          ({ where, secret, around }) =>
            `${where}: ${nameOf(secrets, secret)} (${around.slice(0, 160)})`,
        ),
      ).toEqual([]);
      // The fields themselves are there.
      expect(came.map(({ text }) => text).join('\n')).toContain('Nickname');
      const matches = came
        .filter((_, at) => at === 1 || at === 2)
        .flatMap(({ text }) => refsIn(text));
      expect(matches, 'a search cannot guess it').toEqual([]);
    });

    it.each(HIDDEN_USES)('a page that $name does not reveal it', async ({ code }) => {
      const secrets = canaries(1, FEW);
      const { act } = await typeAll('thr_2', secrets, code, FEW);
      const came = await lookAround('thr_2', act);
      const found = findSecrets(sourcesOf('thr_2', came), withTails(secrets));
      expect([
        ...new Set(
          found.map(
            ({ where, secret }) => `${where.replace(/ \d+/, '')}: ${nameOf(secrets, secret)}`,
          ),
        ),
      ]).toEqual([]);
      await opened.browsers.close('thr_2');
    });

    it('what a site says of it in its own words is counted, not promised', async () => {
      const secrets = canaries(2, FEW);
      const shown: string[] = [];
      for (const { name, code } of STATED_USES) {
        const { act } = await typeAll('thr_3', secrets, code, FEW);
        const came = await lookAround('thr_3', act);
        const found = findSecrets(sourcesOf('thr_3', came), secrets);
        const places = [...new Set(found.map(({ where }) => where.replace(/ \d+/, '')))];
        shown.push(
          `${name}: ${new Set(found.map(({ secret }) => secret)).size} of ${secrets.length} in ${places.join(', ')}`,
        );
        await opened.browsers.close('thr_3');
      }
      for (const line of shown) logAttack(line);
      expect(shown).toHaveLength(STATED_USES.length);
    });

    const pictured = [{ name: 'as they are', code: '' }, ...HIDDEN_USES.slice(0, 4)];
    it.each(sample(pictured, { name: 'uses of typed values in pictures', size: 2 }))(
      'screenshots do not depend on it ($name)',
      async ({ code }) => {
        const pictures: Uint8Array[] = [];
        for (const seed of [3, 4]) {
          const { act, browser } = await typeAll('thr_4', canaries(seed), code);
          const view = await act({ kind: 'snapshot' });
          const ref = refsIn(view.text).find((one) => browser.shown(one)?.name === 'Next step');
          if (code !== '' && ref !== undefined) await act({ kind: 'click', at: { ref } });
          const picture = await act({ kind: 'screenshot' });
          const whole = await act({ kind: 'screenshot', wholePage: true });
          expect([picture.ok, whole.ok], picture.text).toEqual([true, true]);
          pictures.push(
            picture.screenshot ?? new Uint8Array(),
            whole.screenshot ?? new Uint8Array(),
          );
          await opened.browsers.close('thr_4');
        }
        const [one, oneWhole, other, otherWhole] = pictures.map(readPng);
        for (const [a, b] of [
          [one, other],
          [oneWhole, otherWhole],
        ]) {
          expect([a?.width, a?.height]).toEqual([b?.width, b?.height]);
          const differs: number[] = [];
          for (let at = 0; at < (a?.rgb.length ?? 0); at += 3) {
            if (a?.rgb[at] !== b?.rgb[at] || a?.rgb[at + 1] !== b?.rgb[at + 1])
              differs.push(Math.floor(at / 3 / (a?.width ?? 1)));
          }
          const rows = [
            ...new Set(
              differs.map((y) => SECRET_FIELDS[Math.floor((y - 20) / 40)]?.name ?? `row ${y}`),
            ),
          ];
          expect(rows).toEqual([]);
        }
      },
    );

    it('is shown where the user allows it, but for fields that look secret and parts of them', async () => {
      const [plain, secret, area] = ['plainlysaid', 'hidden7word', 'letterstoall'];
      const names = ['plain text', 'password', 'text area'];
      const fields = names.flatMap((name) => SECRET_FIELDS.find((one) => one.name === name) ?? []);
      // The text of the text area is a part of the password.
      const typed = [plain, `${area}${secret}`, area];
      const { act } = await typeAll('thr_7', typed, '', fields, { showTyped: true });
      const { text } = await act({ kind: 'snapshot' });
      expect(
        typed.map((value) => text.includes(value)),
        text,
      ).toEqual([true, false, false]);
      // What is typed after the next take over is private again.
      await opened.browsers.take('thr_7');
      const user = new UserAtBrowser(opened.browsers, 'thr_7');
      const { x, y } = middleOf(0);
      await user.click(x, y);
      await user.paste('typedlater');
      await opened.browsers.handBack('thr_7');
      const later = await act({ kind: 'snapshot' });
      expect([later.text.includes('typedlater'), later.text.includes('••••')], later.text).toEqual([
        false,
        true,
      ]);
    });

    it('screenshots cover a frame of another origin whole: its own process may draw late', async () => {
      const fields = SECRET_FIELDS.filter(({ name }) => /^text in a frame/.test(name));
      const { act } = await typeAll('thr_6', canaries(3, fields), '', fields);
      const came = await act({ kind: 'screenshot' });
      expect(came.ok, came.text).toBe(true);
      const { width, rgb } = readPng(came.screenshot ?? new Uint8Array());
      // Frames are 320 pixels wide, and the fields in them 300.
      const rightOf = (at: number) =>
        rgb.subarray((middleOf(at).y * width + 335) * 3).subarray(0, 3);
      expect(fields.map((_field, at) => [...rightOf(at)])).toEqual([
        [255, 255, 255],
        [0x44, 0x44, 0x44],
      ]);
      await opened.browsers.close('thr_6');
    });

    it('sensitive fields that a site fills by itself are masked too', async () => {
      const secret = 'zqprefilledwv';
      site.pages.set(
        '/prefilled',
        page(PREFILLED.map((html) => `<p>${html.replace('%', secret)}</p>`).join('')),
      );
      const browser = opened.browsers.forTask('thr_5');
      const act = (action: Parameters<typeof browser.act>[0]) =>
        attempt(browser, action, opened.run());
      const wrong: string[] = [];
      for (const html of PREFILLED) {
        site.pages.set(
          '/prefilled',
          page(`<h1>Page</h1>${html.replace('%', secret)}<button>Next step</button>`),
        );
        const came = [
          await act({ kind: 'navigate', url: site.url('/prefilled') }),
          await act({ kind: 'find', text: 'zqpre' }),
        ];
        const refs = came.flatMap(({ text }) => refsIn(text));
        const shown = JSON.stringify(refs.map((ref) => browser.shown(ref)));
        if (`${came[0]?.text}${came[1]?.text}${shown}`.includes(secret)) wrong.push(html);
        if (came[0]?.ok !== true) wrong.push(`not opened: ${html}`);
      }
      // A password field that a script turns to text before anybody has looked at the page is a text field.
      const turnedBefore = PREFILLED.filter((html) => html.includes('currentScript'));
      expect(wrong).toEqual(turnedBefore);
    });

    it('no file that the app or its browser wrote holds it', async () => {
      const all = [0, 1, 2, 3, 4]
        .flatMap((seed) => canaries(seed))
        .filter((secret) => secret.startsWith('zq'));
      const files = new Map<string, Buffer>();
      const collect = (folder: string, depth: number): void => {
        for (const entry of readdirSync(folder, { withFileTypes: true })) {
          const path = join(folder, entry.name);
          try {
            if (entry.isDirectory() && depth < 8) collect(path, depth + 1);
            else if (entry.isFile() && statSync(path).mtimeMs >= begin)
              files.set(path, readFileSync(path));
          } catch {
            // It was removed meanwhile.
          }
        }
      };
      for (const name of readdirSync(tmpdir())) {
        if (
          /hyperagent|playwright|chromium|\.org\.chromium/i.test(name) &&
          statSync(join(tmpdir(), name), { throwIfNoEntry: false })?.isDirectory() === true
        )
          collect(join(tmpdir(), name), 0);
      }
      expect(findSecrets(files, all).map(({ where, form }) => `${where} (${form})`)).toEqual([]);
    });
  },
);
