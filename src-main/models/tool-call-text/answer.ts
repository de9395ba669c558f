import { looksLikeJsonCall, readBareJson, readOpening, readPrompted } from './bare-calls.ts';
import { readChannelMark } from './channels.ts';
import { readFence } from './fences.ts';
import { jsonCalls } from './grammar/json-calls.ts';
import type { MarkHit } from './markers.ts';
import { announcesCall } from './quotation.ts';
import { act, isShown, type Session, say, sayFrom } from './session.ts';
import { isSpace, type Reader } from './tape.ts';
import { readThinking } from './thinking.ts';
import type { Family } from './types.ts';

/** Where something other than plain text may begin. */
const STOPS = /[<[{\]`~\n]/;
const FUNCTOOLS = 'functools';
const anyJson = jsonCalls();

/** Reads an answer, or what follows its thinking, to its end. */
export function* readAnswer(session: Session): Reader<void> {
  const { tape, prose } = session;
  while (yield* tape.more()) {
    tape.forget();
    if (prose.blank && !isSpace(tape.code()) && (yield* readOpening(session))) continue;
    yield* readOn(session);
  }
}

/** Hands on plain text up to the next stop, or deals with the stop that stands here. */
function* readOn(session: Session): Reader<void> {
  const { tape, prose } = session;
  const rest = tape.rest();
  // Where an answer begins, its first word may be reached only now.
  const stop = prose.blank && isSpace(tape.code()) ? rest.search(/\S/) : rest.search(STOPS);
  if (stop === 0) return yield* readStop(session, rest.charAt(0));
  const plain = stop < 0 ? rest : rest.slice(0, stop);
  tape.position += plain.length;
  say(session, plain);
}

function* readStop(session: Session, char: string): Reader<void> {
  const { tape } = session;
  const start = tape.position;
  if (char === '\n') {
    tape.position += 1;
    say(session, char);
    return yield* readLineStart(session);
  }
  if (char === '`' || char === '~') return yield* readTicks(session, char);
  if (char !== '{' && (yield* readMark(session))) return;
  if ((char === '{' || char === '[') && (yield* readAnnouncedJson(session))) return;
  tape.position = start + 1;
  say(session, char);
}

/** Forms that may begin at any line. */
function* readLineStart(session: Session): Reader<void> {
  const { tape, prose } = session;
  const start = tape.position;
  if (prose.blank) return;
  if (yield* tape.comes('>>>')) {
    if (!(yield* readPrompted(session, start))) tape.position = start;
  } else if ((yield* tape.comes(`${FUNCTOOLS}[`)) && !isShown(session)) {
    tape.position += FUNCTOOLS.length;
    const items = yield* anyJson(session);
    if (items === null) tape.position = start;
    else yield* act(session, items, start);
  }
}

function* readTicks(session: Session, char: string): Reader<void> {
  const { tape, prose } = session;
  const start = tape.position;
  const { indent } = prose;
  if (indent !== null && indent.length <= 3 && (yield* readFence(session))) return;
  tape.position = start + 1;
  while (yield* tape.take(char));
  sayFrom(session, start);
}

/** JSON in the midst of an answer, right where the model says that it is making a call. */
function* readAnnouncedJson(session: Session): Reader<boolean> {
  const { tape, prose, patience } = session;
  if (prose.blank || patience.isOver || !(yield* looksLikeJsonCall(tape))) return false;
  patience.spend();
  const inPlace = prose.atLineStart || /[:：]\s*$/.test(prose.lead);
  if (!inPlace || prose.quoted || !announcesCall(prose.lead)) return false;
  return yield* readBareJson(session);
}

/** Deals with a mark that stands here; false, unmoved, when none does. */
function* readMark(session: Session): Reader<boolean> {
  const { tape } = session;
  const start = tape.position;
  const hit = yield* session.marks.markers.take(tape);
  if (hit === null) return false;
  if (!session.patience.spend()) {
    tape.position = start;
    return false;
  }
  const marker = hit.value;
  if (marker.kind === 'call') {
    yield* readMarkedCall(session, marker.family, { hit, start });
    return true;
  }
  const site = { hit, start, shown: isShown(session) };
  if (marker.kind === 'think') yield* readMarkedThinking(session, site);
  else if (marker.kind === 'foreign') yield* readForeign(session, marker.close, site);
  else if (marker.kind === 'channel') yield* readChannelMark(session, site);
  else if (site.shown || (yield* isMentioned(session))) sayFrom(session, start);
  return true;
}

interface MarkSite {
  readonly hit: MarkHit;
  readonly start: number;
  readonly shown: boolean;
}

function* readMarkedCall(
  session: Session,
  family: Family,
  site: Omit<MarkSite, 'shown'>,
): Reader<void> {
  const { tape } = session;
  const items = yield* family.read(session);
  if (items !== null && !isShown(session)) return yield* act(session, items, site.start);
  // A mark that opens nothing is only spoken of; a whole call that is shown is shown whole.
  if (items === null) tape.position = site.start + site.hit.literal.length;
  sayFrom(session, site.start);
}

function* readMarkedThinking(session: Session, { hit, start, shown }: MarkSite): Reader<void> {
  const { tape, prose } = session;
  // A tag is a word like any other within a line; a token of the model's own is not.
  const begins = prose.atLineStart || !/^<\w/.test(hit.literal);
  if (hit.value.kind !== 'think' || shown || !begins) return sayFrom(session, start);
  if (hit.value.label !== undefined) yield* tape.take(hit.value.label);
  yield* readThinking(session, hit.value.closes);
}

/** What a tool answered, or an example: not the model's doing, whatever it looks like. */
function* readForeign(session: Session, close: string, { start, shown }: MarkSite): Reader<void> {
  const { tape, prose } = session;
  sayFrom(session, start);
  if (shown) return;
  const closed = yield* tape.copyUntil([close], (text) => say(session, text));
  if (closed === null || !(yield* tape.take(close))) return;
  say(session, close);
  prose.endBlock();
}

/** A mark without meaning that goes on within its line is spoken of. */
function* isMentioned({ tape, prose }: Session): Reader<boolean> {
  if (prose.atLineStart) return false;
  const next = yield* tape.peek();
  return next === 32 || next === 44 || next === 46;
}
