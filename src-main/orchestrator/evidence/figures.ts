import { setImmediate as nextTurn } from 'node:timers/promises';
import type { MadeCall } from '../../agents/types.ts';
import { NumberEvidence } from '../../skills/builtin/data-analysis/number-evidence.ts';
import { numbersIn, type StatedNumber } from '../../skills/builtin/data-analysis/numbers.ts';
import { type Folded, foldedConstants, literalsOf } from './constant-values.ts';
import { cellsOf, countsIn, factorsOf } from './derived-figures.ts';
import { computes, readsInCode, readsInShell } from './program-inputs.ts';
import {
  changesOf,
  fileCallOf,
  isCommand,
  isShell,
  printedBy,
  sourceOf,
  tidyPath,
} from './program-source.ts';
import { kindOf, subjectsOf, UNITS } from './quantities.ts';
import { shellCommands } from './shell-commands.ts';

/** Longest text that is searched for numbers at once; longer ones are searched in pieces. */
const PIECE_CHARS = 16_000;

/** Of a program with the files of the run that it names; what is behind that is not looked at. */
const SOURCE_CHARS = 40_000;

/** Places where a small number shapes output without being it: formats, slices, limits, comparisons. */
const SHAPING =
  /:[<>^+,]?\d{0,9}\.?\d{0,9}[dfeg%]\}|\[[^[\]\n'":]{0,80}:[^[\]\n'"]{0,80}\]|(?<=[\w)\]])\[\s{0,9}-?\d+\s{0,9}\]|\b(?:round|head|tail|sample|nlargest|nsmallest|toFixed|slice|limit|range|exit|figsize|sleep)\s{0,9}=?\s{0,9}\([^()]*\)|\b(?:limit|n|dpi|axis|indent|figsize|timeout|sep|decimals|precision|LIMIT)\s{0,9}[= ]\s{0,9}\(?\s{0,9}\d+(?:,\s{0,9}\d+\))?|[<>=!]=?\s{0,9}\d+\b(?!\s{0,99}\n)|[*/%]{1,2}\s{0,9}\d+\b|(?<=\s)-[a-zA-Z]{1,20}\s?\d+\b/g;

/** Figures that a run has shown, to check what it claims against. */
export class ShownFigures {
  readonly #shown = new NumberEvidence();
  /** What the user named. */
  readonly #given = new NumberEvidence();
  /** What was read from data and pages: programs may be given it, as what the user named. */
  readonly #known = new NumberEvidence();
  /** What the run itself wrote into files, by their names. */
  readonly #written = new Map<string, string[]>();
  readonly #texts: string[] = [];
  /** How many lines, entries and columns the texts have that were read, printed or written. */
  readonly #counts = new Set<number>();
  /** What programs printed, which may speak against a small number. */
  readonly #printed: string[] = [];
  readonly #named = new Set<string>();
  readonly #byKind = new Map<string | null, NumberEvidence>();
  #outputs = 0;

  /** `prompt`: the user's own words. `calls`: oldest first. */
  constructor(prompt: string, calls: readonly MadeCall[]) {
    addTo(this.#given, prompt.slice(0, SOURCE_CHARS));
    for (const call of calls) this.#add(call);
  }

  /** The same, without holding the thread for all calls at once. */
  static async of(prompt: string, calls: readonly MadeCall[]): Promise<ShownFigures> {
    const figures = new ShownFigures(prompt, []);
    for (const call of calls) {
      await nextTurn();
      figures.#add(call);
    }
    return figures;
  }

  /** Whether anything of the run could show a figure. */
  get isEmpty(): boolean {
    return this.#outputs === 0;
  }

  /** Whether output that no program only repeats contains these words. */
  hasWords(words: string): boolean {
    const wanted = words.toLowerCase();
    return this.#texts.some((text) => text.toLowerCase().includes(wanted));
  }

  /** The figures of a statement that nothing has shown, as they are written. */
  unshown(statement: string): string[] {
    return this.#shown.unsupported(statement);
  }

  /** A line of output that says otherwise about what the statement speaks of; null if there is none. */
  opposing(statement: string, from: 'all' | 'programs' = 'all'): string | null {
    // Another unit may be another number.
    if (UNITS.test(statement)) return null;
    const about = subjectsOf(statement);
    const texts = from === 'all' ? this.#texts : this.#printed;
    const lines = texts.flatMap((text) => text.split('\n'));
    const numeric = lines.filter((line) => /\d/.test(line));
    const sameSubject = (line: string): boolean =>
      subjectsOf(line).some((word) => about.includes(word));
    const named = numeric.filter(sameSubject);
    const only = numeric.length === 1 && subjectsOf(numeric[0] ?? '').length === 0 ? numeric : [];
    return [...named, ...only].at(-1)?.trim().slice(0, 120) ?? null;
  }

  /** Whether the figure was shown of another kind of quantity only: a sum where an average is claimed. */
  isOfOther(figure: string, statement: string): boolean {
    const claimed = kindOf(statement);
    if (claimed === null) return false;
    const kinds = this.#kinds();
    const isShownAs = (kind: string | null): boolean =>
      kinds.get(kind)?.unsupported(figure).length === 0;
    return !isShownAs(null) && !isShownAs(claimed) && [...kinds.keys()].some(isShownAs);
  }

  /** What the lines of output show, by the kind of quantity that each names. */
  #kinds(): ReadonlyMap<string | null, NumberEvidence> {
    if (this.#byKind.size > 0) return this.#byKind;
    const lines = this.#texts.flatMap((text) => text.split('\n'));
    for (const line of lines) {
      const kind = kindOf(line);
      const shown = this.#byKind.get(kind) ?? new NumberEvidence();
      addTo(shown, line);
      this.#byKind.set(kind, shown);
    }
    return this.#byKind;
  }

  /** Whether the statement is about something that the outputs name. */
  isAbout(statement: string): boolean {
    const about = new Set(subjectsOf(statement));
    return (
      this.opposing(statement) !== null || [...this.#subjects()].some((word) => about.has(word))
    );
  }

  /** What the outputs name. */
  #subjects(): ReadonlySet<string> {
    const texts = this.#named.size === 0 ? this.#texts : [];
    for (const text of texts) for (const word of subjectsOf(text)) this.#named.add(word);
    return this.#named;
  }

  /** Whether a text of the run has so many lines, entries or columns. */
  isCounted(figure: string): boolean {
    return numbersIn(figure).some(({ readings }) =>
      readings.some(({ value }) => this.#counts.has(value)),
    );
  }

  /** Whether the user named this figure. */
  isGiven(figure: string): boolean {
    return this.#given.unsupported(figure).length === 0;
  }

  #isKnown(figure: string): boolean {
    return this.isGiven(figure) || this.#known.unsupported(figure).length === 0;
  }

  #add(call: MadeCall): void {
    if (isCommand(call)) this.#addProgram(call);
    else this.#addOther(call);
  }

  #addOther(call: MadeCall): void {
    const { name, status, content } = call;
    const given = fileCallOf(call);
    if (given !== null) {
      const file = nameOf(tidyPath(given.path));
      if (given.operation === 'write') {
        this.#note(file, String(given.content ?? ''));
        this.#count(String(given.content ?? ''));
      }
      if (given.operation === 'move') {
        for (const text of this.#written.get(file) ?? [])
          this.#note(nameOf(tidyPath(given.destination)), text);
      }
      if (given.operation !== 'read' || status !== 'ok') return;
      this.#count(content);
      this.#show(content, (this.#written.get(file) ?? []).join('\n'), call);
      return;
    }
    if (status !== 'ok' || WITHOUT_FIGURES.has(name)) return;
    this.#outputs += 1;
    addTo(this.#shown, content);
    addTo(this.#known, content);
    this.#texts.push(content);
  }

  #addProgram(call: MadeCall): void {
    const source = this.#wholeSource(sourceOf(call));
    if (call.status === 'ok') this.#show(printedBy(call), source, call);
    for (const { path, operation } of changesOf(call)) {
      if (operation !== 'delete') this.#note(nameOf(path), source);
    }
    // What a failed or shortened result does not name.
    for (const [, path = ''] of sourceOf(call).matchAll(/>>?\s*["']?([\w./-]+)/g)) {
      this.#note(nameOf(path), source);
    }
  }

  #show(printed: string, source: string, call: MadeCall): void {
    this.#outputs += 1;
    const { values, isNothingButStated } = this.#statedBy(source, call);
    if (isNothingButStated) return;
    for (const piece of piecesOf(printed)) {
      this.#shown.add(piece, values);
      this.#shown.add(cellsOf(piece), values);
    }
    if (source === '') addTo(this.#known, printed);
    const words = source.toLowerCase().replaceAll(/[\s"'+]/g, '');
    const lines = printed.split('\n');
    const text = lines
      .filter((line) => {
        const plain = line.toLowerCase().replaceAll(/[\s"'+]/g, '');
        return plain !== '' && !words.includes(plain);
      })
      .join('\n');
    this.#texts.push(text);
    if (isCommand(call)) this.#printed.push(text);
  }

  /** The source with that of the files of the run that it names: scripts, and data that the run wrote. */
  #wholeSource(source: string): string {
    const seen = new Set<string>();
    let whole = source.slice(0, SOURCE_CHARS);
    // Only what was added last can name more.
    for (let added = whole; added !== ''; ) {
      const readsAll = /[*?]\.\w|\/\*|listdir|glob|walk|\bls\b/.test(added);
      const texts: string[] = [];
      for (const [file, known] of this.#written) {
        if (seen.has(file) || !(readsAll || names(added, file))) continue;
        seen.add(file);
        texts.push(...known);
      }
      const room = SOURCE_CHARS - whole.length;
      added = texts.length === 0 || room <= 0 ? '' : `\n${texts.join('\n')}`.slice(0, room);
      whole += added;
    }
    return whole;
  }

  #count(text: string): void {
    for (const count of countsIn(text)) this.#counts.add(count);
  }

  #note(file: string, text: string): void {
    const known = this.#written.get(file) ?? [];
    if (file !== '' && !known.includes(text)) this.#written.set(file, [...known, text]);
  }

  /** The numbers that a source states, which its output therefore does not show. */
  #statedBy(
    source: string,
    call: MadeCall,
  ): { readonly values: ReadonlySet<number>; readonly isNothingButStated: boolean } {
    if (source === '') return { values: new Set(), isNothingButStated: false };
    const plain = source.slice(0, SOURCE_CHARS).replaceAll(/(?<=\d)_(?=\d)/g, '');
    const reads = isShell(call) ? readsInShell(plain) : readsInCode(plain);
    const literals = literalsOf(plain);
    const stated = new Set<number>();
    const include = (text: string): void => {
      // `2,88.1` of a table is two numbers.
      const apart = text.includes(',') ? `\n${text.replaceAll(',', ' ')}` : '';
      for (const piece of piecesOf(text + apart))
        for (const one of numbersIn(piece)) addValues(one, stated);
    };
    const numbers = piecesOf(plain).flatMap(numbersIn);
    if (reads || plain.includes(',')) include(reads ? plain.replaceAll(SHAPING, ' ') : plain);
    else for (const one of numbers) addValues(one, stated);
    for (const { kind, text } of literals) {
      if (kind === 'number' && !reads) stated.add(Number(text));
    }
    for (const text of literals.flatMap(({ kind, text }) => (kind === 'string' ? [text] : []))) {
      for (const hidden of hiddenIn(text)) include(hidden);
    }
    // Numbers of three digits and more belong to no shape.
    for (const one of numbers) {
      if (digitsOf(one) >= 3 && !isYear(one)) addValues(one, stated);
    }
    const folded = foldedIn(plain, isShell(call));
    for (const one of folded) {
      if (!this.#isOfGiven(one) && (reads || !isCalculation(one))) include(textOf(one.value));
    }
    if (!reads) for (const text of assembled(literals)) include(text);
    const telling = new Set(literals.map(({ text }) => text).filter((text) => /\d/.test(text)));
    const isGiven = [...telling].some((text) => /\d\d|^\d$/.test(text) && this.#isKnown(text));
    const isNothingButStated =
      !reads && !computes(plain) && !isGiven && !folded.some(isCalculation);
    return { values: stated, isNothingButStated };
  }

  /** Made of numbers that the user or data named, and of small ones: 98 °F as (98 - 32) * 5 / 9. */
  #isOfGiven({ from }: Folded): boolean {
    const figures = from.flatMap((text) => numbersIn(text.replaceAll(/['"`]/g, '')));
    const isKnown = figures.map(
      (one) => this.#isKnown(one.text) || factorsOf(one).some((text) => this.#isKnown(text)),
    );
    return (
      isKnown.some((known, i) => known && figures[i] !== undefined) &&
      figures.every((one, i) => isKnown[i] === true || digitsOf(one) < 3)
    );
  }
}

/** A product of short numbers, such as 7 * 24 * 60 * 60: not a figure in disguise, as 98000 + 765 is. */
function isCalculation({ value, from }: Folded): boolean {
  const result = Number(typeof value === 'object' ? Number.NaN : value);
  if (Number.isNaN(result) || !from.every((text) => /^[\d._]+$/.test(text))) return false;
  const figures = from.flatMap(numbersIn);
  const values = figures.map(({ readings }) => readings[0]?.value ?? 0);
  const [whole] = numbersIn(String(result));
  return (
    figures.length > 1 &&
    whole !== undefined &&
    result > values.reduce((sum, one) => sum + one, 0) &&
    figures.every((one) => digitsOf(one) < 3 && digitsOf(one) < digitsOf(whole))
  );
}

/** Results that say what happened and show no data. */
const WITHOUT_FIGURES: ReadonlySet<string> = new Set([
  ...['list_skills', 'load_skill', 'complete_skill_step', 'request_human_approval', 'run_tests'],
]);

function foldedIn(source: string, isInShell: boolean): Folded[] {
  const texts = [source];
  if (isInShell) {
    const words = shellCommands(source).flatMap(({ words }) => words);
    texts.push(...words.filter((word) => /[+*/(-]/.test(word)), substituted(source));
  }
  return foldedConstants(texts);
}

/** Words of a shell program with the variables that it sets to constants. */
function substituted(source: string): string {
  const values = new Map<string, string>();
  const lines = shellCommands(
    source.replaceAll(/\b(\w+)=(["']?)([\w.]+)\2(?=[\s;&|]|$)/g, (all, name, _q, value) => {
      values.set(name, value);
      return all;
    }),
  ).map(({ words }) =>
    words.join(' ').replaceAll(/\$\{?(\w+)\}?/g, (all, name: string) => values.get(name) ?? all),
  );
  return lines.join('\n');
}

/** What a string literal hides: itself backwards, or decoded. */
function hiddenIn(literal: string): string[] {
  const text = literal.replace(/^[a-zA-Z]*['"`]+|['"`]+$/g, '');
  const found = [[...text].reverse().join('')];
  if (/^[A-Za-z\d+/]{4,}={0,2}$/.test(text))
    found.push(Buffer.from(text, 'base64').toString('latin1'));
  if (/^(?:[\da-fA-F]{2}){2,}$/.test(text)) found.push(Buffer.from(text, 'hex').toString('latin1'));
  return found.filter((one) => /^[\x20-\x7e\n]+$/.test(one) && /\d/.test(one));
}

/** Figures put together from the digits or the character codes of a source that reads nothing. */
function assembled(literals: readonly { readonly text: string }[]): string[] {
  const numbers = literals.flatMap(({ text }) => text.match(/\d+(?:\.\d+)?/g) ?? []);
  const codes = numbers.map(Number).filter((code) => code >= 44 && code <= 57);
  const chars = String.fromCharCode(...codes);
  const joined: string[] = [chars, [...chars].reverse().join('')];
  for (let from = 0; from < Math.min(numbers.length, 60); from += 1) {
    for (let to = from + 1; to <= from + 12; to += 1) joined.push(numbers.slice(from, to).join(''));
  }
  return [joined.join('\n')];
}

function addValues({ readings, parts }: StatedNumber, values: Set<number>): void {
  for (const { value } of readings) values.add(value);
  for (const part of parts) addValues(part, values);
}

function textOf(value: Folded['value']): string {
  return typeof value === 'object' ? value.map(textOf).join('\n') : String(value);
}

function digitsOf({ readings }: StatedNumber): number {
  const digits = readings.map(
    ({ value }) =>
      String(value)
        .replace(/[^\d]/g, '')
        .replace(/^0+|0+$/g, '').length,
  );
  return Math.max(0, ...digits);
}

function isYear({ readings }: StatedNumber): boolean {
  return readings.some(({ value }) => Number.isInteger(value) && value >= 1900 && value <= 2100);
}

function addTo(evidence: NumberEvidence, text: string): void {
  for (const piece of piecesOf(text)) evidence.add(piece);
}

/** A text in pieces that end with lines. */
function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = at + PIECE_CHARS;
    const line = end >= text.length ? text.length : text.lastIndexOf('\n', end);
    const next = line > at ? line : Math.min(end, text.length);
    pieces.push(text.slice(at, next));
    at = next;
  }
  return pieces;
}

function nameOf(path: string): string {
  return path.split('/').at(-1) ?? path;
}

/** Whether a source names a file, or imports the module of that name. */
function names(source: string, file: string): boolean {
  if (source.includes(file)) return true;
  const module = /^(\w+)\.(?:py|js|mjs|ts)$/.exec(file)?.[1];
  return module !== undefined && new RegExp(`\\b(?:import|from)\\s+${module}\\b`).test(source);
}
