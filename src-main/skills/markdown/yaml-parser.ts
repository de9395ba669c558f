import { parseDocument } from 'yaml';

/** A value of plain YAML, or why there is none; `line` is counted from 1 within the text. */
export type ParsedYaml =
  | { readonly value: unknown }
  | { readonly problem: string; readonly line: number | null };

/** As many times may a text repeat itself by alias; more is a bomb. */
const ALIASES = 10;

/**
 * Lines, and signs of lists, fields, quotes, aliases, anchors and tags: the library goes deeper with each, compares
 * all keys with each other, and makes an error of each that stands where it must not.
 */
const LINES = 500;
const SIGNS = 1_000;

/** YAML 1.2 core without tags of its own: nothing in it makes anything but plain values. Never throws. */
export function parseYaml(text: string): ParsedYaml {
  const lines = text.split('\n').length;
  if (lines > LINES)
    return { problem: `It has ${lines} lines; ${LINES} are the most.`, line: null };
  const signs = text.match(/[[{,"'*&!]|(?:^|[ \t])[-?:](?=[ \t])/gm)?.length ?? 0;
  if (signs > SIGNS) return { problem: 'It holds too many lists, fields and quotes.', line: null };
  try {
    return parsePlain(text);
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error), line: null };
  }
}

function parsePlain(text: string): ParsedYaml {
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
  return { value: document.toJS({ maxAliasCount: ALIASES }) };
}
