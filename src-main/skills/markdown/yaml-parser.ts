import { parseDocument } from 'yaml';

/** A value of plain YAML, or why there is none; `line` is counted from 1 within the text. */
export type ParsedYaml =
  | { readonly value: unknown }
  | { readonly problem: string; readonly line: number | null };

/** Maximum aliases in a text; more is a bomb. */
const ALIASES = 10;

/**
 * Maximum lines, and marks of lists, fields, quotes, aliases, anchors and tags: with each the library recurses
 * deeper, compares all keys with each other, or creates an error.
 */
const LINES = 500;
const SIGNS = 1_000;

/** YAML 1.2 core without custom tags, so that it yields only plain values. Never throws. */
export function parseYaml(text: string): ParsedYaml {
  const lines = text.split('\n').length;
  if (lines > LINES)
    return { problem: `It has ${lines} lines; the limit is ${LINES}.`, line: null };
  const signs = text.match(/[[\]{},"'*&!]|(?:^|[ \t])[-?:](?=[ \t])/gm)?.length ?? 0;
  if (signs > SIGNS) return { problem: 'It has too many lists, fields and quotes.', line: null };
  try {
    return parsePlain(text);
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error), line: null };
  }
}

function parsePlain(text: string): ParsedYaml {
  const document = parseDocument(text, {
    version: '1.2',
    schema: 'core',
    strict: true,
    uniqueKeys: true,
    merge: false,
    resolveKnownTags: false,
    customTags: [],
    logLevel: 'silent',
  });
  // To the library an unknown tag is only a warning.
  const [first] = [...document.errors, ...document.warnings];
  if (first !== undefined) {
    const problem = first.message.split('\n')[0] ?? first.code;
    return { problem, line: first.linePos?.[0].line ?? null };
  }
  return { value: document.toJS({ maxAliasCount: ALIASES }) };
}
