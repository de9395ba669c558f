import type {
  SkillDetail,
  SkillFinding,
  SkillParameter,
  SkillStep,
  SkillSummary,
} from '#contract/skills.ts';
import { plainTerminalText, showControls } from './visible-text.ts';

const STATES = {
  ready: 'ready',
  disabled: 'disabled',
  needs_review: 'needs review',
  broken: 'broken',
};

/** A skill in a list: one line of facts, then its description. */
export function describeSkillLine(skill: SkillSummary): string {
  const { id, category, source, risk, state, description, problem } = skill;
  const from = skill.isShipped === true ? `${source}, shipped with the app` : source;
  const facts = [category ?? 'no category', from, `risk ${risk}`, STATES[state], usesOf(skill)];
  const lines = [`${flat(id)}  ${facts.join(', ')}`, `    ${flat(description)}`];
  if (problem !== null) lines.push(`    ! ${flat(problem)}`);
  return lines.map((line) => `${showControls(line)}\n`).join('');
}

function usesOf({ invocationCount, lastInvokedAt }: SkillSummary): string {
  const times = invocationCount === 1 ? 'once' : `${invocationCount} times`;
  return lastInvokedAt === null ? 'never used' : `used ${times}, last on ${day(lastInvokedAt)}`;
}

/** On one line, so that no text can imitate a line of the app. */
const flat = (text: string): string => text.replace(/\s+/g, ' ').trim();
const day = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** Everything a user needs to know about a skill before running or approving it. */
export function describeSkill(skill: SkillDetail): string {
  const { summary, metadata, granted, code, markdown, findings } = skill;
  const { folder, problem, tags } = summary;
  const facts: [string, string | null][] = [
    ['category', summary.category ?? 'none'],
    [
      'from',
      `${summary.source}${folder === null ? '' : `, ${folder}`}, by ${summary.author || 'an unknown author'}`,
    ],
    ['state', `${STATES[summary.state]}${problem === null ? '' : `: ${problem}`}`],
    ['risk', summary.risk],
    ['uses', usesOf(summary)],
    ['tags', listed(tags)],
    ['may use', listed(metadata?.capabilities ?? [])],
    ['granted', summary.source === 'dynamic' ? (listed(granted) ?? 'nothing') : null],
    ['needs', listed(metadata?.requiredTools ?? [])],
    ['tools', markdown?.allowedTools == null ? null : `only ${listed(markdown.allowedTools)}`],
    ['source', code === null ? null : `${code.language}, version ${code.version}, ${code.sha256}`],
  ];
  const lines = [
    `${flat(summary.name)} (${flat(summary.id)}) ${summary.version}`,
    ...summary.description.split('\n').map((line) => `  ${line}`),
    ...facts.flatMap(([name, value]) =>
      value === null ? [] : [`${name.padEnd(10)}${flat(value)}`],
    ),
    ...section('Parameters', (metadata?.parameters ?? []).map(describeParameter)),
    ...section('Returns', outputsOf(metadata?.outputSchema ?? {})),
    ...section('Steps', (markdown?.steps ?? []).map(describeStep)),
    ...section(
      'Files',
      (markdown?.files ?? []).map(({ path, size }) => `${path}, ${size} bytes`),
    ),
    ...section('Findings', findings.map(describeFinding)),
  ];
  return plainTerminalText(`${lines.join('\n')}\n`);
}

const listed = (words: readonly string[]): string | null =>
  words.length === 0 ? null : words.join(', ');

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `  ${flat(line)}`)];

/** A parameter as the caller needs to know it. */
export function describeParameter(parameter: SkillParameter): string {
  const { name, type, description, required, options } = parameter;
  const facts = [
    type,
    ...(parameter.default !== undefined
      ? [`default ${JSON.stringify(parameter.default)}`]
      : required
        ? []
        : ['optional']),
    ...(options === undefined ? [] : [`one of ${options.join(', ')}`]),
  ];
  const meaning = description === '' ? '' : `: ${description}`;
  return flat(`${name} (${facts.join(', ')})${meaning}`);
}

function outputsOf(schema: Readonly<Record<string, unknown>>): string[] {
  const { properties } = schema;
  if (typeof properties !== 'object' || properties === null) return [];
  return Object.entries(properties).map(([name, field]) => {
    const { type } = (field ?? {}) as { readonly type?: unknown };
    return typeof type === 'string' ? `${name} (${type})` : name;
  });
}

function describeStep({ number, title, subskills, checkpoints, marks = [] }: SkillStep): string {
  const needs = [
    ...marks,
    ...subskills.map((file) => `reads ${file}`),
    ...checkpoints.map((checkpoint) => `asks you: ${checkpoint}`),
  ];
  return `${number}. ${title}${needs.length === 0 ? '' : ` (${needs.join('; ')})`}`;
}

/** In the format of compilers: `FILE:LINE: severity: message [rule]`. */
export function describeFinding({ severity, rule, file, line, message }: SkillFinding): string {
  const where = file === null ? '' : `${file}${line === null ? '' : `:${line}`}: `;
  return flat(`${where}${severity}: ${message} [${rule}]`);
}
