import { asked, matches, type TaskPage, ViewLacks } from '../task-page.ts';
import { type Oracles, ordinal } from './oracle.ts';

/** Tasks that are done by clicking what is named. */
/** What icons stand for, as anybody knows. */
const ICONS: Readonly<Record<string, string>> = {
  ...{ disk: 'Save', play: 'Play', stop: 'Stop', zoomin: 'Zoom In', zoomout: 'Zoom Out' },
  ...{ 'seek-start': 'Prev', 'seek-end': 'Next' },
};

export const CLICKS: Oracles = {
  'click-test': (page) => page.button('Click Me!'),
  'click-test-2': (page) => page.button('ONE'),
  'click-test-transfer': (page) => page.button('ONE'),
  'click-button': clickQuoted,
  'unicode-test': clickQuoted,
  'click-button-sequence': async (page) => {
    await page.button('ONE');
    await page.button('TWO');
  },
  'button-delay': async (page) => {
    const [seconds = ''] = asked(page.query, /wait (\d+) seconds/);
    const second = await page.one('button', 'TWO');
    const began = performance.now();
    await page.button('ONE');
    // Every action takes its own time, which is part of the wait.
    const rest = Number(seconds) - (performance.now() - began) / 1_000 - 0.2;
    if (rest > 0) await page.waitFor(rest);
    await page.click(second);
  },
  'highlight-text': (page) => selectParagraph(page, 1),
  'highlight-text-2': async (page) => {
    const [nth = ''] = asked(page.query, /the (\w+) paragraph/);
    await selectParagraph(page, ordinal(nth));
  },
  'click-dialog': (page) => page.button('Close'),
  'click-dialog-2': async (page) => {
    const [name = ''] = asked(page.query, /"(.+)"/);
    await page.button(name === 'x' ? 'Close' : name);
  },
  'click-link': clickQuotedText,
  'click-tab': async (page) => {
    const [name = ''] = asked(page.query, /on (Tab #\d+)/);
    await page.clickNamed(name);
  },
  'click-tab-2': throughTabs,
  'click-tab-2-easy': throughTabs,
  'click-tab-2-medium': throughTabs,
  'click-tab-2-hard': throughTabs,
  'click-collapsible': expandAndSubmit,
  'click-collapsible-nodelay': expandAndSubmit,
  'click-collapsible-2': throughSections,
  'click-collapsible-2-nodelay': throughSections,
  'click-menu': async (page) => {
    const [path = ''] = asked(page.query, /Select (.+)/);
    const names = path.split('>');
    // A click on a menu that has another one would select it: it opens under the pointer.
    for (const name of names.slice(0, -1)) await page.hoverNamed(name);
    await page.clickNamed(names.at(-1) ?? '');
  },
  'click-menu-2': async (page) => {
    const [, icon, named = ''] = /\.ui-icon-([a-z-]+)\) icon|"([^"]+)"\.$/.exec(page.query) ?? [];
    const label = icon === undefined ? named : (ICONS[icon] ?? icon);
    await page.button('Menu');
    if ((await page.named(label)).length === 0) await page.hoverNamed('Playback');
    await page.clickNamed(label);
  },
  'click-widget': async (page) => {
    const [kind = ''] = asked(page.query, /"(.+)"/);
    const role = WIDGETS[kind] ?? kind;
    const widgets = await page.all(role);
    // A text field and a text area have one role; the view names what is multi-line, if at all.
    const isArea = kind === 'textarea';
    const exact = widgets.find(({ states }) => states.includes('multiline') === isArea);
    await page.click(exact ?? (await page.one(role)));
  },
  'navigate-tree': async (page) => {
    const [name = ''] = asked(page.query, /"(.+)"/);
    const opened = new Set<string>();
    while ((await page.named(name)).length === 0) {
      const next = (await page.body()).find(
        (line) => line.ref !== null && line.name !== '' && !opened.has(line.name),
      );
      if (next === undefined) throw new ViewLacks(`no folder to open for "${name}"`);
      opened.add(next.name);
      await page.click(next);
    }
    await page.clickNamed(name);
  },
  'focus-text': async (page) => page.click(await page.one('textbox')),
  'focus-text-2': async (page) => {
    const [nth = ''] = asked(page.query, /the (\d)/);
    const field = (await page.fields())[Number(nth) - 1];
    if (field === undefined) throw new ViewLacks(`no textbox ${nth}`);
    await page.click(field);
  },
  'find-greatest': async (page) => {
    const numbers = (await page.texts()).filter((text) => /^\d+$/.test(text)).map(Number);
    await page.clickNamed(String(Math.max(...numbers)));
    await page.submit();
  },
  'click-pie': clickPie,
  'click-pie-nodelay': clickPie,
};

const WIDGETS: Readonly<Record<string, string>> = { text: 'textbox', textarea: 'textbox' };

async function clickQuoted(page: TaskPage): Promise<void> {
  const [name = ''] = asked(page.query, /"(.+)"/);
  await page.button(name);
}

async function clickQuotedText(page: TaskPage): Promise<void> {
  const [name = ''] = asked(page.query, /"(.+)"/);
  await page.clickNamed(name);
}

async function expandAndSubmit(page: TaskPage): Promise<void> {
  await page.clickNamed(/^Section #\d+$/);
  await page.submit();
}

/** The links in a text are elements of their own, which `find` knows. */
async function linkHere(page: TaskPage, name: string): Promise<boolean> {
  return (await page.named(name)).some((line) => line.role !== 'tab');
}

async function throughTabs(page: TaskPage): Promise<void> {
  const [name = ''] = asked(page.query, /link "(.+)"/);
  const names = (await page.all('tab', 'link'))
    .map((tab) => tab.name)
    .filter((tab) => /^(Tab #)?\d+$/.test(tab));
  for (const tab of new Set(names)) {
    await page.clickNamed(tab);
    if (await linkHere(page, name)) return await page.clickNamed(name);
  }
  throw new ViewLacks(`no link "${name}" in any tab`);
}

async function throughSections(page: TaskPage): Promise<void> {
  const [name = ''] = asked(page.query, /link "(.+)"/);
  const names = (await page.texts()).filter((text) => matches(text, /^Section #\d+$/));
  for (const section of new Set(names)) {
    await page.clickNamed(section);
    // A section opens slowly.
    for (let look = 0; look < 2; look += 1) {
      if (await linkHere(page, name)) return await page.clickNamed(name);
      await page.waitFor(1);
    }
  }
  throw new ViewLacks(`no link "${name}" in any section`);
}

async function clickPie(page: TaskPage): Promise<void> {
  const [name = ''] = asked(page.query, /"(.+)"/);
  await page.clickNamed('+');
  await page.clickNamed(name);
}

/** A triple click selects a paragraph. */
async function selectParagraph(page: TaskPage, nth: number): Promise<void> {
  const texts = (await page.body()).filter(({ ref, role }) => ref === null && role === 'text');
  const wanted = texts[nth - 1]?.name;
  if (wanted === undefined) throw new ViewLacks(`no paragraph ${nth}`);
  const [found] = await page.found({ text: wanted.slice(0, 40) });
  if (found?.ref == null) throw new ViewLacks(`no ref of paragraph ${nth}`);
  await page.act({ kind: 'click', at: { ref: found.ref }, clicks: 3 });
  await page.submit();
}
