import { writeFileSync } from 'node:fs';
import { Resvg } from '@resvg/resvg-wasm';
import { SlideJobs } from '../src-main/slides/do-slide-job.ts';
import { SlideTheme } from '../src-preload/contract/slides.ts';
import { EVERY_LAYOUT } from '../test/fakes/slides/every-layout.ts';
import { DECK_PICTURES } from '../test/fakes/slides/read-decks.ts';

/**
 * `npm run slide-gallery [-- FILE]`: every layout of slides in every theme, on one picture to look at
 * (`docs/slides.png`).
 */
const [file = 'docs/slides.png'] = process.argv.slice(2);
const [WIDTH, HEIGHT, GAP] = [240, 135, 6];

const jobs = new SlideJobs();
const images: string[] = [];
for (const [column, theme] of SlideTheme.options.entries()) {
  const deck = { title: 'Gallery', theme, slides: [...EVERY_LAYOUT] };
  for (const [row] of EVERY_LAYOUT.entries()) {
    const make = { kind: 'png' as const, page: row, width: WIDTH * 2 };
    const job = { deck, pictures: DECK_PICTURES, template: null, make, key: theme };
    const { bytes } = await jobs.doDeck(job);
    const [x, y] = [GAP + column * (WIDTH + GAP), GAP + row * (HEIGHT + GAP)];
    const data = `data:image/png;base64,${Buffer.from(bytes).toString('base64')}`;
    images.push(`<image x="${x}" y="${y}" width="${WIDTH}" height="${HEIGHT}" href="${data}"/>`);
  }
}
const width = GAP + SlideTheme.options.length * (WIDTH + GAP);
const height = GAP + EVERY_LAYOUT.length * (HEIGHT + GAP);
const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#8A8F98"/>${images.join('')}</svg>`;
writeFileSync(file, new Resvg(svg).render().asPng());
process.stdout.write(
  `${file}: ${EVERY_LAYOUT.length} layouts in ${SlideTheme.options.length} themes\n`,
);
