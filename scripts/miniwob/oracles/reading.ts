import { asked, refOf, type TaskPage, ViewLacks } from '../task-page.ts';
import type { ViewLine } from '../view.ts';
import { nthOf } from './forms.ts';
import { type Oracles, ordinal } from './oracle.ts';

/** Tasks that ask to read something, and to enter or find what follows from it. */
export const READING: Oracles = {
  'copy-paste': async (page) => {
    const fields = await page.fields();
    const full = fields.find(({ value }) => value !== null && value !== '');
    const empty = fields.find(({ value }) => value === null || value === '');
    if (full === undefined || empty === undefined) throw new ViewLacks('no text to copy');
    await copy(page, full, empty);
  },
  'copy-paste-2': async (page) => {
    const [nth = ''] = asked(page.query, /the (\d)\w+ text area/);
    const fields = await page.fields();
    const target = fields.find(({ value }) => value === null || value === '');
    if (target === undefined) throw new ViewLacks('no empty field');
    await copy(page, nthOf(fields, ordinal(nth)), target);
  },
  'find-word': async (page) => {
    const [nth = ''] = asked(page.query, /the (\d+)\w+ word/);
    const [text = ''] = (await page.body())
      .filter(({ ref }) => ref === null)
      .map(({ name }) => name);
    const word = text.split(/\s+/)[ordinal(nth) - 1]?.replace(/[.,]/g, '') ?? '';
    await page.type(nthOf(await page.fields(), 1), word);
    await page.submit();
  },
  'scroll-text': async (page) => {
    const [area, field] = await page.fields();
    if (area?.ref == null || field === undefined) throw new ViewLacks('no text area and field');
    const text = await wholeValue(page, area.ref);
    const word =
      text
        .trim()
        .split(/\s+/)
        .at(-1)
        ?.replace(/[.,]+$/, '') ?? '';
    await page.type(field, word);
    await page.submit();
  },
  'scroll-text-2': async (page) => {
    const [side = ''] = asked(page.query, /to the (top|bottom)/);
    const ref = nthOf(await page.fields(), 1).ref ?? '';
    await page.act({ kind: 'scroll', ref, screens: side === 'top' ? -50 : 50 });
    await page.submit();
  },
  'read-table': async (page) => {
    const [label = ''] = asked(page.query, /value of (.+) into the text field/);
    await page.type(nthOf(await page.fields(), 1), await tableValue(page, label));
    await page.submit();
  },
  'read-table-2': async (page) => {
    const labels = (await page.texts()).flatMap((text) => /^(.+):$/.exec(text)?.[1] ?? []);
    const fields = await page.fields();
    // A field without a name is called by its place in the page.
    const names = fields.map(({ name }, at) =>
      /^([#.]|$)/.test(name) ? (labels[at] ?? '') : name.replace(/:$/, ''),
    );
    for (const [at, field] of fields.entries()) {
      await page.type(field, await tableValue(page, names[at] ?? ''));
    }
    await page.submit();
  },
  'simple-arithmetic': async (page) => {
    const sum = /(-?\d+)\s*([+\-x*/])\s*(-?\d+)\s*=/.exec((await page.texts()).join(' '));
    if (sum === null) throw new ViewLacks('no problem to solve');
    const [, a = '', sign = '', b = ''] = sum;
    await answer(page, calculate(Number(a), sign, Number(b)));
  },
  'simple-algebra': async (page) => {
    const text = (await page.texts()).join(' ');
    const left = /(-?\d+|x)\s*([+-])\s*(-?\d+|x)\s*=\s*(-?\d+)/.exec(text);
    if (left === null) throw new ViewLacks('no equation');
    const [, a = '', sign = '', b = '', result = ''] = left;
    const total = Number(result);
    const known = Number(a === 'x' ? b : a);
    if (sign === '+') return await answer(page, total - known);
    await answer(page, a === 'x' ? total + known : known - total);
  },
  'text-transform': async (page) => {
    const lines = (await page.body()).filter(({ ref }) => ref === null);
    const text = lines
      .map(({ name }) => name)
      .join('')
      .replace(/\s/g, '');
    await page.type(nthOf(await page.fields(), 1), text);
    await page.submit();
  },
  'generate-number': async (page) => {
    const fits = condition(page.query);
    for (let tries = 0; tries < 100; tries += 1) {
      await page.button('Generate');
      const number = (await page.texts()).find((text) => /^-?\d+$/.test(text.trim()));
      if (number !== undefined && fits(Number(number))) return await page.submit();
    }
    throw new ViewLacks('no number that fits');
  },
  'guess-number': async (page) => {
    let [low, high] = [0, 9];
    while (low <= high) {
      const guess = Math.floor((low + high) / 2);
      await page.type(nthOf(await page.fields(), 1), String(guess));
      await page.submit();
      const text = (await page.texts()).join(' ');
      if (/higher|larger|greater|too low/i.test(text)) low = guess + 1;
      else if (/lower|smaller|less|too high/i.test(text)) high = guess - 1;
      else return;
    }
  },
  'odd-or-even': async (page) => {
    const lines = await page.body();
    const numbers = lines.flatMap(({ name }) => (/^-?\d+$/.test(name) ? [Number(name)] : []));
    const odd = lines.filter(({ role, name }) => role === 'button' && name === 'Odd');
    const even = lines.filter(({ role, name }) => role === 'button' && name === 'Even');
    for (const [at, number] of numbers.entries()) {
      await page.click(nthOf(number % 2 === 0 ? even : odd, at + 1));
    }
    await page.submit();
  },
  'search-engine': async (page) => {
    const [text = '', nth = ''] = asked(
      page.query,
      /enter "(.+?)" and press.*the (\d)\w+ search result/,
    );
    await page.type(nthOf(await page.fields(), 1), text);
    await page.button('Search');
    const at = ordinal(nth) - 1;
    const perPage = (await results(page)).length;
    if (perPage === 0) throw new ViewLacks('no search results');
    const turns = Math.floor(at / perPage);
    if (turns > 0) await page.clickNamed(String(turns + 1));
    await page.click(nthOf(await results(page), (at % perPage) + 1));
  },
  'phone-book': async (page) => {
    const [name = '', what = ''] = asked(page.query, /Find (\w+) in.*their (\w+)/);
    for (let pages = 0; pages < 5; pages += 1) {
      const texts = await page.texts();
      if (texts.includes(name)) return await page.clickNamed(await detail(page, what));
      await page.clickNamed('>');
    }
    throw new ViewLacks(`no contact ${name}`);
  },
};

/** By the clipboard, as a view may leave out spaces that count. */
async function copy(page: TaskPage, from: ViewLine, to: ViewLine): Promise<void> {
  for (const key of ['Control+A', 'Control+C']) await page.press(key, from);
  await page.press('Control+V', to);
  const pasted = (await page.fields()).find(({ ref }) => ref === to.ref);
  if ((pasted?.value ?? '') === '') await page.type(to, await wholeValue(page, refOf(from)));
  await page.submit();
}

/** The whole of a long text, which a view may cut. */
async function wholeValue(page: TaskPage, ref: string): Promise<string> {
  const line = (await page.lines()).find((one) => one.ref === ref);
  const value = line?.value ?? '';
  if (!value.endsWith('…')) return value;
  const { text } = await page.act({ kind: 'snapshot', ref });
  const whole = /= "((?:[^"\\]|\\.)*)"/.exec(text)?.[1] ?? text.split('\n').slice(1).join('\n');
  return whole.replace(/\\(.)/g, '$1');
}

/** The cell beside the one with this label. Views may put a row into one line. */
async function tableValue(page: TaskPage, label: string): Promise<string> {
  const cells = (await page.texts()).flatMap((text) => text.split(/\s*\|\s*/)).filter(Boolean);
  const at = cells.indexOf(label);
  if (at !== -1) return cells[at + 1] ?? '';
  const row = cells.find((cell) => cell.startsWith(`${label} `) || cell.startsWith(`${label}:`));
  if (row === undefined) throw new ViewLacks(`no row "${label}"`);
  return row.slice(label.length).replace(/^[:\s]+/, '');
}

function calculate(a: number, sign: string, b: number): number {
  if (sign === '+') return a + b;
  if (sign === '-') return a - b;
  return sign === '/' ? a / b : a * b;
}

async function answer(page: TaskPage, number: number): Promise<void> {
  await page.type(nthOf(await page.fields(), 1), String(number));
  await page.submit();
}

function condition(query: string): (number: number) => boolean {
  if (/\bodd\b/.test(query)) return (number) => number % 2 !== 0;
  if (/\beven\b/.test(query)) return (number) => number % 2 === 0;
  const [than = '', bound = ''] = asked(query, /(greater|less) than (-?\d+)/);
  return (number) => (than === 'greater' ? number > Number(bound) : number < Number(bound));
}

const PAGER = /^([<>]|\d+|First|Last|Prev(ious)?|Next)$/;

async function results(page: TaskPage) {
  return (await page.all('link')).filter(({ name }) => !PAGER.test(name));
}

/** The text beside a label of a contact. */
async function detail(page: TaskPage, what: string): Promise<string> {
  const label = new RegExp(`^${what}:?\\s*`, 'i');
  const texts = await page.texts();
  const at = texts.findIndex((text) => label.test(text));
  if (at === -1) throw new ViewLacks(`no ${what} of the contact`);
  const same = (texts[at] ?? '').replace(label, '');
  return same === '' ? (texts[at + 1] ?? '') : same;
}
