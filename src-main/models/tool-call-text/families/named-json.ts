import { readJsonText } from '../grammar/json-text.ts';
import { jsonOrLiteral } from '../grammar/typed-value.ts';
import type { Reader } from '../tape.ts';
import { isRecord } from '../tool-index.ts';
import type { Item, Site } from '../types.ts';

/**
 * The JSON object of arguments that stands here, for the call of `name`; null when none does.
 * `nameFor` may find the tool by the arguments when the model wrote no name.
 */
export function* readNamedArguments(
  { tape, tools }: Site,
  name: string,
  nameFor: (args: Readonly<Record<string, unknown>>) => string = () => name,
): Reader<Item | null> {
  yield* tape.skipSpace();
  if (!(yield* tape.comes('{'))) return null;
  const json = yield* readJsonText(tape);
  const args = json.whole ? jsonOrLiteral(json.text) : undefined;
  return isRecord(args) ? tools.call(nameFor(args), args) : tools.incomplete(name, json.text);
}
