import type { Step } from './step.ts';
import { beginsContent, DEFINITE, thingIn } from './thing.ts';
import { mayStartSteps, weightOf } from './verbs.ts';

/** Words that put the step after them in sequence. */
const IN_TURN =
  /^(?:(?:and|but|or|so)\s+)?(?:(?:first(?:ly| of all)?|second(?:ly)?|third(?:ly)?|fourth(?:ly)?|then|next|after(?:wards?| that| this| which)|once (?:that|this|it)(?:'s| is)? (?:done|finished|ready|complete|works)|when (?:that|this|it)(?:'s| is)? (?:done|finished|ready)|finally|lastly|last(?: of all)?|in the end|subsequently|following that|to (?:start|begin|finish)(?: with)?|(?:start|begin|finish|end)(?: off)? (?:by|with)|step \d{1,2}|\d{1,2})(?:[\s,:.)–-]+|$))+/i;
/** Words before a step that do not change it. */
const PREFIX =
  /^(?:(?:and|also|please|pls|kindly|just|now|hi|hey|hello|ok|okay|so|well|plus|as well as|but|to|you|i(?:'d| would)? (?:want|need|like)(?: you)? to|(?:can|could|would|will) (?:you|we)|would you mind|help me(?: to)?|go ahead and|let'?s|we (?:need|have|want) to|i have to|i'?d like you to|your (?:task|job) is to|you (?:should|must|need to|have to)|need to|be sure to|don't forget to|remember to|automatically|properly|carefully|quickly)\b[\s,]*)+/i;
/** A sentence that starts like this continues with a step. */
const ADVERBIAL =
  /^(?:once|after|when|before|as soon as|using|with|from|for|based on|in|on|given|under|within|inside|every|each|if|because|since|without|today|tomorrow|here)\b/i;
/** Asks for a program: what follows describes its behaviour. */
const MAKES_A_PROGRAM =
  /\b(?:write|create|make|build|generate|give me|need|want|develop|code)\b[^,;]{0,60}\b(?:script|function|program|regex|query|macro|command|formula|class|one-liner|snippet|method|component|test|prompt|class)\b[^,;]{0,40}?(?:\b(?:to|that|which|for|who|can|should)\b|:|$)/i;
/** "one sql query: join …, then order …" */
const PROGRAM_IN_DETAIL =
  /\b(?:script|function|program|regex|query|macro|command|formula|class|one-liner|snippet|method)\b(?:[^,.;]{0,40}:|[^,.;]{0,20}\b(?:to|that|which|should|must|will) first\b)/i;
const CLAUSES =
  /[,;:–—]\s+|\s+-+>?\s+|\s+→\s+|\s+(?=(?:and|then|after that|afterwards|finally|lastly)\s)|\s+(?=\d{1,2}[).]\s)|\s+(?=step \d{1,2}\b)|[.!?]+$/i;

/** The steps that an English sentence asks for. */
export function englishSteps(sentence: string): Step[] {
  const clauses = sentence
    .split(CLAUSES)
    .filter((clause) => clause !== undefined && clause.trim() !== '');
  if (/^(?:an?|one|the)\b/i.test(sentence) && PROGRAM_IN_DETAIL.test(sentence)) return [];
  const isProgram = MAKES_A_PROGRAM.test(sentence);
  // After a colon, everything describes what the program does.
  const isOutside = !PROGRAM_IN_DETAIL.test(sentence);
  const isConditional = /^if\b/i.test(sentence);
  const steps: Step[] = [];
  let isImperative = false;
  let wasIntroduced = false;
  const isOpeningStep = startsWithStep(clauses);
  /** The clauses describe the content of a document, until the next step. */
  let isContent = false;
  /** The previous clause announced the next step: "First, …". */
  let isMarked = false;
  for (const [position, clause] of clauses.entries()) {
    const text = clause.trim();
    if (IN_TURN.exec(text)?.[0] === text) {
      isMarked = true;
      continue;
    }
    const { step, isPolite } = readClause(text, {
      isMarked,
      isAmongSteps: isImperative && steps.length > 0,
      isOpening: isOpeningStep && position === 0,
    });
    isMarked = false;
    const isBare = step !== null && isContent && !text.includes(' ');
    if (step === null || isBare) {
      // A sentence with a subject is a statement, and so are clauses that share the subject.
      if (position === 0) wasIntroduced = ADVERBIAL.test(clause) || endsInColon(sentence, clause);
      else wasIntroduced = wasIntroduced || endsInColon(sentence, clause);
      if (/^(?:plus|as well as|along with)\b/i.test(text)) isContent = false;
      if (isImperative && !isContent && !isProgram) steps.push(...thingsBesides(text));
      isContent = isContent || beginsContent(text);
      continue;
    }
    isContent = beginsContent(endsInColon(sentence, clause) ? `${text}:` : text);
    if (!isImperative) isImperative = position === 0 || isPolite || wasIntroduced;
    if (!isImperative) continue;
    if (isProgram && steps.length > 0 && !(step.inTurn && isOutside)) continue;
    steps.push(isConditional ? { ...step, inTurn: false } : step);
  }
  return steps;
}

/** One step with three more things is still one step; two steps with two more things are a plan. */
const THING_WEIGHT = 0.75;

interface Place {
  /** The previous clause announced this step. */
  readonly isMarked: boolean;
  /** The sentence has steps before it. */
  readonly isAmongSteps: boolean;
  /** It starts a sentence that continues with steps. */
  readonly isOpening: boolean;
}

/** "…, convert it to mp3": continues with the object of the step before it. */
const ON_IT = /^[\w-]+ it\b/i;
const ON_IT_WEIGHT = 0.5;

function readClause(clause: string, place: Place): { step: Step | null; isPolite: boolean } {
  const inTurn = IN_TURN.exec(clause)?.[0] ?? '';
  let rest = clause.slice(inTurn.length).trimStart();
  const prefix = PREFIX.exec(rest)?.[0] ?? '';
  rest = rest.slice(prefix.length);
  const inTurnAfter = IN_TURN.exec(rest)?.[0] ?? '';
  rest = rest.slice(inTurnAfter.length).replace(PREFIX, '');
  const isPolite = /please|pls|you|me\b|let/i.test(prefix);
  const [first = '', second = ''] = rest.toLowerCase().split(/\s+/, 2);
  const isGerund = /(?:by|with)\s+$/i.test(inTurn + inTurnAfter);
  const word = first.replace(/[^a-z']/g, '');
  const isMarked = place.isMarked || inTurn !== '' || inTurnAfter !== '';
  const next = second.replace(/[,.;:!?]+$/, '');
  const known = weightOf(isGerund ? bareForm(word) : word, next, {
    isInTurn: isMarked,
    isAmongSteps: place.isAmongSteps,
  });
  const weight = known === 0 && place.isOpening && mayStartSteps(word, next) ? 1 : known;
  if (weight === 0) return { step: null, isPolite };
  const what = rest.replace(/[.!?]+$/, '');
  const isOnIt = ON_IT.test(what) && !isMarked && weight === 1;
  return {
    step: { what, weight: isOnIt ? ON_IT_WEIGHT : weight, inTurn: isMarked },
    isPolite: isPolite || isMarked,
  };
}

/** Whether later clauses show that a sentence starts with a step: "Audit the repo, rank …". */
function startsWithStep(clauses: readonly string[]): boolean {
  return clauses
    .slice(1)
    .some((clause) => (readClause(clause.trim(), UNKNOWN).step?.weight ?? 0) > 0.25);
}

const UNKNOWN: Place = { isMarked: false, isAmongSteps: false, isOpening: false };

/** "…, and a checklist": an additional thing for the step before it. */
function thingsBesides(clause: string): Step[] {
  const what = clause.replace(/^(?:and|plus|as well as|along with|also|or)\s+/i, '').trim();
  if (DEFINITE.test(what) || /^or\b/i.test(clause) || thingIn(what) === null) return [];
  return [{ what, weight: THING_WEIGHT, inTurn: false, isThing: true }];
}

function endsInColon(sentence: string, clause: string): boolean {
  const at = sentence.indexOf(clause);
  return sentence[at + clause.length] === ':';
}

/** "listing" → "list", "writing" → "write". */
function bareForm(word: string): string {
  if (!word.endsWith('ing')) return word;
  const stem = word.slice(0, -3);
  const candidates = [stem, `${stem}e`, stem.slice(0, -1)];
  return candidates.find((candidate) => weightOf(candidate, 'the') > 0) ?? word;
}
