import { envelope } from '../grammar/envelope.ts';
import { type TaggedArgument, taggedCall } from '../grammar/tag-values.ts';
import { LONGEST_HEAD, type Reader, type Tape } from '../tape.ts';
import type { Family, Grammar } from '../types.ts';

const SEPARATOR = '<|sep|>';
const ARGUMENT_CLOSE = `<|close|>argument${SEPARATOR}`;
const CALL_CLOSE = `<|close|>call${SEPARATOR}`;
const TOOLS_CLOSE = `<|close|>tools${SEPARATOR}`;
const ATTRIBUTE = /(?<!\w)(\w+)="([^"]*)"/g;

const call: Grammar = function* readCall(site) {
  const { tape, tools } = site;
  const head = yield* readHead(tape, '<|open|>call ');
  const name = head?.get('tool');
  if (name === undefined) return null;
  const given: TaggedArgument[] = [];
  while (!(yield* tape.take(CALL_CLOSE))) {
    const argument = yield* readArgument(tape);
    if (argument === null) {
      return [tools.incomplete(name, JSON.stringify(given.map(({ key, text }) => [key, text])))];
    }
    given.push(argument);
    yield* tape.skipSpace();
  }
  return [taggedCall(site, name, given)];
};

function* readArgument(tape: Tape): Reader<TaggedArgument | null> {
  const head = yield* readHead(tape, '<|open|>argument ');
  const key = head?.get('key');
  if (key === undefined) return null;
  const start = tape.position;
  if ((yield* tape.until([ARGUMENT_CLOSE])) === null) return null;
  const text = tape.slice(start);
  tape.position += ARGUMENT_CLOSE.length;
  return { key, text, isString: head?.get('type') === 'string' };
}

/** The attributes of an element that opens here. */
function* readHead(tape: Tape, open: string): Reader<Map<string, string> | null> {
  yield* tape.skipSpace();
  if (!(yield* tape.take(open))) return null;
  const start = tape.position;
  if ((yield* tape.until([SEPARATOR, '\n'], LONGEST_HEAD)) !== SEPARATOR) return null;
  const text = tape.slice(start);
  tape.position += SEPARATOR.length;
  return new Map(
    [...text.matchAll(ATTRIBUTE)].map(([, key = '', value = '']) => [key, unescaped(value)]),
  );
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&quot;': '"',
  '&apos;': "'",
  '&#39;': "'",
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
};

/** Attributes are written as in XML; values between tags are not. */
function unescaped(text: string): string {
  return text.replace(/&(?:quot|apos|#39|lt|gt|amp);/g, (entity) => ENTITIES[entity] ?? entity);
}

export const kimiK3: Family = {
  id: 'kimi k3',
  opens: [`<|open|>tools${SEPARATOR}`],
  read: envelope([call], { closes: [TOOLS_CLOSE] }),
};

export const kimiK3Closes = [TOOLS_CLOSE];
