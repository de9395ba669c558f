import { looksLikeJsonCall, readBareJson, readOpening, readPrompted } from './bare-calls.ts';
import { readChannelMark } from './channels.ts';
import { readFence } from './fences.ts';
import { jsonCalls } from './grammar/json-calls.ts';
import type { MarkHit } from './markers.ts';
import { plainLength } from './plain-text.ts';
import { announcesCall } from './quotation.ts';
import { act, attempt, isShown, type Session, say, sayFrom } from './session.ts';
import { isSpace, type Reader } from './tape.ts';
import { readThinking } from './thinking.ts';
import type { Family } from './types.ts';

const FUNCTOOLS = 'functools';
const anyJson = jsonCalls();

/** Reads an answer, or what follows its thinking, to its end. */
export function* readAnswer(session: Session): Reader<void> {
  const { tape, prose } = session;
  while (yield* tape.more()) {
    tape.forget();
    if (session.callsOnly && session.outlet.spoke) return;
    if (prose.blank && !isSpace(tape.code()) && (yield* readBareForm(session))) continue;
    yield* readOn(session);
  }
}

function* readBareForm(session: Session): Reader<boolean> {
  return !session.patience.isOver && (yield* isCall(session, readOpening(session)));
}

/** Hands on what is plain text, or deals with what stands here and may be more. */
function* readOn(session: Session): Reader<void> {
  const { tape } = session;
  const rest = tape.rest();
  const length = plainIn(session, rest);
  if (length === 0) return yield* readStop(session, rest.charAt(0));
  tape.position += length;
  say(session, length === rest.length ? rest : rest.slice(0, length));
}

function plainIn({ tape, prose, patience, marks }: Session, rest: string): number {
  if (patience.isOver) return rest.length;
  // Where an answer begins, its first word may be reached only now.
  if (prose.blank && isSpace(tape.code())) {
    const word = rest.search(/\S/);
    return word < 0 ? rest.length : word;
  }
  return plainLength(rest, marks.markers, prose.indent);
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

/** Whether `reader` took what stands here; where it did not, its work was in vain. */
function* isCall(session: Session, reader: Reader<boolean>): Reader<boolean> {
  const before = session.tape.consumed;
  const taken = yield* reader;
  if (!taken) session.patience.waste(session.tape.consumed - before);
  return taken;
}

/** Forms that may begin at any line. */
function* readLineStart(session: Session): Reader<void> {
  const { tape, prose, patience } = session;
  if (prose.blank) return;
  const start = tape.position;
  if (yield* tape.comes('>>>')) {
    const taken = patience.spend() && (yield* isCall(session, readPrompted(session, start)));
    if (!taken) tape.position = start;
  } else if ((yield* tape.comes(`${FUNCTOOLS}[`)) && patience.spend() && !isShown(session)) {
    tape.position += FUNCTOOLS.length;
    const items = yield* attempt(session, anyJson(session));
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
  return yield* isCall(session, readBareJson(session));
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
  const items = yield* attempt(session, family.read(session));
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
