import { asked, type TaskPage, ViewLacks } from '../task-page.ts';
import type { ViewLine } from '../view.ts';
import { type Oracles, ordinal } from './oracle.ts';
import { setSlider } from './sliders.ts';
import { areSimilar } from './synonyms.ts';

/** Tasks that are done by filling a form. */
export const FORMS: Oracles = {
  'enter-text': enterQuoted,
  'enter-text-dynamic': enterQuoted,
  'enter-text-2': async (page) => {
    const [text = '', letters = ''] = asked(page.query, /"(.+)" in all (\w+) case/);
    await enter(page, letters === 'upper' ? text.toUpperCase() : text.toLowerCase());
  },
  'enter-password': async (page) => {
    const [password = ''] = asked(page.query, /"(.+)"/);
    for (const field of await page.fields()) await page.type(field, password);
    await page.submit();
  },
  'login-user': (page) => logIn(page, 'Login'),
  'login-user-popup': (page) => logIn(page, 'OK'),
  'enter-time': async (page) => {
    const [hour = '', minute = '', half = ''] = asked(page.query, /(\d+):(\d+) ([AP])M/);
    const hours = (Number(hour) % 12) + (half === 'P' ? 12 : 0);
    const time = `${String(hours).padStart(2, '0')}:${minute}`;
    await page.type(await anyField(page), time);
    await page.submit();
  },
  'enter-date': async (page) => {
    const [month = '', day = '', year = ''] = asked(page.query, /(\d+)\/(\d+)\/(\d+)/);
    await page.type(await anyField(page), `${year}-${month}-${day}`);
    await page.submit();
  },
  'choose-list': async (page) => {
    const [name = ''] = asked(page.query, /Select (.+) from the list/);
    await select(page, [name]);
    await page.submit();
  },
  'click-scroll-list': async (page) => {
    const [names = ''] = asked(page.query, /Select (.+) from the scroll list/);
    await select(page, names.split(', '));
    await page.submit();
  },
  'click-option': async (page) => {
    const [name = ''] = asked(page.query, /Select (.+) and click Submit/);
    await page.click(await page.one('radio', name));
    await page.submit();
  },
  'click-checkboxes': check,
  'click-checkboxes-large': check,
  'click-checkboxes-transfer': check,
  'click-checkboxes-soft': async (page) => {
    const [words = ''] = asked(page.query, /similar to (.+) and click Submit/);
    for (const box of await page.all('checkbox')) {
      if (words.split(', ').some((word) => areSimilar(word, box.name))) await page.click(box);
    }
    await page.submit();
  },
  'form-sequence': async (page) => {
    const [value = '', nth = ''] = asked(
      page.query,
      /Select (-?\d+) with the slider.* (\d)\w+ checkbox/,
    );
    await setSlider(page, 0, Number(value));
    await page.click(nthOf(await page.all('checkbox'), ordinal(nth)));
    await page.submit();
  },
  'form-sequence-2': async (page) => {
    const [radio = '', text = '', field = ''] = asked(
      page.query,
      /the (\d)\w+ radio button and enter the number "(.+)" into the (\d)\w+ textbox/,
    );
    await page.click(nthOf(await page.all('radio'), ordinal(radio)));
    await page.type(nthOf(await page.fields(), ordinal(field)), text);
    await page.submit();
  },
  'form-sequence-3': async (page) => {
    const [option = '', button = ''] = asked(page.query, /Choose (.+) from the dropdown.*"(.+)"/);
    await select(page, [option]);
    await page.button(button);
  },
  'multi-layouts': searchMovies,
  'multi-orderings': searchMovies,
  'use-spinner': async (page) => {
    const [value = ''] = asked(page.query, /Select (-?\d+) with/);
    await page.type(await page.one('spinbutton'), value);
    await page.submit();
  },
  'use-slider': async (page) => {
    const [value = ''] = asked(page.query, /Select (-?\d+) with/);
    await setSlider(page, 0, Number(value));
    await page.submit();
  },
  'use-slider-2': async (page) => {
    const [values = ''] = asked(page.query, /\[(.+)\]/);
    for (const [at, value] of values.split(',').entries()) await setSlider(page, at, Number(value));
    await page.submit();
  },
  'use-colorwheel': async (page) => {
    const [color = ''] = asked(page.query, /Select (\w+) with/);
    const hex = COLORS[color];
    if (hex === undefined) throw new ViewLacks(`the oracle does not know the color ${color}`);
    await pickColor(page, hex);
  },
  'use-colorwheel-2': async (page) => {
    const [hex = ''] = asked(page.query, /\(icon \.cc #([0-9a-f]{6})\)/);
    await pickColor(page, hex);
  },
  'visual-addition': async (page) => {
    const shown = (await page.texts()).join(' ');
    const blocks = [...shown.matchAll(/\((?:(\d+) icons|icon) \.addition-block/g)];
    if (blocks.length === 0) throw new ViewLacks('no blocks');
    const sum = blocks.reduce((total, [, count = '1']) => total + Number(count), 0);
    await page.type(await anyField(page), String(sum));
    await page.submit();
  },
  'sign-agreement': async (page) => {
    const buttons = /the cancel button/.test(page.query) ? 'Cancel' : null;
    if (buttons !== null) return await page.button('Cancel');
    const [name = '', button = ''] = asked(page.query, /the name "(.+)" then press "(.+)"/);
    const [agreement] = await page.fields();
    if (agreement?.ref == null) throw new ViewLacks('no text of the agreement');
    await page.act({ kind: 'scroll', ref: agreement.ref, screens: 50 });
    await page.type(await page.field('Name'), name);
    await page.button(button);
  },
  'use-autocomplete': autocomplete,
  'use-autocomplete-nodelay': autocomplete,
};

async function pickColor(page: TaskPage, hex: string): Promise<void> {
  const field = await anyField(page);
  await page.type(field, hex);
  // The picker covers what is below it until the field loses the focus.
  await page.press('Tab', field);
  await page.submit();
}

/** Colors by the names of CSS. */
const COLORS: Readonly<Record<string, string>> = {
  ...{ red: 'FF0000', green: '008000', blue: '0000FF', yellow: 'FFFF00', cyan: '00FFFF' },
  ...{ magenta: 'FF00FF', white: 'FFFFFF', black: '000000', gray: '808080', grey: '808080' },
  ...{ orange: 'FFA500', purple: '800080', pink: 'FFC0CB', brown: 'A52A2A', teal: '008080' },
  ...{ navy: '000080', olive: '808000', lime: '00FF00', maroon: '800000', aqua: '00FFFF' },
  ...{ fuchsia: 'FF00FF', silver: 'C0C0C0', violet: 'EE82EE', indigo: '4B0082', gold: 'FFD700' },
};

export function nthOf(lines: readonly ViewLine[], nth: number): ViewLine {
  const line = lines[nth - 1];
  if (line === undefined) throw new ViewLacks(`only ${lines.length} where ${nth} are needed`);
  return line;
}

async function anyField(page: TaskPage): Promise<ViewLine> {
  const [field] = await page.fields();
  if (field !== undefined) return field;
  const [other] = (await page.body()).filter(({ ref, role }) => ref !== null && role !== 'button');
  if (other === undefined) throw new ViewLacks('no field');
  return other;
}

async function enter(page: TaskPage, text: string): Promise<void> {
  await page.type(await anyField(page), text);
  await page.submit();
}

async function enterQuoted(page: TaskPage): Promise<void> {
  const [text = ''] = asked(page.query, /"(.+)"/);
  await enter(page, text);
}

async function logIn(page: TaskPage, button: string): Promise<void> {
  const [user = '', password = ''] = asked(page.query, /username "(.+)" and the password "(.+)"/);
  const fill = async (label: string, text: string): Promise<void> => {
    const field = await page.field(label);
    const { ok } = await page.attempt({ kind: 'type', ref: field.ref ?? '', text });
    const cancel = (await page.all('button')).find(({ name }) => name === 'Cancel');
    if (cancel !== undefined) {
      await page.click(cancel);
      await page.type(await page.field(label), text);
    } else if (!ok) await page.type(await page.field(label), text);
  };
  await fill('Username', user);
  await fill('Password', password);
  await page.button(button);
}

async function select(page: TaskPage, options: readonly string[]): Promise<void> {
  const list = await page.one(['combobox', 'listbox']);
  await page.act({ kind: 'select', ref: list.ref ?? '', options });
}

async function check(page: TaskPage): Promise<void> {
  const [names = ''] = asked(page.query, /Select (.+) and click Submit/);
  if (names !== 'nothing') {
    for (const name of names.split(', ')) await page.click(await page.one('checkbox', name));
  }
  await page.submit();
}

async function searchMovies(page: TaskPage): Promise<void> {
  const [genre = '', director = '', year = ''] = asked(
    page.query,
    /for (.+) movies directed by (.+) from year (\d+)/,
  );
  await page.type(await page.field('Genre'), genre);
  await page.type(await page.field('Director'), director);
  const isReleased = (await page.texts()).some((text) => /Released/.test(text));
  await page.type(await page.field(isReleased ? 'Released' : 'Year'), year);
  const texts = await page.texts();
  const button = ['Submit', 'Search', 'Go!'].find((text) => texts.includes(text));
  await page.clickNamed(button ?? 'Submit');
}

async function autocomplete(page: TaskPage): Promise<void> {
  const [start = ''] = asked(page.query, /starts with "([^"]+)"/);
  const end = /ends with "([^"]+)"/.exec(page.query)?.[1] ?? '';
  await page.type(await anyField(page), start);
  const fits = (name: string): boolean => name.startsWith(start) && name.endsWith(end);
  for (let look = 0; look < 3; look += 1) {
    const entries = (await page.body()).filter(
      ({ ref, role }) => ref !== null && role !== 'textbox',
    );
    const entry = entries.find(({ name }) => fits(name));
    if (entry !== undefined) {
      await page.click(entry);
      return await page.submit();
    }
    await page.waitFor(1);
  }
  throw new ViewLacks(`no entry of the list that starts with "${start}" and ends with "${end}"`);
}
