import { parseDocument } from 'yaml';

/** A value of plain YAML, or why there is none; `line` is counted from 1 within the text. */
export type ParsedYaml =
  | { readonly value: unknown }
  | { readonly problem: string; readonly line: number | null };

/** As many times may a text repeat itself by alias; more is a bomb. */
const ALIASES = 10;

/** YAML 1.2 core without tags of its own: nothing in it makes anything but plain values. Never throws. */
export function parseYaml(text: string): ParsedYaml {
  const document = parseDocument(text, {
    ...{ version: '1.2', schema: 'core', strict: true, uniqueKeys: true, merge: false },
    ...{ resolveKnownTags: false, customTags: [], logLevel: 'silent' },
  });
  // A tag that nobody knows is a warning to the library only.
  const [first] = [...document.errors, ...document.warnings];
  if (first !== undefined) {
    const problem = first.message.split('\n')[0] ?? first.code;
    return { problem, line: first.linePos?.[0].line ?? null };
  }
  try {
    return { value: document.toJS({ maxAliasCount: ALIASES }) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error), line: null };
  }
}
