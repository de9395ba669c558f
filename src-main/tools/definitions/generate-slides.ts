import { z } from 'zod';
import { AppError, type ErrorCode } from '#contract/errors.ts';
import type { RunEventDraft } from '#contract/events/run-event.ts';
import { safeParse } from '#contract/safe-parse.ts';
import { type OpenDeck, SlideTheme } from '#contract/slides.ts';
import { sha256 } from '../../base/canonical-json.ts';
import { MOST_PATH_CHARS } from '../../base/path-glob.ts';
import {
  changeDeck,
  deckFiles,
  describeFindings,
  filesOf,
  holdsChange,
  numberedSlides,
  placeInto,
  placeNew,
  readPlaced,
  repeatedSlides,
} from '../../slides/given/given-deck.ts';
import { GivenSlide, numberOf } from '../../slides/given/given-slide.ts';
import type { SlideFile, SlideMaker, UsedTemplate } from '../../slides/slide-service-types.ts';
import { defineTool, type ToolParts } from '../define-tool.ts';
import { changeEvents } from '../run-command.ts';
import type { LookContext, ToolContext, ToolDefinition, ToolOutput } from '../types.ts';
import { insideWorkspace } from '../workspace-paths.ts';

const PPTX = /[^/]\.pptx$/i;
/** What is wrong with a template, and not with the call. */
const TEMPLATE_FAULTS: ReadonlySet<string> = new Set([
  ...(['BAD_REQUEST', 'NOT_FOUND', 'LIBRARY_UNREADABLE', 'FILE_TOO_LARGE'] satisfies ErrorCode[]),
]);
const MOST_DECK_BYTES = 256 * 1024 * 1024;
/** A whole deck, so that it can be changed. */
const MOST_RESULT_CHARS = 40_000;

const File = z
  .string()
  .refine((file) => file.length <= MOST_PATH_CHARS, { message: 'the path is too long' })
  .refine((file) => PPTX.test(file), { message: 'it must end in .pptx' })
  .refine((file) => !file.split(/[/\\]/).includes('..'), { message: 'it must not contain ..' })
  .refine((file) => !insideWorkspace(file).startsWith('/'), { message: 'it must be in /workspace' })
  .refine((file) => !isOfApp(file), { message: 'the folder .hyperagent belongs to the app' });

const TemplateFile = z
  .string()
  .refine((file) => file.length <= MOST_PATH_CHARS, { message: 'the path is too long' })
  .refine((file) => /[^/]\.(?:pptx|potx)$/i.test(file), {
    message: 'it must end in .pptx or .potx',
  });

const SLOTS =
  'title: subtitle; agenda, bullets: items; section, closing: text; two_columns, comparison: left, right; quote: text, by; timeline, process: steps; table: columns, rows or file; chart: chart (or file, x, y: columns of csv, xlsx, json), text; image_text: image, items';

const GenerateSlidesInput = z.strictObject({
  title: absent(z.string().max(4_000).optional()),
  theme: z.preprocess(themeName, SlideTheme.optional()).optional(),
  file: absent(File.optional()),
  template: absent(TemplateFile.optional()).describe('.pptx whose look it takes'),
  // Models see the flat form; `readGivenSlide` reads what they write.
  slides: z
    .preprocess(listOf, z.array(z.unknown()))
    .meta({ items: z.toJSONSchema(GivenSlide), description: SLOTS }),
});
type GenerateSlidesInput = z.infer<typeof GenerateSlidesInput>;

/** Makes a presentation, or changes one that was made here. */
export function tool({ slides: maker }: Pick<ToolParts, 'slides'>): ToolDefinition {
  return defineTool({
    name: 'generate_slides',
    description:
      'Make a PowerPoint deck, laid out and checked. With its file: slides with number replace those, others are added; none: read it.',
    input: GenerateSlidesInput,
    question: ({ file }) =>
      file === undefined ? 'Make this presentation?' : 'Write this presentation?',
    risk: (input) => (isLook(input) ? 'low' : 'medium'),
    effect: (input) => {
      if (isLook(input)) return 'read';
      // What is added to a file that is there would be added twice.
      const isSame =
        input.file === undefined || input.slides.every((one) => numberOf(one) !== null);
      return isSame ? 'idempotent' : 'probeable';
    },
    subjects: (input) => ({ paths: namedFiles(input) }),
    maxResultChars: MOST_RESULT_CHARS,
    before: (input, context) => findStart(input, context),
    probe: (input, context) => probeOutcome(input, context, maker),
    run: async (input, context) => {
      if (isLook(input)) return await readDeck(context, maker);
      const { file, title, slides } = input;
      if (file === undefined && (title === undefined || slides.length === 0)) {
        const what = title === undefined ? 'title is missing' : 'slides is empty';
        return failed([
          `${what}. A new deck needs a title and slides; to change one, give its file.`,
        ]);
      }
      return await writeDeck(input, context, maker);
    },
  });
}

/** Nothing is to be changed in a deck: it is read. */
function isLook({ file, slides, title, theme, template }: GenerateSlidesInput): boolean {
  const isChanged = slides.length > 0 || [title, theme, template].some((one) => one !== undefined);
  return file !== undefined && !isChanged;
}

/** Where the deck may be written: to its file, or the first free one of several. */
function deckPaths({ file, title }: GenerateSlidesInput): string[] {
  if (file !== undefined) return [insideWorkspace(file)];
  return title === undefined ? [] : deckFiles(title);
}

/** All files that a call names: where it writes, and what it reads. */
function namedFiles(input: GenerateSlidesInput): string[] {
  const { template, slides } = input;
  const read = template === undefined ? [] : [insideWorkspace(template)];
  return [...deckPaths(input), ...filesOf(slides), ...read];
}

/** Where the deck is written, and what was there before. */
const Start = z.object({ path: z.string(), sha256: z.string().nullable() });
type Start = z.infer<typeof Start>;

async function findStart(input: GenerateSlidesInput, context: LookContext): Promise<Start> {
  const wanted = context.paths.slice(0, deckPaths(input).length);
  for (const path of wanted) {
    const before = await hashOf(path, context);
    if (before === null || input.file !== undefined) return { path, sha256: before };
  }
  throw new AppError('CONFLICT', 'There are many decks with this title. Give a file of your own.');
}

/** Null for a file that is not there. */
async function hashOf(path: string, { sandbox }: LookContext): Promise<string | null> {
  // A link may lead to a file of another kind.
  if (!PPTX.test(path) || isOfApp(path)) {
    throw new AppError('BAD_REQUEST', `${path} is no presentation. Choose another file.`);
  }
  try {
    const { data } = await sandbox.workspace.withoutLinks().read(path, MOST_DECK_BYTES);
    return sha256(data.toString('latin1'));
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}

async function writeDeck(
  input: GenerateSlidesInput,
  context: ToolContext,
  maker: SlideMaker,
): Promise<ToolOutput> {
  const { title, theme, slides: given } = input;
  const { sandbox, toolCallId, signal } = context;
  const stored = safeParse(Start, context.before);
  const start = stored.success ? stored.data : await findStart(input, context);
  const isNew = start.sha256 === null;
  if (isNew && (title === undefined || given.length === 0)) {
    return failed([`There is no ${start.path}. Give a title and slides to make it.`]);
  }
  const file = fileAt(start.path, context);
  const base = isNew ? null : (await maker.open(file, signal)).deck;
  const { placed, problems: misplaced } =
    base === null ? { placed: placeNew(given), problems: [] } : placeInto(base, given);
  const { slides, problems: wrong } = await readPlaced(placed, opened(input, context, maker));
  const repeated = base === null || misplaced.length > 0 ? [] : repeatedSlides(base, slides);
  const problems = [...misplaced, ...wrong, ...repeated];
  if (problems.length > 0) {
    const isReplacing = base !== null && wrong.length > 0;
    return failed([
      ...problems,
      ...(isReplacing ? ['A slide is replaced whole: give all its slots.'] : []),
    ]);
  }
  const used = await templateOf(input, { file, context, maker });
  if (typeof used === 'string') return failed([used]);
  const deck = changeDeck(base, { title, theme, template: used?.template, slides });
  if (!('slides' in deck)) return failed(deck);
  using watch = await sandbox.workspace.watch(toolCallId, [start.path]);
  const made = await maker.make(deck, file, signal);
  const events = changeEvents(toolCallId, await watch.end());
  const output = describe(made, start, 'written', used?.leftOut);
  return { ...output, events: events.map((one) => asFirst(one, start)) };
}

/** What a call takes as its template; null for nothing. A text says why it cannot be one. */
async function templateOf(
  input: GenerateSlidesInput,
  {
    file,
    context,
    maker,
  }: { readonly file: SlideFile; readonly context: ToolContext; readonly maker: SlideMaker },
): Promise<UsedTemplate | string | null> {
  if (input.template === undefined) return null;
  const path = opened(input, context, maker).pathOf(insideWorkspace(input.template));
  try {
    return await maker.takeTemplate(path, file, context.signal);
  } catch (error) {
    const isAboutFile = error instanceof AppError && TEMPLATE_FAULTS.has(error.code);
    if (isAboutFile) return `template: ${error.message}`;
    throw error;
  }
}

/** A new file is one for a call that is repeated after a crash too. */
function asFirst(event: RunEventDraft, { path, sha256: before }: Start): RunEventDraft {
  if (event.type !== 'workspace_update' || event.path !== path) return event;
  return { ...event, operation: before === null ? 'create' : 'modify' };
}

/** The output of a call that a crash interrupted, where its slides are in the deck; null where it is to be repeated. */
async function probeOutcome(
  input: GenerateSlidesInput,
  context: LookContext,
  maker: SlideMaker,
): Promise<ToolOutput | null> {
  const stored = safeParse(Start, context.before);
  if (!stored.success || stored.data.sha256 === null) return null;
  const start = stored.data;
  const now = await hashOf(start.path, context);
  if (now === null || now === start.sha256) return null;
  const open = await maker.open(fileAt(start.path, context), context.signal);
  const placed = input.slides.map((given, index) => ({ given, index }));
  const { slides, problems } = await readPlaced(placed, opened(input, context, maker));
  const read = slides.map(({ slide }) => slide);
  if (problems.length > 0 || !holdsChange(open.deck, read, input.slides)) return null;
  const { size } = await context.sandbox.workspace.withoutLinks().read(start.path, 0);
  const { toolCallId: origin } = context;
  const event = {
    type: 'workspace_update',
    operation: 'modify',
    path: start.path,
    size,
    origin,
  } as const;
  return { ...describe(open, start, 'written'), events: [event] };
}

async function readDeck(context: ToolContext, maker: SlideMaker): Promise<ToolOutput> {
  const [path = ''] = context.paths;
  const open = await maker.open(fileAt(path, context), context.signal);
  return describe(open, { path, sha256: '' }, 'read');
}

function describe(
  open: OpenDeck,
  { path, sha256: before }: Start,
  how: 'written' | 'read',
  leftOut: readonly string[] = [],
): ToolOutput {
  const { deck, pages, findings } = open;
  const slides = how === 'read' ? numberedSlides(deck) : [];
  const counts = `${count(deck.slides.length, 'slide')} on ${count(pages.length, 'page')}, ${deck.template === undefined ? `theme ${deck.theme}` : `template ${deck.template.name}`}`;
  const verb = before === null ? 'Made' : 'Changed';
  const head =
    how === 'read'
      ? `${path}: "${deck.title}", ${counts}. To change a slide, give it whole, with its number.`
      : `${verb} ${path}: ${counts}.`;
  const lines = describeFindings(open);
  const found =
    lines.length === 0
      ? 'No problems were found.'
      : `Problems, to be fixed by giving these slides again with their number:\n${lines.join('\n')}`;
  return {
    content: [head, ...leftOut, ...slides.map((slide) => JSON.stringify(slide)), found].join('\n'),
    data: {
      file: path,
      download_url: `workspace:${path}`,
      slide_count: deck.slides.length,
      page_count: pages.length,
      ...(leftOut.length === 0 ? {} : { left_out: leftOut }),
      // Slides count from 1, as everywhere in this tool.
      findings: findings.map(({ slide, ...finding }) => ({ ...finding, slide: slide + 1 })),
      ...(how === 'read' ? { title: deck.title, theme: deck.theme, slides } : {}),
    },
  };
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

function failed(problems: readonly string[]): ToolOutput {
  return {
    content: ['Nothing was written.', ...problems].join('\n'),
    ok: false,
    data: { problems },
  };
}

function fileAt(path: string, { threadId, sandbox }: LookContext): SlideFile {
  return { threadId, path, files: sandbox.workspace.withoutLinks() };
}

/** The files that slides name, opened only where they were cleared to lead. */
function opened(
  input: GenerateSlidesInput,
  { paths, sandbox, signal }: LookContext,
  maker: SlideMaker,
) {
  const named = namedFiles(input);
  const leads = new Map(named.map((path, i) => [path, paths[i] ?? path]));
  return {
    files: sandbox.workspace.withoutLinks(),
    pathOf: (path: string): string => leads.get(path) ?? path,
    readTable: (bytes: Buffer, kind: string) => maker.readTable(bytes, kind, signal),
  };
}

function isOfApp(file: string): boolean {
  return /^(?:\.\/+)*\.hyperagent(?:\/|$)/i.test(insideWorkspace(file));
}

function absent<Schema extends z.ZodType>(schema: Schema) {
  return z
    .preprocess((value) => (value === null || value === '' ? undefined : value), schema)
    .optional();
}

function themeName(given: unknown): unknown {
  if (typeof given !== 'string') return given ?? undefined;
  return given.trim().toLowerCase() || undefined;
}

function listOf(given: unknown): unknown {
  if (given === null || given === undefined || given === '') return [];
  return Array.isArray(given) ? given : [given];
}
