import { z } from 'zod';
import { AppError, type ErrorCode } from '#contract/errors.ts';
import { safeParse } from '#contract/safe-parse.ts';
import { scanResult } from '../../../guardrails/injection-scan.ts';
import { bestExcerpts } from '../../../research-text/excerpts.ts';
import { rankFound } from '../../../research-text/rank-found.ts';
import type { JsonObject, SkillContext } from '../../types.ts';
import { profileFiles } from '../data-analysis/data-profile.ts';
import { describeProfile } from '../data-analysis/describe-profile.ts';
import { distinct } from '../web-research/plan-queries.ts';
import { readPages } from '../web-research/read-pages.ts';
import { once } from '../web-research/settled.ts';
import { fittedPrompt } from './material.ts';
import { QUERIES_PROMPT } from './prompts.ts';
import type { Material, MaterialDocument, SlideTask } from './types.ts';

const QUERIES = 3;
const RESULTS = 6;
const PAGES = 4;
const FILES = 8;
const FILE_CHARS = 200_000;
const EXCERPTS = 2;
/** Longer requests are the material themselves. */
const TELLING_CHARS = 1_500;

const PICTURE = /\.(?:png|jpe?g)$/i;
const TEXT = /\.(?:txt|md|markdown|rst|html?|json|ya?ml|tex|srt|vtt)$/i;
const DATA_TEXT = /\.(?:csv|tsv|tab)$/i;
/** What the app reads as text, though its bytes are none. */
const DOCUMENT = /\.(?:pdf|docx|docm|dotx|pptx|pptm|ppsx)$/i;
/** Why a program of the app may not have read a file. */
const UNREAD: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['SKILL_FAILED', 'TOOL_DENIED']);
/** Data that only a program can read. */
const DATA_PACKED =
  /\.(?:xlsx|xlsm|xls|xlsb|ods|parquet|pq|sqlite|sqlite3|db)$|\.(?:csv|tsv)\.gz$/i;

export interface FoundMaterial extends Material {
  /** The pages, as numbered in the run. */
  readonly sources: readonly {
    readonly index: number;
    readonly url: string;
    readonly title: string;
  }[];
  /** What was not read, and why. */
  readonly notes: readonly string[];
}

/** What the slides may be made of besides the request: files of the workspace, else pages of the web. */
export async function findMaterial(
  task: SlideTask,
  params: JsonObject,
  context: SkillContext,
): Promise<FoundMaterial> {
  const { paths, isGiven } = await chooseFiles(params.files, task, context);
  const read = await readFiles(paths, context);
  const { documents, pictures, notes } = read;
  if (isGiven && documents.length === 0 && pictures.length === 0) {
    throw new AppError('SKILL_FAILED', `None of the files could be read. ${notes.join(' ')}`);
  }
  const onlyFiles = { ...read, sources: [] };
  const mode = params.research;
  const isEnough = isGiven || task.request.length > TELLING_CHARS;
  if (mode === 'none' || (mode === 'auto' && isEnough)) return onlyFiles;
  const queries = await chooseQueries(task, { material: read, isWanted: mode === 'web' }, context);
  if (queries.length === 0) return onlyFiles;
  const web = await searchWeb(queries, task, context);
  return {
    pictures,
    documents: numbered([...documents, ...web.pages]),
    sources: web.sources,
    notes: [...notes, ...web.notes],
  };
}

function numbered(documents: readonly Omit<MaterialDocument, 'number'>[]): MaterialDocument[] {
  return documents.map((document, index) => ({ ...document, number: index + 1 }));
}

/** The files that are named, by the parameter or in the request; else the readable ones at the top of the workspace. */
async function chooseFiles(
  given: unknown,
  { request, template }: SlideTask,
  context: SkillContext,
): Promise<{ readonly paths: readonly string[]; readonly isGiven: boolean }> {
  const named = safeParse(z.array(z.string().min(1)), given ?? []);
  if (!named.success) {
    throw new AppError('SKILL_INPUT_INVALID', 'files: must be paths of files of the workspace.');
  }
  const inside = (path: string): string => path.replace(/^\/?(?:workspace\/+)?/, '');
  const look = template === null ? null : inside(template);
  const material = named.data.map(inside).filter((path) => path !== look);
  if (material.length > 0) return { paths: [...new Set(material)], isGiven: true };
  const found = await context.once('files', async () => {
    const files = await context.services.sandbox.listFiles();
    return files.map(({ path }) => inside(path)).sort();
  });
  const readable = found.filter(
    (path) =>
      path !== look &&
      [PICTURE, TEXT, DATA_TEXT, DOCUMENT, DATA_PACKED].some((kind) => kind.test(path)),
  );
  const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const wanted = readable.filter((path) => request.toLowerCase().includes(nameOf(path)));
  if (wanted.length > 0) return { paths: wanted.slice(0, FILES), isGiven: true };
  return { paths: readable.filter((path) => !path.includes('/')).slice(0, FILES), isGiven: false };
}

/** The texts of files, and why others have none. */
async function readFiles(
  paths: readonly string[],
  context: SkillContext,
): Promise<Material & { readonly notes: readonly string[] }> {
  const documents: Omit<MaterialDocument, 'number'>[] = [];
  const notes: string[] = [];
  const packed = paths.filter((path) => DATA_PACKED.test(path));
  const pictures = paths.filter((path) => PICTURE.test(path));
  for (const path of paths) {
    if (packed.includes(path) || pictures.includes(path)) continue;
    context.progress(`Reading ${path}`);
    const read = await once(context, `file ${path}`, () => readText(path, context));
    const kind = DATA_TEXT.test(path) ? 'data' : 'text';
    if (read.ok) documents.push({ kind, source: path, title: path, text: read.value });
    else notes.push(`${path} was not read: ${read.error.message}`);
  }
  if (packed.length === 0) return { documents: numbered(documents), pictures, notes };
  try {
    const { files } = await profileFiles(packed, context);
    for (const file of files) {
      const { path: source, error } = file;
      const text = describeProfile({ files: [file] }, FILE_CHARS);
      if (error === undefined) documents.push({ kind: 'data', source, title: source, text });
      else notes.push(`${source} was not read: ${error.message}`);
    }
  } catch (error) {
    const isExpected = error instanceof AppError && UNREAD.has(error.code);
    if (!isExpected) throw error;
    notes.push(`${packed.join(', ')} were not read: ${error.message}`);
  }
  return { documents: numbered(documents), pictures, notes };
}

/** Throws an `AppError` that says why it cannot be read. */
async function readText(path: string, { services, tools }: SkillContext): Promise<string> {
  if (DOCUMENT.test(path) && tools.has('sandbox_file')) {
    const given = { operation: 'read', path };
    const { ok, status, content, data } = await tools.call('sandbox_file', given);
    if (!ok) throw new AppError(status === 'denied' ? 'TOOL_DENIED' : 'TOOL_FAILED', content);
    return typeof data === 'string' ? data : content;
  }
  const text = await services.sandbox.readFile(path).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'FILE_TOO_LARGE') throw error;
    throw new AppError('BAD_REQUEST', error.message, { cause: error });
  });
  if (text.includes('\0') || text.includes('\ufffd\ufffd')) {
    throw new AppError('BAD_REQUEST', 'It is not text. Give it as text, PDF, Word or PowerPoint.');
  }
  return text.slice(0, FILE_CHARS);
}

async function chooseQueries(
  task: SlideTask,
  { material, isWanted }: { readonly material: Material; readonly isWanted: boolean },
  context: SkillContext,
): Promise<string[]> {
  const job = isWanted
    ? 'The user wants facts from the web: give 1 to 3 queries.'
    : 'Which queries, if any?';
  const parts = { system: QUERIES_PROMPT, job, query: task.request };
  const prompt = await fittedPrompt(parts, { task, material }, context);
  const asked = await once(context, 'queries', () =>
    context.services.llm.askFor({
      ...{ ...prompt, tier: 'flash', temperature: 0 },
      schema: z.object({ queries: z.array(z.string()) }),
    }),
  );
  const queries = distinct(asked.ok ? asked.value.queries : [], []).slice(0, QUERIES);
  return queries.length === 0 && isWanted ? distinct([task.request], []) : queries;
}

/** Nothing that fails here is fatal: the notes say it. */
async function searchWeb(
  queries: readonly string[],
  { request }: SlideTask,
  context: SkillContext,
) {
  const notes: string[] = [];
  context.progress(`Searching for: ${queries.join('; ')}`);
  const lists = [];
  for (const query of queries) {
    const found = await once(context, `search ${query}`, () =>
      context.services.search.search(query, { limit: RESULTS }),
    );
    if (found.ok) lists.push(found.value);
    else notes.push(`The search for "${query}" failed: ${found.error.message}`);
  }
  const topic = [request, ...queries].join('\n');
  const found = rankFound(lists, { query: topic, seen: [], most: PAGES * 2 });
  const tried = await readPages(found, { wanted: PAGES, before: [], context });
  const read = tried.flatMap(({ text, ...page }) => (text === null ? [] : [{ ...page, text }]));
  if (lists.length > 0 && read.length === 0) notes.push('No page that was found could be read.');
  const first = context.firstSource();
  const isHonest = (text: string): boolean => scanResult(text).length === 0;
  const sources = read.map(({ url, title, snippet, provider: foundBy, text }, at) => {
    const quotes = bestExcerpts(text, topic, EXCERPTS).filter(isHonest);
    const excerpts = quotes.map((quote, index) => ({ number: index + 1, text: quote }));
    const source = { index: first + at, url, title: isHonest(title) ? title : url };
    const shown = isHonest(snippet) ? { snippet } : {};
    context.emit({ type: 'source', ...source, ...shown, foundBy, excerpts });
    return source;
  });
  const pages = read.map(({ url, title, text }) => ({
    ...{ kind: 'page' as const, source: url, title, text },
  }));
  return { pages, sources, notes };
}
