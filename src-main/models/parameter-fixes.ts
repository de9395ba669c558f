import { AppError } from '#contract/errors.ts';
import type { ParameterFix } from '#contract/models.ts';
import { isRecord, parseJson } from './json-text.ts';

/** The fields of a request by their names. */
export type Fields = Readonly<Record<string, unknown>>;
/** What to do about parameters, by their path. */
export type ParameterFixes = Readonly<Record<string, ParameterFix>>;

/** The fixes that are known for a model; kept in its profile. */
export interface FixMemory {
  all(): ParameterFixes;
  /** Called once a request with the fixes was answered. */
  put(fixes: ParameterFixes): void;
}

/** The cause of an error for a request that a server found faulty: what the server answered. */
export class RefusedRequest extends Error {
  /** Private, so that no log shows what a server says. */
  readonly #body: string;

  constructor(body: string) {
    super('The server refused the request.');
    this.name = 'RefusedRequest';
    this.#body = body;
  }

  get body(): string {
    return this.#body;
  }
}

/** What a request is: without these there is nothing to answer. */
const ESSENTIAL = new Set(['model', 'messages', 'input', 'tools', 'system', 'stream']);
/** Of these, one part can be refused and the others accepted. */
const GROUPS = new Set(['output_config', 'reasoning', 'text', 'thinking']);
/** How many parameters of one request may be fixed. */
const MAX_FIXES = 3;
/** A refusal says in its first sentences what it is about. */
const MAX_TEXT_CHARS = 4_000;

/**
 * Sends a request with the known fixes. A refusal that names a parameter of the request drops it, or changes it as
 * the refusal says, and the request is repeated: once for each parameter. What helped is remembered.
 */
export async function sendFixed<Answer>(
  fields: Fields,
  {
    memory,
    attempt,
    onRetry,
  }: {
    readonly memory: FixMemory;
    /** Sends the fields. Rejects with the cause `RefusedRequest` if the server refused them. */
    readonly attempt: (fields: Fields) => Promise<Answer>;
    readonly onRetry: (reason: string) => void;
  },
): Promise<Answer> {
  const learnt = new Map<string, ParameterFix>();
  for (;;) {
    const fixes = { ...memory.all(), ...Object.fromEntries(learnt) };
    const sent = applyFixes(fields, fixes);
    try {
      const answer = await attempt(sent);
      if (learnt.size > 0) memory.put(fixes);
      return answer;
    } catch (error) {
      const refused = error instanceof AppError ? error.cause : null;
      const found = refused instanceof RefusedRequest ? findFix(refused.body, sent) : null;
      if (found === null || learnt.has(found.path) || learnt.size === MAX_FIXES) throw error;
      learnt.set(found.path, found.fix);
      onRetry(`The server refuses ${found.path}, so it was ${WORDS[found.fix.kind]}.`);
    }
  }
}

const WORDS = { drop: 'left out', rename: 'renamed', set: 'changed' } as const;

/** A copy of the fields with the fixes for those that are there. */
export function applyFixes(fields: Fields, fixes: ParameterFixes): Fields {
  let fixed = fields;
  for (const [path, fix] of Object.entries(fixes)) fixed = applyFix(fixed, path.split('.'), fix);
  return fixed;
}

function applyFix(
  fields: Fields,
  [key = '', ...rest]: readonly string[],
  fix: ParameterFix,
): Fields {
  const { [key]: value, ...others } = fields;
  if (rest.length > 0) {
    if (!isRecord(value)) return fields;
    const isMissing = rest.length === 1 && !Object.hasOwn(value, rest[0] ?? '');
    if (isMissing) return fields;
    const inner = applyFix(value, rest, fix);
    return Object.keys(inner).length === 0 ? others : { ...fields, [key]: inner };
  }
  switch (fix.kind) {
    case 'drop':
      return others;
    case 'rename':
      return value === undefined ? fields : { ...others, [fix.to]: value };
    case 'set': {
      // A number is a bound; a word is wanted whether or not another one was sent.
      if (typeof fix.value === 'string') return { ...fields, [key]: fix.value };
      return typeof value === 'number' ? { ...fields, [key]: Math.min(value, fix.value) } : fields;
    }
  }
}

function findFix(body: string, sent: Fields): { path: string; fix: ParameterFix } | null {
  const { names, text } = readRefusal(body);
  const wanted = /\bset `?'?([a-z_]+)'?`? to ["'`]?(\w+)/i.exec(text);
  if (wanted?.[1] && wanted[2] && !ESSENTIAL.has(wanted[1])) {
    return { path: wanted[1], fix: { kind: 'set', value: wanted[2] } };
  }
  for (const name of [...names, ...namesInText(text, sent)]) {
    const path = pathIn(sent, name);
    if (path !== null) return { path, fix: fixOf(path, text) };
  }
  return null;
}

/** How a refusal says what to do about a parameter; the default is to leave it out. */
function fixOf(path: string, text: string): ParameterFix {
  const instead = /\buse ["'`]([a-z_]+)["'`] instead/i.exec(text)?.[1];
  if (instead !== undefined && !ESSENTIAL.has(instead)) return { kind: 'rename', to: instead };
  const bound =
    /\d{1,9} > (\d{1,9})|(?:at most|maximum(?: value)? (?:of|is)|less than or equal to) (\d{1,9})/i.exec(
      text,
    );
  // Efforts are named from the smallest up. Of a part of a group, what was not sent is not set.
  const word = /supported values are:? ["'`](\w+)["'`]/i.exec(text)?.[1];
  if (word !== undefined && path.includes('.')) return { kind: 'set', value: word };
  const value = Number(bound?.[1] ?? bound?.[2]);
  return /tokens/.test(path) && value > 0 ? { kind: 'set', value } : { kind: 'drop' };
}

/** The message of a refusal, and the parameters that it names in a field of its own or at its beginning. */
function readRefusal(body: string): { names: string[]; text: string } {
  const parsed = parseJson(body);
  const value: unknown = Array.isArray(parsed) ? parsed[0] : parsed;
  if (!isRecord(value)) return { names: [], text: '' };
  const inner = isRecord(value.error) ? value.error : value;
  const text = [inner.message, value.error, value.detail, value.message].find(
    (one) => typeof one === 'string',
  );
  // Mistral has its details inside of the message.
  const outer = isRecord(inner.message) ? inner.message : value;
  const details: unknown[] = Array.isArray(outer.detail) ? outer.detail : [];
  const places = details.map((one) =>
    isRecord(one) && Array.isArray(one.loc)
      ? one.loc.filter((part) => part !== 'body').join('.')
      : '',
  );
  const message = typeof text === 'string' ? text.slice(0, MAX_TEXT_CHARS) : '';
  const first = /^([a-z_]+(?:\.[a-z_]+)*): /.exec(message)?.[1];
  const names = [inner.param, ...places, first].filter((name) => typeof name === 'string');
  return { names: names.filter((name) => name !== ''), text: message };
}

/** Names in quotes, then parameters of the request that occur as words. */
function namesInText(text: string, sent: Fields): string[] {
  const quoted = [...text.matchAll(/["'`]([a-z_]+(?:\.[a-z_]+)*)["'`]/g)].map(([, name]) => name);
  const words = new Set(text.match(/[a-z_]+/g));
  return [...quoted, ...Object.keys(sent).filter((key) => words.has(key))].filter(
    (name) => name !== undefined,
  );
}

/** The path of the parameter in the request that can be left out; null if there is none. */
function pathIn(sent: Fields, name: string): string | null {
  const [key = '', part = ''] = name.split(/[.[]/);
  if (!Object.hasOwn(sent, key) || ESSENTIAL.has(key)) return null;
  const value = sent[key];
  return GROUPS.has(key) && isRecord(value) && Object.hasOwn(value, part) ? `${key}.${part}` : key;
}
