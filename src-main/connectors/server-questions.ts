import type { ElicitRequestFormParams, ElicitResult } from '@modelcontextprotocol/client';
import { makeVisible } from '#contract/visible-text.ts';
import type { AskUser, QuestionField, ServerQuestion } from './types.ts';

/** Questions of one call: more are refused. */
const MOST_QUESTIONS = 3;
const MOST_FIELDS = 10;
const MESSAGE_CHARS = 2_000;
const LABEL_CHARS = 200;

/** What nobody should give to a server in a form. */
const SECRET =
  /pass(?:word|phrase|code)?\b|secret|token|api[_ -]?key|private[_ -]?key|seed[_ -]?phrase|one[_ -]?time|\botp\b|\bpin\b|\bcvv?c?\b|card[_ -]?number|credit[_ -]?card|\biban\b|\bssn\b|social security|密码|口令|令牌|信用卡/i;

/** The questions that a server asks while it works on one call. */
export class ServerQuestions {
  readonly #ask: AskUser | null;
  #count = 0;

  constructor(ask: AskUser | null) {
    this.#ask = ask;
  }

  /** The user's answer. A question that is no plain form, wants a secret, or comes too often is declined unseen. */
  async answer(params: ElicitRequestFormParams): Promise<ElicitResult> {
    this.#count += 1;
    if (this.#ask === null || this.#count > MOST_QUESTIONS) return { action: 'cancel' };
    const question = questionOf(params);
    if (question === null || wantsSecret(question)) return { action: 'decline' };
    const given = await this.#ask(question);
    if (given === 'decline' || given === 'cancel') return { action: given };
    return { action: 'accept', content: { ...given } };
  }
}

/** The form of a question; null for one that cannot be shown. */
export function questionOf({
  message,
  requestedSchema,
}: ElicitRequestFormParams): ServerQuestion | null {
  const { properties = {}, required = [] } = requestedSchema;
  const entries = Object.entries(properties);
  if (entries.length > MOST_FIELDS) return null;
  const fields = entries.map(([name, schema]) => fieldOf(name, schema, required.includes(name)));
  if (fields.some((field) => field === null)) return null;
  return {
    message: shown(message, MESSAGE_CHARS),
    fields: fields.filter((field) => field !== null),
  };
}

function fieldOf(name: string, schema: unknown, isRequired: boolean): QuestionField | null {
  const {
    type,
    title,
    description,
    enum: values,
    oneOf,
    ...rest
  } = schema as Readonly<Record<string, unknown>>;
  const label = shown([title, description].filter(isText).join(': ') || name, LABEL_CHARS);
  const choices = choicesOf(values, oneOf);
  if (choices === null) return null;
  if (type !== 'string' && type !== 'number' && type !== 'integer' && type !== 'boolean')
    return null;
  const kind = type === 'integer' ? 'number' : type === 'string' ? 'text' : type;
  const initial = ['string', 'number', 'boolean'].includes(typeof rest.default)
    ? (rest.default as string | number | boolean)
    : null;
  return { name, label, kind, isRequired, choices, initial };
}

/** Empty where any value may be given; null where they are no texts. */
function choicesOf(values: unknown, oneOf: unknown): readonly string[] | null {
  const listed = Array.isArray(values)
    ? values
    : Array.isArray(oneOf)
      ? oneOf.map((one: { const?: unknown }) => one.const)
      : [];
  return listed.every(isText) && listed.length <= 50 ? listed : null;
}

function wantsSecret({ message, fields }: ServerQuestion): boolean {
  return (
    fields.some(({ name, label }) => SECRET.test(name) || SECRET.test(label)) ||
    (fields.length > 0 && SECRET.test(message))
  );
}

function shown(text: string, most: number): string {
  const visible = makeVisible(text);
  return visible.length > most ? `${visible.slice(0, most)}…` : visible;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
