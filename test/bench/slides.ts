import { randomUUID } from 'node:crypto';
import Pptx from 'pptxgenjs';
import { type DeckJob, SlideJobs } from '../../src-main/slides/do-slide-job.ts';
import { checkPackage } from '../../src-main/slides/pptx/check-package.ts';
import type { Deck, Slide } from '../../src-preload/contract/slides.ts';
import { alikeInOffice, findOffice } from '../fakes/slides/in-office.ts';
import { blindDecks, DECK_PICTURES, readDeck } from '../fakes/slides/read-decks.ts';

/**
 * Presentations:
 *
 *   npm run bench slides             time, beside pptxgenjs alone
 *   npm run bench slides -- decks    40 decks that somebody else wrote: what the check finds at first sight, what
 *                                    PowerPoint would repair, and, where LibreOffice is installed, how alike its pages
 *                                    and ours are (SSIM of pages of 480 × 270 in grey, 1 for the same)
 */
const RUNS = 15;
const jobs = new SlideJobs();

async function make(deck: Deck, kind: DeckJob['make'], key: string = randomUUID()) {
  return await jobs.doDeck({ deck, pictures: DECK_PICTURES, template: null, make: kind, key });
}

if (process.argv[2] === 'decks') await compareDecks();
else await timeDeck();

async function timeDeck(): Promise<void> {
  const deck = deckWithCharts();
  const floor: number[] = [];
  const ours: number[] = [];
  await make(deck, { kind: 'pptx' });
  for (let run = 0; run < RUNS; run += 1) {
    floor.push(await timed(() => bare(deck)));
    ours.push(await timed(() => make(deck, { kind: 'pptx' })));
  }
  const least = median(floor);
  const own = median(ours);
  print('15 slides, 5 charts, pptxgenjs alone', `${least.toFixed(0)} ms`);
  print(
    'the same, laid out, checked, written',
    `${own.toFixed(0)} ms, ${(own / least).toFixed(2)} x`,
  );
  const key = 'drawn';
  await make(deck, { kind: 'png', page: 0, width: 960 }, key);
  const pictures: number[] = [];
  for (let page = 0; page < 15; page += 1) {
    pictures.push(await timed(() => make(deck, { kind: 'png', page, width: 960 }, key)));
  }
  print('a page as picture, 960 pixels wide', `median ${median(pictures).toFixed(0)} ms`);
  print(
    'the deck as PDF',
    `${(await timed(() => make(deck, { kind: 'pdf' }, key))).toFixed(0)} ms`,
  );
}

/** The same words and numbers without layout, check and repair. */
async function bare({ slides }: Deck): Promise<void> {
  const pptx = new Pptx();
  for (const slide of slides) {
    const page = pptx.addSlide();
    page.addText(slide.title, { x: 0.5, y: 0.3, w: 12, h: 0.8, fontSize: 28 });
    page.addNotes(slide.notes);
    if (slide.layout === 'bullets') {
      const texts = slide.items.map((text) => ({
        text,
        options: { bullet: true, breakLine: true },
      }));
      page.addText(texts, { x: 0.5, y: 1.5, w: 12, h: 5, fontSize: 20 });
    }
    if (slide.layout === 'chart') {
      const { categories, series } = slide.chart;
      const data = series.map(({ name, values }) => ({
        ...{ name, labels: [...categories] },
        values: values.map((value) => value ?? 0),
      }));
      page.addChart('bar', data, { x: 0.5, y: 1.5, w: 12, h: 5 });
    }
  }
  await pptx.write({ outputType: 'nodebuffer' });
}

function deckWithCharts(): Deck {
  const slides = Array.from({ length: 15 }, (_, at): Slide => {
    const common = { title: `What happened in part ${at + 1}`, notes: 'Say this.', sources: [] };
    if (at % 3 !== 1) {
      const items = ['The first point of it', 'A second point, somewhat longer', 'And a third'];
      return { layout: 'bullets', ...common, items };
    }
    const categories = ['January', 'February', 'March', 'April', 'May', 'June'];
    const series = ['North', 'South'].map((name, row) => ({
      ...{ name, values: categories.map((_one, column) => 10 + row * 3 + column) },
    }));
    const chart = {
      type: 'column' as const,
      categories,
      series,
      xTitle: '',
      yTitle: 'EUR',
      unit: '',
    };
    return { layout: 'chart', ...common, text: '', chart };
  });
  return { title: 'Fifteen slides', theme: 'plain', slides };
}

async function compareDecks(): Promise<void> {
  const office = findOffice();
  if (office === null) print('LibreOffice', 'not installed: pages are not compared');
  const all: number[] = [];
  let findings = 0;
  for (const given of blindDecks()) {
    const { deck, problems } = readDeck(given);
    const pptx = await make(deck, { kind: 'pptx' });
    const faults = await checkPackage(pptx.bytes);
    const facts = [
      `${pptx.pages.length} pages`,
      ...(problems.length === 0 ? [] : [`${problems.length} slides refused`]),
      `${pptx.findings.length} findings`,
      `${faults.length} to repair`,
    ];
    if (!given.isHostile) findings += pptx.findings.length;
    if (office !== null) {
      const pdf = await make(deck, { kind: 'pdf' });
      const alike = await alikeInOffice(office, pptx.bytes, pdf.bytes);
      if (!given.isHostile) all.push(...alike);
      const least = Math.min(...alike);
      facts.push(
        `alike ${median(alike).toFixed(3)}, least ${least.toFixed(3)} on page ${alike.indexOf(least) + 1}`,
      );
    }
    print(given.name, facts.join(', '));
  }
  print('35 decks that are not hostile', `${findings} findings at first sight`);
  if (all.length === 0) return;
  all.sort((one, other) => one - other);
  const at = (share: number): string => (all[Math.floor(all.length * share)] ?? 0).toFixed(3);
  print(`alike, ${all.length} of their pages`, `median ${at(0.5)}, p5 ${at(0.05)}, least ${at(0)}`);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

function print(name: string, text: string): void {
  process.stdout.write(`${name.padEnd(46)} ${text}\n`);
}
