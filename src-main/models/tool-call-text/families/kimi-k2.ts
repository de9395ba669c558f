import { envelope } from '../grammar/envelope.ts';
import { LONGEST_HEAD } from '../tape.ts';
import { refused } from '../tool-index.ts';
import type { Family, Grammar } from '../types.ts';
import { readNamedArguments } from './named-json.ts';

const ARGUMENTS = '<|tool_call_argument_begin|>';
const CALL_OPEN = '<|tool_call_begin|>';
const CALL_CLOSE = '<|tool_call_end|>';
const SECTIONS = ['<|tool_calls_section_begin|>', '<|tool_call_section_begin|>'];

export const kimiCloses = ['<|tool_calls_section_end|>', '<|tool_call_section_end|>'];

/** `functions.NAME:INDEX` and a JSON object. Some answers give the index alone. */
const identifiedCall: Grammar = function* readIdentifiedCall(site) {
  const { tape, tools } = site;
  yield* tape.skipSpace();
  const start = tape.position;
  if ((yield* tape.until([ARGUMENTS, '<', '\n'], LONGEST_HEAD)) !== ARGUMENTS) return null;
  const id = tape.slice(start).trim();
  tape.position += ARGUMENTS.length;
  const numbered = /^(?:functions\.)?(.+?):\d+$/.exec(id)?.[1];
  const name = numbered ?? (tools.known ? (tools.resolve(id) ?? '') : '');
  const call = yield* readNamedArguments(site, name, (args) =>
    name === '' && /^\d+$/.test(id) ? (tools.byArguments(args) ?? '') : name,
  );
  return [call ?? refused(name, '', `The call of "${name}" has no JSON object of arguments.`)];
};

export const kimiK2: Family = {
  id: 'kimi k2',
  opens: [...SECTIONS, CALL_OPEN],
  read: envelope([identifiedCall], { closes: kimiCloses, between: [CALL_OPEN, CALL_CLOSE] }),
};
