import type { RunEvent, RunEventOf } from '#contract/events/run-event.ts';
import type { Style } from './style.ts';
import { plainTerminalText, showControls } from './visible-text.ts';

type ResearchEvent = RunEventOf<'source' | 'search_plan' | 'knowledge_update' | 'report'>;

/** What a run says of its research, as lines: what is looked for, how much is answered, sources, the report. */
export class ResearchLines {
  readonly #style: Style;
  readonly #sources = new Map<number, RunEventOf<'source'>>();
  readonly #asked = new Set<string>();

  constructor(style: Style) {
    this.#style = style;
  }

  /** The lines that an event is worth; none for a source that is told again. */
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

  /** The sources that words were kept of, with these words, but for those that the answer has. */
  end(answer: string): string[] {
    const said = plain(answer);
    const used = [...this.#sources.values()]
      .map(({ excerpts = [], ...source }) => ({
        ...source,
        excerpts: excerpts.filter(({ text }) => !said.includes(plain(text))),
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
    const fresh = subQuestions.filter((question) => !this.#asked.has(question));
    for (const question of fresh) this.#asked.add(question);
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
    // What stands in the report need not be told beside it.
    const list = (head: string, texts: readonly string[]): string[] =>
      texts
        .filter((text) => !markdown.includes(text))
        .map((text) => `    ${head}: ${showControls(oneLine(text))}`);
    return [
      `▣ ${this.#style.bold(showControls(title))}${where}`,
      this.#dim(
        `    ${count(citations.length, 'citation')}, ${doubtful.length} of them doubtful; ${count(contradictions.length, 'contradiction')}, ${count(gaps.length, 'open point')}`,
      ),
      ...doubtful.map(({ sourceIndex, claim }) =>
        this.#style.yellow(`    doubtful [${sourceIndex}]: ${showControls(oneLine(claim))}`),
      ),
      ...list('agreed', agreements),
      ...list('contradiction', contradictions),
      ...list('not known', gaps),
    ];
  }

  #dim(text: string): string {
    return this.#style.dim(showControls(text));
  }
}

export function isResearchEvent(event: RunEvent): event is ResearchEvent {
  const { type } = event;
  return (
    type === 'source' || type === 'search_plan' || type === 'knowledge_update' || type === 'report'
  );
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

/** Words without what Markdown puts between them. */
function plain(text: string): string {
  return text
    .replace(/\\(?=\S)/g, '')
    .replace(/[\s>]+/g, ' ')
    .trim();
}

function oneLine(text: string): string {
  return plainTerminalText(text).replace(/\s+/g, ' ').trim();
}
