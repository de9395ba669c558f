import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import type { Screen } from '../test/setup/axe.ts';
import { chromiumPath, launchChromium } from '../test/setup/chromium.ts';
import { SCREENS } from '../test/setup/screens.ts';
import { SKILL_SCREENS } from '../test/setup/skill-screens.ts';
import { openAddress, openWindowHarness } from '../test/setup/window-harness.ts';

/**
 * Takes a picture of every screen that the tests know, to be looked at side by side:
 *
 *   npm run gallery [-- WORDS...]   screens whose name has one of the words; without one, all
 *
 * Each in light and dark, wide and narrow, into `out/gallery`, with a page `index.html`. A screen that does not
 * come is named, and the command ends with 1.
 */
const OUT = join(import.meta.dirname, '../out/gallery');

const LOOKS = [
  { name: 'light', size: { width: 1440, height: 900 }, scheme: 'light' },
  { name: 'dark', size: { width: 1440, height: 900 }, scheme: 'dark' },
  { name: 'narrow', size: { width: 420, height: 760 }, scheme: 'light' },
] as const;

interface Shot {
  readonly name: string;
  /** By look; null where the screen did not come. */
  readonly files: readonly (string | null)[];
}

const { positionals } = parseArgs({ allowPositionals: true });
if (chromiumPath === null) {
  process.stderr.write('There is no Chromium here. `npm test` installs one where it can.\n');
  process.exit(1);
}
const words = positionals.map((word) => word.toLowerCase());
const screens = Object.entries<Screen>({ ...SCREENS, ...SKILL_SCREENS }).filter(
  ([name]) => words.length === 0 || words.some((word) => name.toLowerCase().includes(word)),
);
if (screens.length === 0) {
  process.stderr.write(`No screen has one of these words in its name: ${words.join(', ')}.\n`);
  process.exit(2);
}

await rm(OUT, { recursive: true, force: true });
await mkdir(OUT, { recursive: true });
await using harness = await openWindowHarness();
const browser = await launchChromium();
const shots: Shot[] = [];
try {
  for (const [name, screen] of screens) {
    const files: (string | null)[] = [];
    for (const look of LOOKS) files.push(await shoot(browser, { name, screen, look }));
    shots.push({ name, files });
    process.stdout.write(`${files.includes(null) ? '✗' : '✓'} ${name}\n`);
  }
} finally {
  await browser.close();
}
await writeFile(join(OUT, 'index.html'), pageOf(shots));
const missing = shots.filter(({ files }) => files.includes(null)).map(({ name }) => name);
process.stdout.write(`${shots.length} screens: ${join(OUT, 'index.html')}\n`);
if (missing.length > 0) {
  process.stderr.write(`Not every look of these came: ${missing.join(', ')}.\n`);
  process.exitCode = 1;
}

/** The file that was written; null where the screen did not come. */
async function shoot(
  chromium: Browser,
  {
    name,
    screen,
    look,
  }: {
    readonly name: string;
    readonly screen: Screen;
    readonly look: (typeof LOOKS)[number];
  },
): Promise<string | null> {
  const page = await chromium.newPage({
    viewport: look.size,
    colorScheme: look.scheme,
    reducedMotion: 'reduce',
  });
  page.setDefaultTimeout(20_000);
  try {
    await openAddress(page, `${harness.url}${screen.path}`, []);
    await screen.open(page, look.name === 'narrow');
    const file = `${name.replace(/[^a-z0-9]+/gi, '-')}-${look.name}.png`;
    await page.screenshot({ path: join(OUT, file) });
    return file;
  } catch (error) {
    process.stderr.write(`${name}, ${look.name}: ${String(error).split('\n')[0]}\n`);
    return null;
  } finally {
    await page.close();
  }
}

function pageOf(all: readonly Shot[]): string {
  const rows = all.map(({ name, files }) => {
    const pictures = files.map((file) =>
      file === null
        ? '<td>did not come</td>'
        : `<td><a href="${file}"><img src="${file}"></a></td>`,
    );
    return `<tr><th>${name}</th>${pictures.join('')}</tr>`;
  });
  return `<!doctype html><meta charset="utf-8"><title>Screens</title>
<style>body{font:14px system-ui}img{height:300px;border:1px solid #8888}th{width:12em;text-align:left}</style>
<table>${rows.join('\n')}</table>
`;
}
