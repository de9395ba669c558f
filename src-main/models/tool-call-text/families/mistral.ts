import { readName } from '../grammar/argument-pairs.ts';
import { envelope } from '../grammar/envelope.ts';
import { jsonCalls } from '../grammar/json-calls.ts';
import { LONGEST_HEAD } from '../tape.ts';
import type { Family, Grammar, Site } from '../types.ts';
import { readNamedArguments } from './named-json.ts';

const OPEN = '[TOOL_CALLS]';
const CLOSES = ['[/TOOL_CALLS]', '</s>'];
const json = jsonCalls();

/** `NAME[CALL_ID]ID[ARGS]{…}`, with the marks or without. A name alone takes no arguments. */
const namedCall: Grammar = function* readNamedCall(site) {
  const { tape, tools } = site;
  const start = tape.position;
  const name = yield* readName(tape);
  if (yield* tape.take('[CALL_ID]')) yield* tape.until(['[ARGS]', '{', '\n'], LONGEST_HEAD);
  yield* tape.take('[ARGS]');
  const call = yield* readNamedArguments(site, name);
  if (call !== null) return [call];
  if (name === '') return null;
  // The array form of older models, behind a word that does not belong there.
  if (yield* tape.comes('[{')) return yield* json(site);
  const alone = tape.atEnd || (yield* tape.comes(OPEN));
  const attached = !/\s/.test(tape.slice(start - 1, start));
  if (!alone || !isWholeAlone(site, name, attached)) return null;
  return [tools.call(name, {})];
};

/** A name at the end may be half of one: it counts when the tool is known to need no arguments. */
function isWholeAlone({ tape, tools }: Site, name: string, attached: boolean): boolean {
  if (tape.cut) return false;
  if (!tools.known) return attached;
  const resolved = tools.resolve(name);
  const required = resolved === null ? null : (tools.schema(resolved)?.required ?? []);
  return Array.isArray(required) && required.length === 0;
}

export const mistral: Family = {
  id: 'mistral',
  opens: [OPEN],
  read: envelope([json, namedCall], { closes: CLOSES }),
};

export const mistralCloses = CLOSES;
