import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { PictureDecoder } from '../../src-main/pictures/picture-decoder.ts';
import { PictureStore } from '../../src-main/pictures/picture-store.ts';
import { checkPackage } from '../../src-main/slides/pptx/check-package.ts';
import { SlideService } from '../../src-main/slides/slide-service.ts';
import type { SlideFile } from '../../src-main/slides/slide-service-types.ts';
import { AppError } from '../../src-preload/contract/errors.ts';
import { alikeInOffice, findOffice } from '../fakes/slides/in-office.ts';
import { blindDecks, readDeck } from '../fakes/slides/read-decks.ts';

/**
 * The presentations of a folder as templates of a deck that somebody else wrote: which are refused and why, what the check
 * finds, what PowerPoint would repair, what is left out, and, where LibreOffice is installed, how alike its pages and ours
 * are.
 *
 *   npm run bench slide-templates -- FOLDER
 */
const [folder] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write('Name a folder with .pptx or .potx files.\n');
  process.exit(2);
}

const pictures = mkdtempSync(join(tmpdir(), 'hyperagent-templates-'));
await using service = new SlideService(
  process.cwd(),
  new PictureStore(pictures, new PictureDecoder(process.cwd())),
);
const { signal } = new AbortController();
const office = findOffice();
const [given] = blindDecks();
if (given === undefined) throw new Error('There is no deck.');
const { deck } = readDeck(given);
const all: number[] = [];
const counts = { read: 0, refused: 0, findings: 0, faults: 0, leftOut: 0 };
for (const name of readdirSync(folder).filter((one) => /\.(?:pptx|potx)$/i.test(one))) {
  try {
    print(name, await tried(name, readFileSync(resolve(folder, name))));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    counts.refused += 1;
    print(name, `refused: ${error.message}`);
  }
}
const { read, refused, findings, faults, leftOut } = counts;
print(
  `${read} of ${read + refused} are templates`,
  `${findings} findings at first sight, ${faults} to repair, ${leftOut} without all pictures`,
);
if (all.length > 0) {
  all.sort((one, other) => one - other);
  const at = (share: number): string => (all[Math.floor(all.length * share)] ?? 0).toFixed(3);
  print(`alike, ${all.length} pages`, `median ${at(0.5)}, p5 ${at(0.05)}, least ${at(0)}`);
}
rmSync(pictures, { recursive: true, force: true });

/** A deck on a template, in words. */
async function tried(name: string, bytes: Buffer): Promise<string> {
  const file = taskWith(name, bytes);
  const used = await service.takeTemplate(name, file, signal);
  const open = await service.make({ ...deck, template: used.template }, file, signal);
  const { data: pptx } = await file.files.read(file.path, Number.POSITIVE_INFINITY);
  const repairs = await checkPackage(pptx);
  counts.read += 1;
  counts.findings += open.findings.length;
  counts.faults += repairs.length;
  counts.leftOut += used.leftOut.length;
  const facts = [`${open.findings.length} findings`, `${repairs.length} to repair`];
  if (office !== null) {
    const alike = await alikeInOffice(office, pptx, await service.pdf(file, signal));
    all.push(...alike);
    facts.push(`alike ${(alike.reduce((sum, one) => sum + one, 0) / alike.length).toFixed(3)}`);
  }
  return [...facts, ...used.leftOut].join(', ');
}

/** A task in memory with one file. */
function taskWith(name: string, bytes: Buffer): SlideFile {
  const files = new Map<string, Buffer>([[name, bytes]]);
  return {
    ...{ threadId: 'bench', path: 'deck.pptx' },
    files: {
      read: async (path) => {
        const data = files.get(path);
        if (data === undefined) throw new AppError('NOT_FOUND', `There is no ${path}.`);
        return { data, size: data.length };
      },
      replace: async (path, data) => {
        files.set(path, Buffer.from(data));
      },
    },
  };
}

function print(what: string, text: string): void {
  process.stdout.write(`${what.padEnd(46)} ${text}\n`);
}
