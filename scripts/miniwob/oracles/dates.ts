import { asked, refOf, type TaskPage, ViewLacks } from '../task-page.ts';
import type { Oracles } from './oracle.ts';

/** Tasks with a calendar to pick from. */
export const DATES: Oracles = {
  'choose-date': chooseDate,
  'choose-date-easy': chooseDate,
  'choose-date-medium': chooseDate,
  'choose-date-nodelay': chooseDate,
  'book-flight': bookFlight,
  'book-flight-nodelay': bookFlight,
  'daily-calendar': async (page) => {
    const [length = '', unit = '', name = '', hour = '', half = ''] = asked(
      page.query,
      /Create a ([\d.]+) (min|hour)s? event named "(.+)", between (\d+)([AP])M/,
    );
    const slots = Number(length) / (unit === 'min' ? 30 : 0.5);
    const first = ((Number(hour) % 12) + (half === 'P' ? 12 : 0)) * 2;
    // An event that is there covers its hours: the next ones are tried.
    for (let start = first; start + slots <= first + 8; start += 1) {
      const [from] = await page.named(`#hh-${start}`);
      const [to] = await page.named(`#hh-${start + slots - 1}`);
      if (from === undefined || to === undefined) throw new ViewLacks('no half hours');
      await page.attempt({ kind: 'drag', from: { ref: refOf(from) }, to: { ref: refOf(to) } });
      const [field] = (await page.fields()).filter((one) => /event/i.test(one.name));
      if (field === undefined) continue;
      await page.type(field, name);
      return await page.button('Create');
    }
    throw new ViewLacks('no free half hours');
  },
};

const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September'],
  ...['October', 'November', 'December'],
];

async function chooseDate(page: TaskPage): Promise<void> {
  const [date = ''] = asked(page.query, /Select (\S+) as the date/);
  const [field] = await page.fields();
  if (field === undefined) throw new ViewLacks('no field of the date');
  await page.click(field);
  await pickDay(page, date);
  await page.submit();
}

/** Picks `month/day/year` in the calendar that is open. */
async function pickDay(page: TaskPage, date: string): Promise<void> {
  const [month = 0, day = 0, year = 0] = date.split('/').map(Number);
  const wanted = year * 12 + month - 1;
  for (let turns = 0; turns < 24; turns += 1) {
    const shown = await shownMonth(page);
    if (shown === wanted)
      return await page.click(await page.one(['link', 'button', 'gridcell'], String(day)));
    await page.clickNamed(shown > wanted ? 'Prev' : 'Next');
  }
  throw new ViewLacks(`no month of ${date}`);
}

async function shownMonth(page: TaskPage): Promise<number> {
  for (let look = 0; look < 3; look += 1) {
    const text = (await page.texts()).join(' ');
    const match = new RegExp(`(${MONTHS.join('|')})\\s+(\\d{4})`).exec(text);
    if (match !== null) return Number(match[2]) * 12 + MONTHS.indexOf(match[1] ?? '');
    await page.waitFor(1);
  }
  throw new ViewLacks('no month of the calendar');
}

async function bookFlight(page: TaskPage): Promise<void> {
  const [which = '', from = '', to = '', date = ''] = asked(
    page.query,
    /Book the (\w+) one-way flight from:\s*(.+?)\s*to:\s*(.+?)\s*on\s*(\d\S+\d)/,
  );
  await chooseAirport(page, 'From:', from);
  await chooseAirport(page, 'To:', to);
  const fields = await page.fields();
  const departure = fields.find(({ name }) => /date/i.test(name)) ?? fields[2];
  if (departure === undefined) throw new ViewLacks('no field of the departure date');
  await page.click(departure);
  await pickDay(page, date);
  await page.button('Search');
  await bookBest(page, which);
}

async function chooseAirport(page: TaskPage, label: string, airport: string): Promise<void> {
  await page.type(await page.field(label), airport);
  for (let look = 0; look < 3; look += 1) {
    const entry = (await page.body()).find(
      ({ ref, role, name }) =>
        ref !== null && role !== 'textbox' && role !== 'combobox' && name.includes(airport),
    );
    if (entry !== undefined) return await page.click(entry);
    await page.waitFor(1);
  }
  throw new ViewLacks(`no entry of the list with "${airport}"`);
}

/** What each offer says stands above its button. The list may be longer than the view. */
export async function bookBest(page: TaskPage, which: string): Promise<void> {
  let minutes = Number.NaN;
  const offers: { readonly name: string; readonly ref: string; minutes: number; price: number }[] =
    [];
  for (const { role, ref, name } of await page.body()) {
    const duration = /(\d+)h (\d+)m/.exec(name);
    if (duration !== null) minutes = Number(duration[1]) * 60 + Number(duration[2]);
    const price = /^Book (?:flight )?for \$(\d+)/.exec(name);
    if (role === 'button' && price !== null && ref !== null) {
      offers.push({ name, ref, minutes, price: Number(price[1]) });
    }
  }
  const by = /short|long|duration/.test(which) ? 'minutes' : 'price';
  const sorted = offers.toSorted((a, b) => a[by] - b[by]);
  const best = /long|most expensive/.test(which) ? sorted.at(-1) : sorted[0];
  if (best === undefined) throw new ViewLacks('no offers');
  await page.act({ kind: 'click', at: { ref: best.ref } });
}
