import type { SkillParameter } from '#contract/skills.ts';

/** How a parameter is filled in. */
export type FieldKind = 'text' | 'long_text' | 'number' | 'boolean' | 'choice' | 'list' | 'json';

export interface FormField {
  readonly name: string;
  /** The name as people read it. */
  readonly label: string;
  readonly kind: FieldKind;
  readonly description: string;
  readonly required: boolean;
  /** The default value of its field. */
  readonly initial: string;
  readonly options: readonly string[];
}

/** What is wrong with a field. */
export type FieldProblem = 'missing' | 'number' | 'json' | 'array' | 'object' | 'option';

export type FormValues = Readonly<Record<string, string>>;
type Json = SkillParameter['default'];

/** Name parts that suggest a text of several lines. */
const LONG =
  /(?:^|_)(?:prompt|text|task|question|content|code|source|instructions?|brief|request|message|body|notes|requirements)$/i;

export function formFields(parameters: readonly SkillParameter[]): readonly FormField[] {
  return parameters.map((parameter) => {
    const { name, description, required, options = [] } = parameter;
    const kind = kindOf(parameter);
    const initial = initialText(parameter.default, kind);
    return { name, label: labelOf(name), kind, description, required, initial, options };
  });
}

function kindOf({ name, type, options, default: given }: SkillParameter): FieldKind {
  switch (type) {
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'array':
      return given == null || isLines(given) ? 'list' : 'json';
    case 'object':
      return 'json';
    case 'string':
      if (options !== undefined && options.length > 0) return 'choice';
      return LONG.test(name) || (typeof given === 'string' && given.includes('\n'))
        ? 'long_text'
        : 'text';
  }
}

/** `max_sources` as "Max sources". */
function labelOf(name: string): string {
  const words = name.replaceAll('_', ' ').trim();
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1);
}

/** Lists that can be entered one item per line. */
function isLines(value: Json): value is string[] {
  return (
    Array.isArray(value) &&
    value.every((one) => typeof one === 'string' && /^\s*[^[{\s][^\n]*$/.test(one))
  );
}

function initialText(value: Json, kind: FieldKind): string {
  if (value === undefined || value === null) return '';
  if (kind === 'list' && isLines(value)) return value.join('\n');
  if (kind === 'json') return JSON.stringify(value, null, 2);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export function initialValues(fields: readonly FormField[]): FormValues {
  return Object.fromEntries(fields.map(({ name, initial }) => [name, initial]));
}

export type ReadForm =
  | { readonly ok: true; readonly params: Readonly<Record<string, NonNullable<Json>>> }
  | { readonly ok: false; readonly problems: Readonly<Record<string, FieldProblem>> };

/** The parameters from a form. Empty optional fields are left out. */
export function readForm(parameters: readonly SkillParameter[], values: FormValues): ReadForm {
  const params: Record<string, NonNullable<Json>> = {};
  const problems: Record<string, FieldProblem> = {};
  for (const parameter of parameters) {
    const { name } = parameter;
    const text = Object.hasOwn(values, name) ? (values[name] ?? '') : '';
    const isEmpty = text.trim() === '';
    if (isEmpty && parameter.required) {
      // An unchecked box is false.
      if (parameter.type === 'boolean') params[parameter.name] = false;
      else problems[parameter.name] = 'missing';
    }
    if (isEmpty) continue;
    const read = readValue(parameter, text);
    if (typeof read.problem === 'string') problems[parameter.name] = read.problem;
    else params[parameter.name] = read.value;
  }
  return Object.keys(problems).length === 0 ? { ok: true, params } : { ok: false, problems };
}

type ReadValue =
  | { readonly value: NonNullable<Json>; readonly problem?: undefined }
  | { readonly problem: FieldProblem };

function readValue({ type, options = [] }: SkillParameter, text: string): ReadValue {
  switch (type) {
    case 'string':
      return options.length > 0 && !options.includes(text)
        ? { problem: 'option' }
        : { value: text };
    case 'boolean':
      return { value: text === 'true' };
    case 'number': {
      const value = Number(text);
      return Number.isFinite(value) ? { value } : { problem: 'number' };
    }
    case 'array':
      return /^\s*[[{]/.test(text) ? readJson(type, text) : { value: linesOf(text) };
    case 'object':
      return readJson(type, text);
  }
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function readJson(type: 'array' | 'object', text: string): ReadValue {
  try {
    const value = JSON.parse(text) as unknown;
    const isArray = Array.isArray(value);
    if (type === 'array') return isArray ? { value: value as never } : { problem: 'array' };
    const isObject = typeof value === 'object' && value !== null && !isArray;
    return isObject ? { value: value as never } : { problem: 'object' };
  } catch {
    // Not JSON: reported as the field's problem.
    return { problem: 'json' };
  }
}
