import type { JsonSchema } from '../../types.ts';
import { envelope } from '../grammar/envelope.ts';
import { itemSchema, propertySchema, typedValue, typesOf } from '../grammar/typed-value.ts';
import { LONGEST_HEAD } from '../tape.ts';
import type { Family, Grammar } from '../types.ts';

/** Stands before every tag, so that no value can be taken for one. */
const MARK = ']<]minimax[>[';
const CLOSE = `${MARK}</tool_call>`;
const CALL_CLOSE = `${MARK}</invoke>`;
const CALL_OPEN = /^<invoke name="([^"]*)">$/;
const DEEPEST = 64;

interface Element {
  readonly name: string;
  readonly inner: string;
}

const call: Grammar = function* readCall({ tape, tools }) {
  yield* tape.skipSpace();
  if (!(yield* tape.take(MARK))) return null;
  const start = tape.position;
  if ((yield* tape.until(['>', '\n'], LONGEST_HEAD)) !== '>') return null;
  tape.position += 1;
  const name = CALL_OPEN.exec(tape.slice(start))?.[1];
  if (name === undefined) return null;
  const bodyStart = tape.position;
  const closed = (yield* tape.until([CALL_CLOSE])) !== null;
  const body = tape.slice(bodyStart);
  if (closed) tape.position += CALL_CLOSE.length;
  const schema = tools.schema(tools.resolve(name) ?? '');
  const elements = closed ? elementsIn(body) : null;
  if (elements === null) return [tools.incomplete(name, body)];
  return [tools.call(name, objectOf(elements, schema, schema))];
};

export const minimaxM3: Family = {
  id: 'minimax m3',
  opens: [`${MARK}<tool_call>`],
  read: envelope([call], { closes: [CLOSE] }),
};

export const minimaxM3Closes = [CLOSE];

/** The elements that make up `text`, or null when it is not made of elements alone. */
function elementsIn(text: string): Element[] | null {
  const elements: Element[] = [];
  let at = 0;
  for (;;) {
    while (/\s/.test(text[at] ?? '')) at += 1;
    if (at >= text.length) return elements;
    const name = text.startsWith(`${MARK}<`, at)
      ? /^<([^<>/]+)>/.exec(text.slice(at + MARK.length, at + MARK.length + 256))?.[1]
      : undefined;
    if (name === undefined) return null;
    const start = at + MARK.length + name.length + 2;
    const end = closingTag(text, name, start);
    if (end < 0) return null;
    elements.push({ name, inner: text.slice(start, end) });
    at = end + MARK.length + name.length + 3;
  }
}

/** Where the element that was opened before `from` closes; elements of its name may be inside it. */
function closingTag(text: string, name: string, from: number): number {
  const [open, close] = [`${MARK}<${name}>`, `${MARK}</${name}>`];
  let depth = 1;
  for (let at = text.indexOf(MARK, from); at >= 0; at = text.indexOf(MARK, at + MARK.length)) {
    if (text.startsWith(open, at)) depth += 1;
    else if (text.startsWith(close, at)) depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
}

function elementValue(
  inner: string,
  schema: JsonSchema | undefined,
  root?: JsonSchema,
  depth = 0,
): unknown {
  const types = typesOf(schema, root ?? {});
  const elements = types.has('string') || depth > DEEPEST ? null : elementsIn(inner);
  if (elements === null || elements.length === 0) return typedValue(inner, schema, root);
  const isArray =
    types.size > 0 ? types.has('array') : elements.every(({ name }) => name === 'item');
  if (!isArray) return objectOf(elements, schema, root, depth);
  const items = schema === undefined ? undefined : itemSchema(schema, root ?? schema);
  return elements.map((element) => elementValue(element.inner, items, root, depth + 1));
}

function objectOf(
  elements: readonly Element[],
  schema: JsonSchema | undefined,
  root: JsonSchema | undefined,
  depth = 0,
): Record<string, unknown> {
  const property = (name: string) =>
    schema === undefined ? undefined : propertySchema(schema, name, root ?? schema);
  return Object.fromEntries(
    elements.map(({ name, inner }) => [name, elementValue(inner, property(name), root, depth + 1)]),
  );
}
