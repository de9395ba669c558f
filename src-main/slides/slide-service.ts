import { createHash } from 'node:crypto';
import { z } from 'zod';
import { AppError, type ErrorEnvelope } from '#contract/errors.ts';
import { safeParse } from '#contract/safe-parse.ts';
import { Deck, type DeckTemplate, type OfficeCheck, type OpenDeck } from '#contract/slides.ts';
import { JobThread } from '../base/job-thread.ts';
import { parseOutsideJson } from '../base/outside-json.ts';
import { workerFile } from '../base/worker-file.ts';
import { PictureRef } from '../models/pictures/picture-ref.ts';
import type { PictureStore } from '../pictures/picture-store.ts';
import { readPicture } from '../pictures/read-picture.ts';
import type { TaskSandbox } from '../sandbox/types.ts';
import type {
  DeckJob,
  DeckJobResult,
  SlideJob,
  SlideJobResult,
  TemplateJob,
  TemplatePictures,
} from './do-slide-job.ts';
import type { DataTable } from './given/data-table.ts';
import type { AlikePages } from './office/alike-pages.ts';
import { convertInOffice } from './office/convert-in-office.ts';
import { officeProblems } from './office/office-problems.ts';
import type { SlideFile, SlideMaker, UsedTemplate } from './slide-service-types.ts';
import { templatePicture } from './template/template-picture.ts';
import type { DeckPicture } from './types.ts';

/** Of a deck as JSON. */
const LARGEST_DECK = 2 * 1024 * 1024;
const LARGEST_FILE = 100 * 1024 * 1024;
const LARGEST_TEMPLATE = 50 * 1024 * 1024;
const TIME_MS = 120_000;
/** For a file of data. */
const TABLE_MS = 20_000;
const MEMORY_BYTES = 1024 * 1024 * 1024;
/** Pictures are put into presentations no larger than this. */
const PICTURE_SIZE = { width: 2_048, height: 2_048 };

/** What a presentation was made of, kept beside it under the hash of the file. */
const StoredDeck = z.strictObject({
  version: z.literal(1),
  deck: Deck,
  pictures: z.record(z.string(), PictureRef),
});
type StoredDeck = z.infer<typeof StoredDeck>;

/**
 * The presentations of tasks. A file that this app wrote is known by its hash, whatever its name: what it was made of lies in
 * the workspace, `.hyperagent/slides/HASH.json`, and goes with it into copies and states of the task.
 */
export class SlideService implements SlideMaker, AsyncDisposable {
  readonly #thread: JobThread<SlideJob, SlideJobResult, ErrorEnvelope>;
  readonly #pictures: Pick<PictureStore, 'add' | 'load'>;

  /** `root` is the app's folder. */
  constructor(root: string, pictures: Pick<PictureStore, 'add' | 'load'>) {
    this.#pictures = pictures;
    const file = workerFile('slide-worker', { sourceDir: import.meta.dirname, root });
    this.#thread = new JobThread(file, {
      ...{ name: 'slides', memoryBytes: MEMORY_BYTES },
      errors: {
        failed: ({ code, message, details }) => new AppError(code, message, { details }),
        ended: (cause) => failed('Writing it failed.', cause),
        timeExceeded: (ms) => failed(`It took longer than ${ms / 1000} seconds.`),
        memoryExceeded: () => failed('It takes more memory than allowed.'),
        closing: () => new AppError('CANCELLED', 'The app is closing.'),
      },
    });
  }

  async takeTemplate(path: string, file: SlideFile, signal: AbortSignal): Promise<UsedTemplate> {
    const { data, size } = await file.files.read(path, LARGEST_TEMPLATE);
    if (data.length < size) {
      const megabytes = LARGEST_TEMPLATE / 1024 / 1024;
      throw new AppError('BAD_REQUEST', `${path} is larger than ${megabytes} MB.`);
    }
    const { pictures } = await this.#readTemplate({ bytes: data, isNew: true }, signal);
    const added = await this.#addTemplatePictures(pictures, file, signal);
    const template = { name: path.split('/').at(-1) ?? path, hash: hashOf(data) };
    await file.files.replace(templateAt(template), data);
    const lost = pictures.filter(({ name }) => !(templatePicture(name) in added));
    const kinds = [...new Set(lost.map(({ name }) => name.split('.').at(-1)))].join(', ');
    const leftOut =
      lost.length === 0
        ? []
        : [
            `${lost.length} ${lost.length === 1 ? 'picture' : 'pictures'} of the template cannot be read here (${kinds}), and ${lost.length === 1 ? 'is' : 'are'} left out.`,
          ];
    return { template, leftOut };
  }

  async make(deck: Deck, file: SlideFile, signal: AbortSignal): Promise<OpenDeck> {
    const template = await this.#templateOf(deck, file);
    const own =
      template === null
        ? []
        : (await this.#readTemplate({ bytes: template, isNew: false }, signal)).pictures;
    const pictures = {
      ...(await this.#addPictures(deck, file, signal)),
      ...(await this.#addTemplatePictures(own, file, signal)),
    };
    const stored: StoredDeck = { version: 1, deck, pictures };
    const json = JSON.stringify(stored);
    if (json.length > LARGEST_DECK) {
      throw new AppError(
        'BAD_REQUEST',
        'The presentation has too much text. Split it into several.',
      );
    }
    const { bytes, ...made } = await this.#do(stored, { kind: 'pptx' }, file, signal);
    const hash = hashOf(bytes);
    await file.files.replace(storedAt(hash), json);
    await file.files.replace(file.path, Buffer.from(bytes));
    return openDeck(hash, deck, made);
  }

  async open(file: SlideFile, signal: AbortSignal): Promise<OpenDeck> {
    const { hash, stored } = await this.#read(file);
    return openDeck(hash, stored.deck, await this.#do(stored, { kind: 'pages' }, file, signal));
  }

  async readTable(bytes: Buffer, kind: string, signal: AbortSignal): Promise<DataTable> {
    const job = { table: { bytes, kind } };
    return (await this.#thread.run(job, { timeMs: TABLE_MS, signal })) as DataTable;
  }

  /** One page as PNG. `CONFLICT` when the file is no longer that of `hash`. */
  async draw(
    file: SlideFile & { readonly hash: string },
    page: { readonly page: number; readonly width: number },
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    const stored = await this.#stored(file, file.hash);
    const { bytes } = await this.#do(stored, { kind: 'png', ...page }, file, signal);
    if (bytes.length === 0) throw new AppError('NOT_FOUND', 'There is no such page.');
    return bytes;
  }

  /** Throws as `slides.open` does. */
  async pdf(file: SlideFile, signal: AbortSignal): Promise<Uint8Array> {
    const { stored } = await this.#read(file);
    return (await this.#do(stored, { kind: 'pdf' }, file, signal)).bytes;
  }

  async checkInOffice(
    file: SlideFile,
    sandbox: TaskSandbox,
    signal: AbortSignal,
  ): Promise<OfficeCheck> {
    const { stored } = await this.#read(file);
    const converted = await convertInOffice(file.path, sandbox, signal);
    if ('why' in converted) return { state: 'not_checked', why: converted.why };
    const deck = await this.#loaded(stored, file, signal);
    const job = { office: { ...deck, pdf: converted.pdf } };
    try {
      const found = (await this.#thread.run(job, { timeMs: TIME_MS, signal })) as AlikePages;
      const problems = officeProblems(found, stored.deck);
      return { state: 'checked', alike: [...found.alike], problems };
    } catch (error) {
      const isUnreadable = error instanceof AppError && error.code === 'LIBRARY_UNREADABLE';
      if (!isUnreadable) throw error;
      return { state: 'not_checked', why: 'the PDF that it made could not be read' };
    }
  }

  /** Writes a changed deck. `CONFLICT` when the file is no longer that of `hash`. */
  async save(
    deck: Deck,
    file: SlideFile & { readonly hash: string },
    signal: AbortSignal,
  ): Promise<OpenDeck> {
    await this.#readUnchanged(file);
    return await this.make(deck, file, signal);
  }

  /** Writes the deck on another template. Throws as `takeTemplate` and `save` do. */
  async setTemplate(
    path: string,
    file: SlideFile & { readonly hash: string },
    signal: AbortSignal,
  ): Promise<{ readonly open: OpenDeck; readonly leftOut: string[] }> {
    const { deck } = await this.#readUnchanged(file);
    const { template, leftOut } = await this.takeTemplate(path, file, signal);
    const open = await this.make({ ...deck, template }, file, signal);
    return { open, leftOut: [...leftOut] };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#thread[Symbol.asyncDispose]();
  }

  async #read(file: SlideFile): Promise<{ readonly hash: string; readonly stored: StoredDeck }> {
    const { data, size } = await file.files.read(file.path, LARGEST_FILE);
    const hash = hashOf(data);
    if (data.length < size) throw notOurs();
    return { hash, stored: await this.#stored(file, hash) };
  }

  /** `CONFLICT` when the file is no longer that of `hash`. */
  async #readUnchanged(file: SlideFile & { readonly hash: string }): Promise<StoredDeck> {
    const { hash, stored } = await this.#read(file);
    if (hash === file.hash) return stored;
    throw new AppError('CONFLICT', 'The presentation was changed meanwhile. Load it again.');
  }

  async #stored({ files }: SlideFile, hash: string): Promise<StoredDeck> {
    if (!/^[0-9a-f]{64}$/.test(hash)) throw new AppError('BAD_REQUEST', 'The hash is not one.');
    let data: Buffer;
    try {
      ({ data } = await files.read(storedAt(hash), LARGEST_DECK));
    } catch (error) {
      if (error instanceof AppError && error.code === 'NOT_FOUND') throw notOurs();
      throw error;
    }
    // The sandbox can write there: what is not exactly such a deck is none.
    const stored = parsedDeck(data.toString('utf8'));
    if (stored === null) throw notOurs();
    return stored;
  }

  async #readTemplate(template: TemplateJob, signal: AbortSignal): Promise<TemplatePictures> {
    return (await this.#thread.run({ template }, { timeMs: TIME_MS, signal })) as TemplatePictures;
  }

  /** The bytes of the template of a deck; null for none. */
  async #templateOf({ template }: Deck, { files }: SlideFile): Promise<Buffer | null> {
    if (template === undefined) return null;
    try {
      const { data } = await files.read(templateAt(template), LARGEST_TEMPLATE);
      // The sandbox can write there.
      if (hashOf(data) === template.hash) return data;
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'NOT_FOUND') throw error;
    }
    throw new AppError(
      'BAD_REQUEST',
      `The template of this presentation, ${template.name}, is gone. Choose a theme, or give the template again.`,
    );
  }

  async #addTemplatePictures(
    pictures: TemplatePictures['pictures'],
    { threadId }: SlideFile,
    signal: AbortSignal,
  ): Promise<Record<string, PictureRef>> {
    const added: Record<string, PictureRef> = {};
    for (const { name, bytes } of pictures) {
      const given = { name, bytes: Buffer.from(bytes) };
      const ref = await this.#added(() => this.#pictures.add(threadId, given, signal), signal);
      if (ref !== null) added[templatePicture(name)] = ref;
    }
    return added;
  }

  /** Null for what is missing or no picture. */
  async #added(add: () => Promise<PictureRef>, signal: AbortSignal): Promise<PictureRef | null> {
    try {
      return await add();
    } catch (error) {
      if (signal.aborted || !(error instanceof AppError) || error.code === 'DISK_FULL') throw error;
      return null;
    }
  }

  async #addPictures(
    deck: Deck,
    { threadId, files }: SlideFile,
    signal: AbortSignal,
  ): Promise<Record<string, PictureRef>> {
    const added: Record<string, PictureRef> = {};
    for (const path of picturesOf(deck)) {
      // The check of the deck reports what is missing or no picture.
      const ref = await this.#added(async () => {
        const bytes = await readPicture(path, files);
        return await this.#pictures.add(threadId, { name: path, bytes }, signal);
      }, signal);
      if (ref !== null) added[path] = ref;
    }
    return added;
  }

  async #do(
    stored: StoredDeck,
    make: DeckJob['make'],
    file: SlideFile,
    signal: AbortSignal,
  ): Promise<DeckJobResult> {
    const job = { deck: { ...(await this.#loaded(stored, file, signal)), make } };
    return (await this.#thread.run(job, { timeMs: TIME_MS, signal })) as DeckJobResult;
  }

  /** A deck with its pictures, as the thread takes it. */
  async #loaded(
    { deck, pictures }: StoredDeck,
    file: SlideFile,
    signal: AbortSignal,
  ): Promise<Omit<DeckJob, 'make'>> {
    const template = await this.#templateOf(deck, file);
    const loaded = new Map<string, DeckPicture>();
    for (const [path, ref] of Object.entries(pictures)) {
      const part = await this.#pictures.load(file.threadId, ref, { size: PICTURE_SIZE, signal });
      if (part === null) continue;
      const { mimeType, width, height } = ref;
      loaded.set(path, { bytes: Buffer.from(part.data, 'base64'), mimeType, width, height });
    }
    const key = hashOf(
      Buffer.from(JSON.stringify([deck, [...loaded.keys()].map((path) => pictures[path])])),
    );
    return { deck, pictures: loaded, template, key };
  }
}

function openDeck(
  hash: string,
  deck: Deck,
  { aspect, pages, findings }: Omit<DeckJobResult, 'bytes'>,
): OpenDeck {
  return { hash, deck, aspect, pages: [...pages], findings: [...findings] };
}

function picturesOf({ slides }: Deck): Set<string> {
  const paths = slides.flatMap((slide) => {
    if (slide.layout === 'image_text') return [slide.picture.path];
    if (slide.layout !== 'team') return [];
    return slide.people.flatMap(({ picture }) => (picture === null ? [] : [picture.path]));
  });
  return new Set(paths);
}

function templateAt({ hash }: DeckTemplate): string {
  return `.hyperagent/slides/${hash}.potx`;
}

function storedAt(hash: string): string {
  return `.hyperagent/slides/${hash}.json`;
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function parsedDeck(text: string): StoredDeck | null {
  try {
    const parsed = safeParse(StoredDeck, parseOutsideJson(text));
    return parsed.success ? parsed.data : null;
  } catch (error) {
    // A file that is no JSON is no deck.
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function notOurs(): AppError {
  return new AppError(
    'BAD_REQUEST',
    'This presentation was not made here, or another program changed it since. It cannot be shown or changed here: save it, and open it with another program.',
  );
}

function failed(why: string, cause?: unknown): AppError {
  return new AppError('BAD_REQUEST', `The presentation could not be made. ${why}`, { cause });
}
