import { asked, refOf, type TaskPage, ViewLacks } from '../task-page.ts';
import type { ViewLine } from '../view.ts';
import { bookBest } from './dates.ts';
import { nthOf } from './forms.ts';
import { type Oracles, ordinal } from './oracle.ts';

/** Tasks that drag, order, edit, or use a terminal. */
export const DOING: Oracles = {
  'drag-box': async (page) => {
    await drag(page, await page.theNamed('s'), await page.theNamed('L'));
    await page.submit();
  },
  'drag-items': async (page) => {
    const [name = '', where = ''] = asked(page.query, /Drag (\S+) (.+)\./);
    const names = await itemNames(page, 5);
    const at = names.indexOf(name);
    const to = LIST_PLACES[where]?.(at, names.length) ?? ordinal(/\d/.exec(where)?.[0] ?? '') - 1;
    await drag(page, await page.theNamed(name), await page.theNamed(names[to] ?? ''));
  },
  'drag-items-grid': async (page) => {
    const [name = '', where = ''] = asked(page.query, /Drag (\S+) (.+)\./);
    const names = await itemNames(page, 9);
    const at = names.indexOf(name);
    const place = GRID_PLACES.indexOf(where.replace(/^to the /, ''));
    const to = place === -1 ? at + (GRID_STEPS[where] ?? 0) : place;
    await drag(page, await page.theNamed(name), await page.theNamed(names[to] ?? ''));
  },
  'drag-sort-numbers': async (page) => {
    for (let moves = 0; moves < 20; moves += 1) {
      const numbers = (await page.texts()).filter((text) => /^-?\d+$/.test(text));
      const sorted = numbers.toSorted((a, b) => Number(a) - Number(b));
      const at = sorted.findIndex((number, index) => number !== numbers[index]);
      if (at === -1) return await page.submit();
      await drag(
        page,
        await page.theNamed(sorted[at] ?? ''),
        await page.theNamed(numbers[at] ?? ''),
      );
    }
    throw new ViewLacks('the numbers are not in order after 20 moves');
  },
  'buy-ticket': async (page) => {
    const [which = ''] = asked(page.query, /with the (.+)\./);
    await bookBest(page, which);
  },
  'order-food': async (page) => {
    const [names] = /: (.+)$/.exec(page.query)?.slice(1) ?? [];
    if (names !== undefined) {
      for (const name of names.split(', ')) await addOne(page, (line) => line === name);
    } else {
      const [count = '', kind = ''] = asked(page.query, /Order (\d+) items that are (.+)/);
      const name = await dishOfKind(page, kind);
      for (let ordered = 0; ordered < Number(count); ordered += 1) {
        await addOne(page, (line) => line === name);
      }
    }
    await page.button('Order!');
  },
  'stock-market': async (page) => {
    const [limit = ''] = asked(page.query, /less than \$([\d.]+)\./);
    for (let looks = 0; looks < 200; looks += 1) {
      const price = /\$([\d.]+)/.exec((await page.texts()).join(' '))?.[1];
      // The price moves on before the click: only a clear distance is safe.
      if (price !== undefined && Number(price) < Number(limit) - 1) return await page.button('Buy');
      await page.attempt({ kind: 'snapshot' });
    }
    throw new ViewLacks('the price is never low enough');
  },
  terminal: async (page) => {
    const extension = /extension \.(\S+)$/.exec(page.query)?.[1] ?? null;
    const field = nthOf(await page.fields(), 1);
    await typeKeys(page, 'ls', field);
    const output = (await page.texts()).join('\n');
    const listed = output.slice(output.lastIndexOf('ls') + 2);
    const fits = (name: string): boolean =>
      extension === null
        ? /^[a-z]\w*$/.test(name) && name !== 'user'
        : name.endsWith(`.${extension}`);
    const file = listed.split(/[\s$█]+/).find(fits);
    if (file === undefined) throw new ViewLacks('no list of files');
    await typeKeys(page, `rm ${file}`, field);
  },
  'text-editor': async (page) => {
    const [what = '', style = ''] = asked(
      page.query,
      /(?:give the text|give|make) (.+?) the (?:style|color) (\w+)/,
    );
    const [editor] = await page.fields();
    if (editor?.value == null) throw new ViewLacks('no text of the editor');
    await page.press('Control+Home', editor);
    if (what === 'everything') await page.press('Control+A');
    else {
      for (let at = editor.value.indexOf(what); at > 0; at -= 1) await page.press('ArrowRight');
      for (let at = 0; at < what.length; at += 1) await page.press('Shift+ArrowRight');
    }
    const button = STYLE_BUTTONS[style];
    if (button === undefined) await pickColor(page, style);
    else await page.clickNamed(button);
    await page.submit();
  },
  'resize-textarea': async (page) => {
    const [, direction = ''] = asked(page.query, /the (\w+) is (\w+) than/);
    const handle = (await page.body()).find(
      ({ ref, name }) => ref !== null && /resiz\S*-se\b/.test(name),
    );
    const area = nthOf(await page.fields(), 1);
    if (handle === undefined) throw new ViewLacks('no handle of the corner');
    const to = direction === 'larger' ? { x: 400, y: 400 } : { ref: refOf(area) };
    await page.act({ kind: 'drag', from: { ref: refOf(handle) }, to });
    await page.submit();
  },
  'number-checkboxes': async (page) => {
    const [digit = ''] = asked(page.query, /the number "(\d)"/);
    const boxes = await page.all('checkbox');
    const isSet = [...(DIGITS[Number(digit)] ?? '')].filter((dot) => dot !== ' ');
    for (const [at, dot] of isSet.entries()) {
      if (dot === '#') await page.click(nthOf(boxes, at + 1));
    }
    await page.submit();
  },
};

type Place = (at: number, count: number) => number;

const LIST_PLACES: Readonly<Record<string, Place>> = {
  'to the top': () => 0,
  'to the bottom': (_, count) => count - 1,
  'down by one position': (at) => at + 1,
  'up by one position': (at) => at - 1,
};

const GRID_PLACES = [
  ...['top left', 'top center', 'top right', 'center left', 'center', 'center right'],
  ...['bottom left', 'bottom center', 'bottom right'],
];

const GRID_STEPS: Readonly<Record<string, number>> = {
  ...{ 'up by one': -3, 'down by one': 3, 'left by one': -1, 'right by one': 1 },
};

const STYLE_BUTTONS: Readonly<Record<string, RegExp>> = {
  ...{ bold: /bold/i, italics: /italic/i, underlined: /underline/i },
};

async function pickColor(page: TaskPage, color: string): Promise<void> {
  await page.clickNamed(/color|picker-label/i);
  const hex = COLORS[color] ?? '';
  const item = (await page.body()).find(
    ({ ref, name }) => ref !== null && (name === color || name.toUpperCase().includes(hex)),
  );
  if (item === undefined || hex === '')
    throw new ViewLacks(`nothing to click for the color ${color}`);
  await page.click(item);
}

/** As the palettes of editors have them. */
const COLORS: Readonly<Record<string, string>> = {
  ...{ red: 'E60000', orange: 'FF9900', yellow: 'FFFF00', green: '008A00', blue: '0066CC' },
  ...{ purple: '9933FF' },
};

/** The usual digits in four columns and seven rows. */
const DIGITS = [
  '.##. #..# #..# #..# #..# #..# .##.',
  '..#. .##. ..#. ..#. ..#. ..#. ..#.',
  '.##. #..# #..# ..#. .#.. #... ####',
  '.##. #..# ...# .##. ...# #..# .##.',
  '#... #.#. #.#. #### ..#. ..#. ..#.',
  '#### #... #... ###. ...# #..# .##.',
  '.##. #..# #... ###. #..# #..# .##.',
  '#### #..# ...# ..#. ..#. .#.. .#..',
  '.##. #..# #..# .##. #..# #..# .##.',
  '.##. #..# #..# .### ...# #..# .##.',
];

async function itemNames(page: TaskPage, count: number): Promise<string[]> {
  const names = (await page.texts()).filter((text) => /^[A-Z][\w'-]+$/.test(text));
  if (names.length < count) throw new ViewLacks(`${names.length} of ${count} items`);
  return names.slice(0, count);
}

async function drag(page: TaskPage, from: ViewLine, to: ViewLine): Promise<void> {
  await page.act({ kind: 'drag', from: { ref: refOf(from) }, to: { ref: refOf(to) } });
}

const PLUS = /^\+$/;

async function addOne(page: TaskPage, isWanted: (name: string) => boolean): Promise<void> {
  const lines = await page.body();
  const at = lines.findIndex(({ name }) => isWanted(name));
  if (at === -1) throw new ViewLacks('no such dish');
  const plus = lines.slice(at).find(({ ref, name }) => ref !== null && PLUS.test(name));
  if (plus !== undefined) return await page.click(plus);
  const dishes = lines.flatMap(({ name }, index) => (/^[-–] .*\+$/.test(name) ? [index] : []));
  const nth = dishes.findIndex((index) => index > at);
  await page.click(nthOf(await page.named('+'), nth + 1));
}

/** Icons of a dish follow its name. */
async function dishOfKind(page: TaskPage, kind: string): Promise<string> {
  const lines = await page.body();
  const icon = lines.findIndex(({ name }) => name === kind || name.includes(`picture: ${kind})`));
  const dish = lines.slice(0, icon).findLast(({ name }) => /^[A-Z].{4,}/.test(name));
  if (icon === -1 || dish === undefined) throw new ViewLacks(`no dish that is ${kind}`);
  return dish.name;
}

/** A terminal takes keys, not values. */
async function typeKeys(page: TaskPage, text: string, field: ViewLine): Promise<void> {
  for (const char of text) await page.press(char === ' ' ? 'Space' : char, field);
  await page.press('Enter', field);
}
