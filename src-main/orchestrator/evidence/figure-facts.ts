import { setImmediate as nextTurn } from 'node:timers/promises';
import type { MadeCall } from '../../agents/types.ts';
import type { OrchestratedTask } from '../types.ts';
import { answerSentences } from './answer-sentences.ts';
import type { EvidenceContext } from './check-evidence.ts';
import type { ShownFigures } from './figures.ts';
import { COMMAND_TOOLS } from './program-source.ts';
import { type CheckedFact, fact } from './types.ts';

/** Figures of an answer that are named as not shown. */
const MAX_NAMED = 5;
/** Figures without evidence whose opposite is looked for. */
const MOST_COMPARED = 20;
/** Figures of an answer that are checked. */
const MOST_FIGURES = 500;
/** Each sentence of a longer answer has a turn of the event loop of its own. */
const LONG_CHARS = 4_000;

/**
 * A number in the target must have been shown: printed by a program that does not state it, or read from data that
 * the run did not write. If the target only describes a figure, those of the answer must.
 */
export async function checkFigure(
  target: string,
  {
    calls,
    earlierCalls,
    answer,
    prompt,
  }: Pick<EvidenceContext, 'calls' | 'earlierCalls' | 'answer' | 'prompt'>,
): Promise<CheckedFact> {
  const shown = await openFigures(prompt, [...earlierCalls, ...calls]);
  const { numbersIn } = await import('../../skills/builtin/data-analysis/numbers.ts');
  if (shown.isEmpty) {
    return fact(`${target}: appears in the output`, 'fails', 'There is no output.');
  }
  if (numbersIn(target).length > 0) {
    const missing = shown.unshown(target);
    return missing.length === 0
      ? fact(`${target}: appears in the output`, 'holds', 'Found in output.')
      : fact(`${target}: appears in the output`, 'fails', notShown(missing));
  }
  if (shown.hasWords(target)) {
    return fact(`${target}: appears in the output`, 'holds', 'Found in output.');
  }
  const claim = `${target}: the figures in the answer come from the output`;
  const claimed = figuresOf(answer, numbersIn).filter((text) => !shown.isGiven(text));
  if (claimed.length === 0) return fact(claim, 'unknown', 'The answer has no figures.');
  const missing = claimed.filter((text) => shown.unshown(text).length > 0);
  const found = claimed.filter((text) => !missing.includes(text)).slice(0, MAX_NAMED);
  if (missing.length === 0) return fact(claim, 'holds', `In output: ${found.join(', ')}.`);
  return found.length === 0
    ? fact(claim, 'fails', notShown(missing))
    : fact(claim, 'unknown', `In output: ${found.join(', ')}. ${notShown(missing)}`);
}

function notShown(missing: readonly string[]): string {
  return `Not shown by a program that works it out: ${missing.slice(0, MAX_NAMED).join(', ')}.`;
}

/** Tools whose results an answer may take figures from. */
const SHOWS_DATA: ReadonlySet<string> = new Set([
  ...[...COMMAND_TOOLS, 'sandbox_file', 'fetch_page'],
]);

/** Whether a run has something to work figures out from. What a picture shows is seen, not worked out. */
export function hasDataFor(
  { attachments, messages }: Pick<OrchestratedTask, 'attachments' | 'messages'>,
  calls: readonly MadeCall[],
): boolean {
  const turn = messages.findLast(({ role }) => role === 'user');
  const pictures = turn?.role === 'user' ? (turn.pictures?.length ?? 0) : 0;
  return attachments > pictures || calls.some(showsData);
}

function showsData({ name, content }: MadeCall): boolean {
  return SHOWS_DATA.has(name) && !/ is a picture of \d+ × \d+ pixels\.$/.test(content);
}

/** Words that say that a figure was counted, measured or worked out. */
const WORKED_OUT =
  /\b(?:totals?|sums?|averages?|mean|median|counts?|counted|minimum|maximum|lowest|highest|revenue|rows?|records?|entries|lines|columns|duplicates?|missing|per ?cent|percentage|share|ratio|rate|deviation|correlation|calculat\w+|comput\w+|measur\w+|printed|outputs?|results?|shows?|found|contains?|amounts? to|comes to|equals?|there (?:are|were|is)|took|seconds)\b|[%％]|总|合计|平均|中位|共|行|条|占|最高|最低|结果|计算/i;

/** Words that may as well be about something else than the data. */
const WEAK =
  /\b(?:measur\w+|outputs?|results?|shows?|found|contains?|amounts? to|comes to|equals?|there (?:are|were|is)|entries|lines|share|ratio|rate|counts?)\b|共|占|结果|计算/gi;
/** What usually holds, not what this data says. */
const GENERAL =
  /\b(?:typical(?:ly)?|usual(?:ly)?|in general|generally|as a rule|rules? of thumb|recommend\w*|for comparison|worldwide|by definition)\b|通常|一般来说|建议|众所周知/i;
const OF_THIS =
  /\b(?:the|your|this|these) (?:files?|data|tables?|data ?sets?|logs?|csv|documents?|sheets?|columns?)\b|(?:文件|数据|表格|日志|文档)/i;
/** What follows a number that is a count or an amount, although it could be a year. */
const COUNTED =
  /^\s*(?:rows?|records?|lines?|entries|units?|items?|customers?|users?|people|orders?|errors?|files?|words?|columns?|points?|EUR|USD|euros?|dollars?|[行条个人次元列项份])/i;
/** Parts of data, of which a small number says as much as a large one. */
const OF_DATA =
  /\b(?:rows?|records?|columns?|duplicates?|missing|null|empty|invalid|outliers?|per ?cent|median|mean|average|deviation)\b|[%％行列]|重复|缺失|平均|中位/i;
const SMALL = 12;

/** The user asks whether a figure is right; else naming it again claims nothing. */
const ASKS = /[?？]|\b(?:check|verify|confirm|whether|true that)\b|是否|对不对|核实|检查/i;

/**
 * The figures that an answer of a run without a plan says it worked out, and that nothing of the run shows. Only where
 * there is something to work them out from: calls, or files that the user gave.
 */
export async function checkStatedFigures(
  answer: string,
  {
    calls,
    prompt,
    hasData,
    given = '',
    isStatement = false,
  }: {
    readonly calls: readonly MadeCall[];
    readonly prompt: string;
    readonly hasData: boolean;
    /** Text whose figures were checked before. */
    readonly given?: string;
    /** The text is a claim as a whole, so that every figure in it counts. */
    readonly isStatement?: boolean;
  },
): Promise<CheckedFact[]> {
  if (!hasData || !/[\d零一二三四五六七八九十]/.test(answer)) return [];
  const shown = await openFigures(prompt, calls);
  const { numbersIn } = await import('../../skills/builtin/data-analysis/numbers.ts');
  const known = new Set(figuresOf(given, numbersIn));
  const missing = new Set<string>();
  const held = new Set<string>();
  const opposed: string[] = [];
  const { isDerivedFrom, resultsOfEquations } = await import('./derived-figures.ts');
  const checked = new Map<string, boolean>();
  const isKnown = (text: string): boolean => {
    const before = checked.get(text);
    if (before !== undefined) return before;
    const is = shown.isGiven(text) || shown.unshown(text).length === 0;
    checked.set(text, is);
    return is;
  };
  const calculated = new Set(resultsOfEquations(answer, isKnown));
  const operandsOf = (text: string) =>
    numbersIn(text).filter((one) => isKnown(one.text) || calculated.has(one.text));
  const ofPrompt = numbersIn(prompt);
  let before = '';
  for (const sentence of answerSentences(answer)) {
    const context = `${before}\n${sentence}`;
    before = sentence;
    if (answer.length > LONG_CHARS) await nextTurn();
    // The runner's report has the figures of tests.
    if (!isStatement && !isAboutData(sentence, shown)) continue;
    if (/\btests?\b|测试/i.test(sentence)) continue;
    const figures = figuresOf(sentence, numbersIn).filter((text) => !known.has(text));
    const own = figures.filter((text) => !shown.isGiven(text));
    // Once for a sentence, however many figures it has.
    let operands: ReturnType<typeof operandsOf>[] | null = null;
    for (const text of own.length === 0 && ASKS.test(prompt) ? figures : own) {
      if (shown.unshown(text).length === 0) {
        (shown.isOfOther(text, sentence) ? missing : held).add(text);
        continue;
      }
      if (operands === null) {
        const some = [operandsOf(sentence), operandsOf(context)];
        operands = [...some, ...some.map((one) => [...one, ...ofPrompt])];
      }
      if (
        calculated.has(text) ||
        shown.isCounted(text) ||
        (!isStatement && isSmallAside(text, sentence, shown)) ||
        operands.some((some) => isDerivedFrom(text, some))
      ) {
        continue;
      }
      missing.add(text);
      if (opposed.length > 0 || missing.size > MOST_COMPARED) continue;
      const line = shown.opposing(sentence);
      if (line !== null) opposed.push(`The output says “${line}”.`);
    }
  }
  if (missing.size > 0) {
    const named = [...missing].slice(0, MAX_NAMED).join(', ');
    const evidence = shown.isEmpty
      ? 'No program was run and no data was read.'
      : notShown([...missing]);
    const [first] = opposed;
    return [
      first === undefined
        ? fact(`The figures of the answer: ${named}`, 'unknown', evidence)
        : fact(`The figures of the answer: ${named}`, 'fails', first),
    ];
  }
  if (held.size === 0) return [];
  const named = [...held].slice(0, MAX_NAMED).join(', ');
  return [
    fact(`The figures of the answer: ${named}`, 'holds', 'Shown by programs or data of this run.'),
  ];
}

/** Whether a sentence says something of the data or the programs of the run. */
function isAboutData(sentence: string, shown: ShownFigures): boolean {
  if (!WORKED_OUT.test(sentence)) return false;
  if (GENERAL.test(sentence) && !OF_THIS.test(sentence)) return false;
  return (
    shown.isEmpty || WORKED_OUT.test(sentence.replaceAll(WEAK, ' ')) || shown.isAbout(sentence)
  );
}

/** A small number in passing, such as four reasons, against which no program speaks. */
function isSmallAside(text: string, sentence: string, shown: ShownFigures): boolean {
  const small = /^\d{1,2}$/.test(text) ? Number(text) <= SMALL : /^[a-z]{2,6}$/i.test(text);
  return small && !OF_DATA.test(sentence) && shown.opposing(sentence, 'programs') === null;
}

/** Loaded where there is something to check: most answers state no figures. */
async function openFigures(prompt: string, calls: readonly MadeCall[]): Promise<ShownFigures> {
  const { ShownFigures: Figures } = await import('./figures.ts');
  return await Figures.of(prompt, calls);
}

/** The figures of a text that say something: no years, versions, file names, or numbers of steps. */
function figuresOf(
  text: string,
  numbersIn: (text: string) => readonly { readonly text: string }[],
): string[] {
  const plain = text
    .replaceAll(/```[\s\S]*?(?:```|$)/g, ' ')
    .replaceAll(/\[[^\][]*\]\([^()]*\)|\b[a-z]{1,20}:\/\/\S+/g, ' ')
    .replaceAll(/(?<![\w./-])[\w./-]{0,200}\w\.[A-Za-z]\w{0,7}\b/g, ' ')
    .replaceAll(
      /\bv?\d+(?:\.\d+){2,}\b|\b(?:step|column|page|row|version|python|node|chapter|section|figure|table|line|port|no\.?|#) ?\d+(?:\.\d+)*/gi,
      ' ',
    )
    .replaceAll(/\b\d{1,2}:\d{2}(?::\d{2})?\b|\b\d{4}-\d{2}-\d{2}\b/g, ' ')
    .replaceAll(/\bexit code -?\d+/gi, ' ');
  const isYear = (one: string): boolean =>
    /^(?:19|20)\d\d$/.test(one) && !COUNTED.test(plain.slice(plain.indexOf(one) + one.length));
  const found = numbersIn(plain)
    .map((one) => one.text)
    .filter((one) => !isYear(one) && !/^(?:one|two|three|1)$/i.test(one));
  return [...new Set(found)].slice(0, MOST_FIGURES);
}
