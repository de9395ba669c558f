import { z } from 'zod';
import { SkillCategory, type SkillFinding } from '#contract/skills.ts';
import { splitToolNames } from './allowed-tools.ts';
import { finding } from './finding.ts';
import { SKILL_FILE } from './limits.ts';
import { loadYaml } from './load-yaml.ts';

const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const NAME_CHARS = 64;
const DESCRIPTION_CHARS = 1_024;
const COMPATIBILITY_CHARS = 500;
const KNOWN: ReadonlySet<string> = new Set([
  ...['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools'],
]);

/** What a skill says of itself; valid where there is one. */
export interface FrontMatter {
  readonly name: string;
  readonly description: string;
  readonly category: SkillCategory | null;
  readonly tags: readonly string[];
  readonly version: string;
  readonly author: string;
  /** Names as they stand there; null where there is no such field. */
  readonly allowedTools: readonly string[] | null;
}

export interface ReadFrontMatter {
  /** Null where an error stands in the way. */
  readonly matter: FrontMatter | null;
  /** What comes after it. */
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
  // A bracket is open.
  .refine((names) => names !== null)
  .nullish();

/** Reads the front matter of a SKILL.md; `folder` is the name of the folder that it lies in. */
export function readFrontMatter(text: string, folder: string): ReadFrontMatter {
  const findings: SkillFinding[] = [];
  const tell = (severity: SkillFinding['severity'], rule: string, message: string, line = 1) => {
    findings.push(finding(severity, rule, { file: SKILL_FILE, line, message }));
  };
  const parts = splitMatter(text);
  if (typeof parts === 'string') {
    if (parts === 'open')
      tell('error', 'front_matter_open', 'The front matter has no closing line "---".');
    else tell('error', 'front_matter_missing', 'The first line must be "---": front matter.');
    return { matter: null, body: text, bodyLine: 1, findings };
  }
  const { yaml, body, bodyLine } = parts;
  const parsed = loadYaml().parseYaml(yaml);
  if ('problem' in parsed) {
    const message = `The front matter is no plain YAML: ${parsed.problem}`;
    tell('error', 'front_matter_yaml', message, (parsed.line ?? 0) + 1);
    return { matter: null, body, bodyLine, findings };
  }
  const fields = Fields.safeParse(parsed.value);
  if (!fields.success) {
    tell('error', 'front_matter_yaml', 'The front matter must be fields with values.');
    return { matter: null, body, bodyLine, findings };
  }
  const matter = readFields(fields.data, { folder, tell });
  const hasError = findings.some(({ severity }) => severity === 'error');
  return { matter: hasError ? null : matter, body, bodyLine, findings };
}

/** What stands between the first line and the next that is `---`, and what comes after it. */
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

type Tell = (severity: SkillFinding['severity'], rule: string, message: string) => void;

function readFields(
  fields: Readonly<Record<string, unknown>>,
  { folder, tell }: { readonly folder: string; readonly tell: Tell },
): FrontMatter {
  for (const key of Object.keys(fields).filter((name) => !KNOWN.has(name))) {
    const message = `The format has no field ${JSON.stringify(key)}; its place is under metadata.`;
    tell('warning', 'field_unknown', message);
  }
  const name = textOf(fields.name);
  if (name === null || name === '') tell('error', 'name_missing', 'A name is needed.');
  else if (!NAME.test(name) || name.length > NAME_CHARS) {
    const message = `The name must be small letters, digits and single hyphens between them, ${NAME_CHARS} at most.`;
    tell('error', 'name_invalid', message);
  } else if (name !== folder) {
    const message = `The name ${name} must be that of the folder, which is ${JSON.stringify(folder)}.`;
    tell('error', 'name_differs', message);
  }
  const description = textOf(fields.description)?.trim() ?? '';
  if (description === '') {
    tell(
      'error',
      'description_missing',
      'A description is needed: what it does, and when to use it.',
    );
  } else if (description.length > DESCRIPTION_CHARS) {
    const message = `The description has ${description.length} characters; ${DESCRIPTION_CHARS} are the most.`;
    tell('error', 'description_too_long', message);
  }
  for (const [field, most] of [
    ['license', 500],
    ['compatibility', COMPATIBILITY_CHARS],
  ] as const) {
    if (fields[field] === undefined) continue;
    const text = textOf(fields[field]);
    if (text === null || text.length > most) {
      tell('error', 'field_invalid', `${field} must be a text of at most ${most} characters.`);
    }
  }
  const tools = Names.safeParse(fields['allowed-tools']);
  if (!tools.success) {
    tell(
      'error',
      'allowed_tools_invalid',
      'allowed-tools must be names, parted by spaces, or a list; brackets follow a name, and are closed.',
    );
  }
  const more = readMetadata(fields.metadata, tell);
  return { name: name ?? '', description, ...more, allowedTools: tools.data ?? null };
}

function readMetadata(
  given: unknown,
  tell: Tell,
): Pick<FrontMatter, 'category' | 'tags' | 'version' | 'author'> {
  const metadata = Metadata.safeParse(given);
  if (!metadata.success) tell('error', 'metadata_invalid', 'metadata must be fields with values.');
  const fields = metadata.data ?? {};
  const category = Category.safeParse(fields.category);
  if (!category.success) {
    const message = `There is no such category; there are ${SkillCategory.options.join(', ')}.`;
    tell('warning', 'category_unknown', message);
  }
  const tags = Tags.safeParse(
    typeof fields.tags === 'string' ? fields.tags.split(/[\s,]+/) : (fields.tags ?? []),
  );
  if (!tags.success) tell('warning', 'tags_invalid', 'tags must be words.');
  return {
    category: category.data ?? null,
    tags: (tags.data ?? []).filter((tag) => tag !== '').slice(0, 30),
    version: (textOf(fields.version) ?? '1.0.0').slice(0, 50),
    author: (textOf(fields.author) ?? '').slice(0, 100),
  };
}

function textOf(value: unknown): string | null {
  return Scalar.safeParse(value).data ?? null;
}
