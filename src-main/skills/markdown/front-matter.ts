import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { z } from 'zod';
import { safeParse } from '#contract/safe-parse.ts';
import { SkillCategory, type SkillFinding } from '#contract/skills.ts';
import { splitToolNames } from './allowed-tools.ts';
import { finding } from './finding.ts';
import { SKILL_FILE } from './limits.ts';

const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const NAME_CHARS = 64;
const DESCRIPTION_CHARS = 1_024;
const COMPATIBILITY_CHARS = 500;
const KNOWN: ReadonlySet<string> = new Set([
  ...['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools'],
]);

/** The front matter of a skill, validated. */
export interface FrontMatter {
  readonly name: string;
  readonly description: string;
  readonly category: SkillCategory | null;
  readonly tags: readonly string[];
  readonly version: string;
  readonly author: string;
  /** Names as written; null where there is no such field. */
  readonly allowedTools: readonly string[] | null;
}

export interface ReadFrontMatter {
  /** Null where it has an error. */
  readonly matter: FrontMatter | null;
  /** The text after the front matter. */
  readonly body: string;
  /** The line of the file on which the body begins, counted from 1. */
  readonly bodyLine: number;
  readonly findings: readonly SkillFinding[];
}

const Scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const Fields = z.record(z.string(), z.unknown());
const Metadata = Fields.nullish();
const Category = SkillCategory.nullish();
const Tags = z.array(z.string());
const Names = z
  .union([z.string().transform((text) => [text]), z.array(z.string())])
  .transform((texts) => {
    const names = texts.map(splitToolNames);
    return names.every((some) => some !== null) ? names.flat() : null;
  })
  // An unclosed bracket.
  .refine((names) => names !== null)
  .nullish();

/** Reads the front matter of a SKILL.md; `folder` is the name of its folder. */
export function readFrontMatter(text: string, folder: string): ReadFrontMatter {
  const findings: SkillFinding[] = [];
  const report = (severity: SkillFinding['severity'], rule: string, message: string, line = 1) => {
    findings.push(finding(severity, rule, { file: SKILL_FILE, line, message }));
  };
  const parts = splitMatter(text);
  if (typeof parts === 'string') {
    if (parts === 'open')
      report('error', 'front_matter_open', 'The front matter has no closing line "---".');
    else report('error', 'front_matter_missing', 'The first line must be "---": front matter.');
    return { matter: null, body: text, bodyLine: 1, findings };
  }
  const { yaml, body, bodyLine } = parts;
  const parsed = loadYaml().parseYaml(yaml);
  if ('problem' in parsed) {
    const message = `The front matter is not plain YAML: ${parsed.problem}`;
    report('error', 'front_matter_yaml', message, (parsed.line ?? 0) + 1);
    return { matter: null, body, bodyLine, findings };
  }
  const fields = safeParse(Fields, parsed.value);
  if (!fields.success) {
    report('error', 'front_matter_yaml', 'The front matter must be fields with values.');
    return { matter: null, body, bodyLine, findings };
  }
  const matter = readFields(fields.data, { folder, report });
  const hasError = findings.some(({ severity }) => severity === 'error');
  return { matter: hasError ? null : matter, body, bodyLine, findings };
}

/** The YAML between the first line and the next `---`, and the body after it. */
function splitMatter(
  text: string,
): { readonly yaml: string; readonly body: string; readonly bodyLine: number } | 'open' | 'none' {
  const [first = '', ...rest] = text.replace(/^\uFEFF/, '').split('\n');
  const isMark = (line: string): boolean => /^---[ \t]*\r?$/.test(line);
  if (!isMark(first)) return 'none';
  const end = rest.findIndex(isMark);
  if (end < 0) return 'open';
  const yaml = rest.slice(0, end).join('\n');
  return { yaml, body: rest.slice(end + 1).join('\n'), bodyLine: end + 3 };
}

type Report = (severity: SkillFinding['severity'], rule: string, message: string) => void;

function readFields(
  fields: Readonly<Record<string, unknown>>,
  { folder, report }: { readonly folder: string; readonly report: Report },
): FrontMatter {
  for (const key of Object.keys(fields).filter((name) => !KNOWN.has(name))) {
    const message = `The format has no field ${JSON.stringify(key)}; put it under metadata.`;
    report('warning', 'field_unknown', message);
  }
  const name = textOf(fields.name);
  if (name === null || name === '') report('error', 'name_missing', 'A name is required.');
  else if (!NAME.test(name) || name.length > NAME_CHARS) {
    const message = `The name must be lowercase letters and digits with single hyphens between them, ${NAME_CHARS} characters at most.`;
    report('error', 'name_invalid', message);
  } else if (name !== folder) {
    const message = `The name ${name} must match the folder, which is ${JSON.stringify(folder)}.`;
    report('error', 'name_differs', message);
  }
  const description = textOf(fields.description)?.trim() ?? '';
  if (description === '') {
    report(
      'error',
      'description_missing',
      'A description is required: what the skill does, and when to use it.',
    );
  } else if (description.length > DESCRIPTION_CHARS) {
    const message = `The description has ${description.length} characters; the limit is ${DESCRIPTION_CHARS}.`;
    report('error', 'description_too_long', message);
  }
  for (const [field, most] of [
    ['license', 500],
    ['compatibility', COMPATIBILITY_CHARS],
  ] as const) {
    if (fields[field] === undefined) continue;
    const text = textOf(fields[field]);
    if (text === null || text.length > most) {
      report('error', 'field_invalid', `${field} must be a text of at most ${most} characters.`);
    }
  }
  const tools = safeParse(Names, fields['allowed-tools']);
  if (!tools.success) {
    report(
      'error',
      'allowed_tools_invalid',
      'allowed-tools must be names separated by spaces, or a list; brackets must follow a name and be closed.',
    );
  }
  const more = readMetadata(fields.metadata, report);
  return { name: name ?? '', description, ...more, allowedTools: tools.data ?? null };
}

function readMetadata(
  given: unknown,
  report: Report,
): Pick<FrontMatter, 'category' | 'tags' | 'version' | 'author'> {
  const metadata = safeParse(Metadata, given);
  if (!metadata.success)
    report('error', 'metadata_invalid', 'metadata must be fields with values.');
  const fields = metadata.data ?? {};
  const category = safeParse(Category, fields.category);
  if (!category.success) {
    const message = `There is no such category. The categories are ${SkillCategory.options.join(', ')}.`;
    report('warning', 'category_unknown', message);
  }
  const tags = safeParse(
    Tags,
    typeof fields.tags === 'string' ? fields.tags.split(/[\s,]+/) : (fields.tags ?? []),
  );
  if (!tags.success) report('warning', 'tags_invalid', 'tags must be words.');
  return {
    category: category.data ?? null,
    tags: (tags.data ?? []).filter((tag) => tag !== '').slice(0, 30),
    version: (textOf(fields.version) ?? '1.0.0').slice(0, 50),
    author: (textOf(fields.author) ?? '').slice(0, 100),
  };
}

function textOf(value: unknown): string | null {
  return safeParse(Scalar, value).data ?? null;
}

type YamlParser = typeof import('./yaml-parser.ts');

/** In development beside this file; in the bundle a separate file, above the chunks. */
const PLACES = ['yaml-parser.ts', 'yaml-parser.js', '../yaml-parser.js'];
const FOUND = PLACES.map((place) => path.join(import.meta.dirname, place)).find(existsSync);
const load = createRequire(import.meta.url);

/**
 * The parser, loaded on first use: loading it takes longer than parsing every front matter, and most starts
 * of the app parse none. Listing skills is synchronous, so it is loaded with `require`.
 */
function loadYaml(): YamlParser {
  if (FOUND === undefined)
    throw new Error('The app is incomplete: yaml-parser.js is missing. Install it again.');
  return load(FOUND) as YamlParser;
}
