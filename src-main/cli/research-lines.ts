import type { RunEvent, RunEventOf } from '#contract/events/run-event.ts';
import type { Style } from './style.ts';
import { plainTerminalText, showControls } from './visible-text.ts';

const RESEARCH_TYPES = ['source', 'search_plan', 'knowledge_update', 'report'] as const;
export type ResearchEvent = RunEventOf<(typeof RESEARCH_TYPES)[number]>;

/** Formats the research events of a run as lines: searches, progress, sources, the report. */
export class ResearchLines {
  readonly #style: Style;
  readonly #sources = new Map<number, RunEventOf<'source'>>();
  readonly #printedQuestions = new Set<string>();

  constructor(style: Style) {
    this.#style = style;
  }

  /** The lines for an event; none for a source that was already printed. */
  of(event: ResearchEvent): string[] {
    switch (event.type) {
      case 'source':
        return this.#source(event);
      case 'search_plan':
        return this.#searchPlan(event);
      case 'knowledge_update':
        return this.#knowledge(event);
      case 'report':
        return this.#report(event);
    }
  }

  /** Sources with their excerpts, except excerpts that the answer already contains. */
  end(answer: string): string[] {
    const answerText = plain(answer);
    const used = [...this.#sources.values()]
      .map(({ excerpts = [], ...source }) => ({
        ...source,
        excerpts: excerpts.filter(({ text }) => !answerText.includes(plain(text))),
      }))
      .filter(({ excerpts }) => excerpts.length > 0)
      .sort((a, b) => a.index - b.index);
    if (used.length === 0) return [];
    return [
      '',
      this.#style.bold('Sources'),
      ...used.flatMap(({ index, title, url, foundBy, excerpts }) => [
        `[${index}] ${showControls(title)} ${this.#dim(url)}${foundBy === undefined ? '' : this.#dim(` (${foundBy})`)}`,
        ...excerpts.map(({ text }) => this.#dim(`    “${oneLine(text)}”`)),
      ]),
    ];
  }

  #source(event: RunEventOf<'source'>): string[] {
    const isNew = !this.#sources.has(event.index);
    this.#sources.set(event.index, event);
    return isNew ? [this.#dim(`[${event.index}] ${event.title} ${event.url}`)] : [];
  }

  #searchPlan({
    queries,
    subQuestions = [],
    depth,
    scenario,
  }: RunEventOf<'search_plan'>): string[] {
    const fresh = subQuestions.filter((question) => !this.#printedQuestions.has(question));
    for (const question of fresh) this.#printedQuestions.add(question);
    const kind = [depth, scenario].filter((one) => one !== undefined).join(', ');
    const lines = fresh.map((question) => `    ? ${question}`);
    const head = fresh.length === 0 ? [] : [`· questions${kind === '' ? '' : ` (${kind})`}:`];
    return [...head, ...lines, `· searching: ${queries.join(' · ')}`].map((line) =>
      this.#dim(line),
    );
  }

  #knowledge({ summary, coverage, openQuestions }: RunEventOf<'knowledge_update'>): string[] {
    const share = coverage === undefined ? '' : `${Math.round(coverage * 100)} % answered: `;
    const open = openQuestions.map((question) => `    still open: ${question}`);
    return [`· ${share}${summary}`, ...open].map((line) => this.#dim(line));
  }

  #report({ title, path, citations, markdown, ...found }: RunEventOf<'report'>): string[] {
    const { agreements, contradictions, gaps } = found;
    const doubtful = citations.filter(({ supported }) => !supported);
    const where = path === undefined ? '' : ` ${this.#dim(`(${path})`)}`;
    // Points that the report contains are not repeated.
    const list = (head: string, texts: readonly string[]): string[] =>
      texts
        .filter((text) => !markdown.includes(text))
        .map((text) => `    ${head}: ${showControls(oneLine(text))}`);
    return [
      `▣ ${this.#style.bold(showControls(title))}${where}`,
      this.#dim(
        `    ${count(citations.length, 'citation')}, ${doubtful.length} of them doubtful; ${count(contradictions.length, 'contradiction')}, ${count(gaps.length, 'open point')}`,
      ),
      ...doubtful.map(({ sourceIndex, claim, unchecked = false }) =>
        this.#style.yellow(
          `    ${unchecked ? 'not checked' : 'doubtful'} [${sourceIndex}]: ${showControls(oneLine(claim))}`,
        ),
      ),
      ...list('agreement', agreements),
      ...list('contradiction', contradictions),
      ...list('open point', gaps),
    ];
  }

  #dim(text: string): string {
    return this.#style.dim(showControls(text));
  }
}

export function isResearchEvent(event: RunEvent): event is ResearchEvent {
  return RESEARCH_TYPES.some((type) => type === event.type);
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

/** Text without Markdown escapes, quote marks and line breaks. */
function plain(text: string): string {
  return text
    .replace(/\\(?=\S)/g, '')
    .replace(/[\s>]+/g, ' ')
    .trim();
}

function oneLine(text: string): string {
  return plainTerminalText(text).replace(/\s+/g, ' ').trim();
}
