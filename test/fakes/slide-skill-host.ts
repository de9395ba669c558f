import { AppError } from '#contract/errors.ts';
import type {
  Deck,
  OfficeCheck,
  OpenDeck,
  Slide,
  SlideFinding,
  SlideLayout,
} from '#contract/slides.ts';
import type { ImagePlace } from '#main/images/types.ts';
import { HostWorkspace } from '#main/sandbox/workspace/host-workspace.ts';
import { skill } from '#main/skills/builtin/slide-generation/skill.ts';
import type { JsonObject, SkillHost, ToolAnswer } from '#main/skills/types.ts';
import { readDataTable } from '#main/slides/given/data-table.ts';
import type { SlideMaker } from '#main/slides/slide-service-types.ts';
import type { ToolParts } from '#main/tools/define-tool.ts';
import { tool as generateSlides } from '#main/tools/definitions/generate-slides.ts';
import type { ToolContext } from '#main/tools/types.ts';
import { temporaryDir } from '../main/storage/support.ts';
import { RuleChatModel } from './research-model.ts';
import { answerOf, openSkillLives, type SkillLife } from './skill-lives.ts';

/** A request to the model. */
export interface SlideRequest {
  readonly kind: 'queries' | 'outline' | 'slide';
  /** Of a slide, from 1. */
  readonly number: number;
  readonly layout: string;
  readonly turn: string;
  /** Whether the answer before did not fit. */
  readonly isRepair: boolean;
}

export interface SlideHostOptions {
  /** What the model says; undefined for a usable answer. */
  readonly answer?: (request: SlideRequest) => unknown;
  /** In the workspace before. */
  readonly files?: Readonly<Record<string, string | Buffer>>;
  /** Pages that the search finds, by their address; null where the search fails. */
  readonly pages?: Readonly<Record<string, string>> | null;
  /** What the check finds on a slide. */
  readonly check?: (slide: Slide, deck: Deck) => readonly Omit<SlideFinding, 'slide'>[];
  /** Why the tool refuses slides; null where it does not. */
  readonly refuse?: (slides: readonly JsonObject[]) => string | null;
  /** What the user answers, as `ask_user` words it. */
  readonly replies?: readonly string[];
  /** What `generate_image` answers, and where it would be made; without it there is no such tool. */
  readonly draw?: {
    readonly place: ImagePlace;
    readonly answer: (given: JsonObject) => ToolAnswer;
  };
  /** Why no file can be a template. */
  readonly badTemplate?: string;
  /** What LibreOffice shows; unless given, the same as the preview. */
  readonly office?: OfficeCheck;
  readonly contextWindow?: number;
  /** In place of one that keeps presentations in memory, in `decks`. */
  readonly maker?: SlideMaker;
}

export const LINES = ['Bees dance', 'Bees sleep'];
/** A usable answer for each layout. */
export const SLOTS: Readonly<Record<SlideLayout, JsonObject>> = {
  title: { subtitle: 'All about bees' },
  agenda: { items: LINES },
  section: { text: 'Hives' },
  bullets: { items: LINES },
  two_columns: { left: LINES, right: LINES },
  comparison: { left_title: 'Bees', left: LINES, right_title: 'Wasps', right: LINES },
  quote: { text: 'Bees first', by: 'Ana' },
  big_number: { numbers: [{ value: 'many', label: 'bees' }], text: '' },
  timeline: { steps: [{ name: 'Spring', text: 'They fly' }] },
  process: { steps: [{ name: 'Fly', text: 'They look for flowers' }] },
  table: { columns: ['Bee', 'Work'], rows: [['Ana', 'Flies']] },
  chart: { type: 'bar', categories: ['a', 'b'], series: [{ name: 's', values: ['7', null] }] },
  image_text: { image: 'bee.png', alt: 'A bee', items: LINES },
  team: { people: [{ name: 'Ana', role: 'Queen' }] },
  closing: { text: 'Plant flowers' },
};
export const planned = (layout: SlideLayout, title: string, points: readonly string[] = []) => ({
  ...{ layout, title, points },
});
export const outlineOf = (...slides: readonly ReturnType<typeof planned>[]) => ({
  ...{ title: 'On Bees', theme: 'forest' },
  slides: [planned('title', 'On Bees'), ...slides, planned('closing', 'Plant flowers')],
});
const OUTLINE = outlineOf(planned('bullets', 'Bees dance', ['They show the way']));

function requestOf(messages: readonly { readonly content: string }[]): SlideRequest {
  const [system = '', turn = ''] = messages.map(({ content }) => content);
  const isOutline = system.startsWith('You outline');
  const kind = isOutline ? 'outline' : system.startsWith('You write one') ? 'slide' : 'queries';
  const slide = /^Write slide (\d+), "[\s\S]*?"\. Layout: (\w+)\.$/m.exec(turn);
  const [, number = '0', layout = ''] = slide ?? [];
  return { kind, number: Number(number), layout, turn, isRepair: messages.length > 2 };
}

function usable({ kind, layout }: SlideRequest): unknown {
  if (kind === 'queries') return { queries: [] };
  if (kind === 'outline') return OUTLINE;
  return { ...SLOTS[layout as SlideLayout], title: '', notes: '', sources: [] };
}

/** A maker whose presentations are in memory; each has one page more than slides. */
function memoryMaker(check: NonNullable<SlideHostOptions['check']>, badTemplate: string | null) {
  const decks = new Map<string, Deck>();
  const opened = (path: string): OpenDeck => {
    const deck = decks.get(path);
    if (deck === undefined) throw new AppError('NOT_FOUND', `There is no ${path}.`);
    const findings = deck.slides.flatMap((slide, at) =>
      check(slide, deck).map((found) => ({ ...found, slide: at })),
    );
    const page = { slide: 0, title: '', text: '', notes: '' };
    const pages = Array.from({ length: deck.slides.length + 1 }, () => page);
    return { hash: 'h', deck, aspect: 16 / 9, pages, findings };
  };
  const maker: SlideMaker = {
    make: async (deck, { path, files }) => {
      await files.replace(path, JSON.stringify(deck));
      decks.set(path, deck);
      return opened(path);
    },
    open: async ({ path }) => opened(path),
    takeTemplate: async (path) => {
      if (badTemplate !== null) throw new AppError('BAD_REQUEST', badTemplate);
      const template = { name: path, hash: '0'.repeat(64) };
      return { template, leftOut: ['A picture of the template is left out.'] };
    },
    checkInOffice: async () => ({ state: 'not_checked', why: 'not installed' }),
    readTable: readDataTable,
  };
  return { maker, decks };
}

/** A host for the skill that makes slides: the tool itself, over a workspace on disk, with `memoryMaker`. */
export function openSlideHost(options: SlideHostOptions) {
  const { files = {}, pages = {}, check = () => [], refuse = () => null } = options;
  const workspace = new HostWorkspace(temporaryDir());
  const filled = Promise.all(
    Object.entries(files).map(([path, text]) => workspace.write(path, text)),
  );
  const replies = [...(options.replies ?? [])];
  const asked: SlideRequest[] = [];
  const calls: { readonly name: string; readonly given: JsonObject }[] = [];
  const ledger = new Map<string, ToolAnswer>();
  const { maker, decks } = memoryMaker(check, options.badTemplate ?? null);
  const definition = generateSlides({ slides: options.maker ?? maker } as Pick<
    ToolParts,
    'slides'
  >);
  const failed = (content: string): ToolAnswer => ({
    ...{ ok: false, status: 'error', content, data: null },
  });
  const model = new RuleChatModel(({ messages }) => {
    const request = requestOf(messages);
    asked.push(request);
    const said = options.answer?.(request) ?? usable(request);
    return typeof said === 'string' ? said : JSON.stringify(said);
  }, options.contextWindow);
  const makeSlides = async (given: JsonObject): Promise<ToolAnswer> => {
    const problem = refuse(given.slides as readonly JsonObject[]);
    if (problem !== null) return failed(problem);
    const input = definition.input.parse(given);
    const { paths = [] } = definition.subjects?.(input) ?? {};
    const looked = {
      ...{ threadId: 'thr_1', toolCallId: 'call', signal: new AbortController().signal },
      ...{ paths, sandbox: { workspace } },
    } as unknown as ToolContext;
    const before = await definition.before?.(input, looked);
    try {
      const { ok = true, content, data } = await definition.run(input, { ...looked, before });
      return { ok, status: ok ? 'ok' : 'error', content, data };
    } catch (error) {
      // As the pipeline answers.
      if (!(error instanceof AppError) || error.code !== 'NOT_FOUND') throw error;
      return failed(error.message);
    }
  };
  const results = (): readonly JsonObject[] =>
    Object.keys(pages ?? {}).map((url, at) => ({
      ...{ url, title: `Page ${at}`, snippet: 'On bees', publishedAt: null, provider: 'x' },
    }));
  const tools: Readonly<Record<string, (given: JsonObject) => Promise<ToolAnswer> | ToolAnswer>> = {
    generate_slides: makeSlides,
    web_search: () =>
      pages === null ? failed('The search service is down.') : answerOf(results()),
    sandbox_file: ({ path }) => answerOf(`Text of ${path}: ${files[String(path)]}`),
    fetch_page: ({ url }) => answerOf(pages?.[String(url)] ?? ''),
    ...(options.draw === undefined ? {} : { generate_image: options.draw.answer }),
    ask_user: () => answerOf(replies.shift() ?? 'The user did not answer. Decide yourself.'),
  };
  const host: Partial<SkillHost> = {
    toolNames: new Set(Object.keys(tools)),
    model: async () => model,
    call: async ({ name, arguments: given }, step) => {
      const known = ledger.get(step);
      if (known !== undefined) return known;
      calls.push({ name, given });
      await filled;
      const answer = (await tools[name]?.(given)) ?? failed('There is no such tool.');
      ledger.set(step, answer);
      return answer;
    },
    slides: {
      checkInOffice: async () => options.office ?? { state: 'checked', alike: [], problems: [] },
    },
    images: { place: async () => options.draw?.place ?? { where: 'elsewhere' } },
    files: {
      readBytes: async (path) => (await workspace.read(path, 1_000_000)).data,
      readFile: async (path) => {
        await filled;
        return (await workspace.read(path, 1_000_000)).data.toString('utf8');
      },
      writeFile: async () => undefined,
      listFiles: async () => {
        await filled;
        const { entries } = await workspace.list('.', { recursive: true });
        return entries.filter(({ kind }) => kind === 'file');
      },
    },
  };
  const made = (): readonly JsonObject[] =>
    calls.filter(({ name }) => name === 'generate_slides').map(({ given }) => given);
  return { host, model, asked, calls, decks, made };
}

/** Lets the skill make a presentation on bees. */
export async function makeSlides(options: SlideHostOptions, params: JsonObject = {}) {
  const opened = openSlideHost(options);
  const life = openSkillLives([skill]).life({ host: opened.host });
  const outcome = await life.execute('slide_generation', { request: 'Bees.', ...params });
  const output = (outcome.ok ? outcome.output : {}) as Record<string, string[]> & JsonObject;
  const error = outcome.ok ? null : outcome.error;
  const deck = opened.decks.get(String(output.file))?.slides ?? [];
  return { ...opened, outcome, output, error, stages: stagesOf(life), deck, events: life.events };
}

/** The stages that were completed, in their order. */
export function stagesOf(life: SkillLife): (string | undefined)[] {
  return life
    .emitted()
    .filter((stage) => stage.endsWith('completed') && stage.includes('.'))
    .map((stage) => /\.(\w+)/.exec(stage)?.[1]);
}
