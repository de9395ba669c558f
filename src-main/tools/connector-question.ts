import type { InterruptResponse } from '#contract/events/hitl.ts';
import type { QuestionField, ServerQuestion } from '../connectors/types.ts';
import type { Question } from '../hitl/types.ts';
import type { ToolContext } from './types.ts';

type Given = Readonly<Record<string, string | number | boolean>>;

/**
 * Asks the user what a connector wants to know, in the name of that connector. Rejects with `RunParked` where the user
 * is away.
 */
export async function askForConnector(
  connector: string,
  question: ServerQuestion,
  context: ToolContext & { readonly count: number },
): Promise<Given | 'decline' | 'cancel'> {
  const { toolCallId, count, broker } = context;
  const response = await broker.ask(
    {
      subject: `${toolCallId} question ${count}`,
      title: `The connector "${connector}" asks`,
      message: question.message,
      toolCallId,
      reasons: ['Its server asks this, not the app. Do not give it passwords or keys.'],
      ...formOf(question.fields),
    },
    context,
  );
  return answerOf(response, question.fields);
}

function formOf(
  fields: readonly QuestionField[],
): Pick<Question, 'kind' | 'options' | 'parameters'> {
  const [only] = fields;
  if (only === undefined) return { kind: 'confirm', options: [] };
  if (fields.length > 1) {
    const initial = fields.map(({ name, kind, initial: value }) => [name, value ?? EMPTY[kind]]);
    return { kind: 'checkpoint', options: [], parameters: Object.fromEntries(initial) };
  }
  if (only.kind === 'boolean') return { kind: 'confirm', options: [] };
  if (only.choices.length === 0) return { kind: 'input', options: [] };
  return {
    kind: 'decision',
    options: only.choices.map((choice) => ({ value: choice, label: choice })),
  };
}

const EMPTY = { text: '', number: 0, boolean: false } as const;

function answerOf(
  response: InterruptResponse,
  fields: readonly QuestionField[],
): Given | 'decline' | 'cancel' {
  const [only] = fields;
  switch (response.action) {
    case 'deny':
      return only?.kind === 'boolean' && fields.length === 1 ? { [only.name]: false } : 'decline';
    case 'confirm':
      if (only?.kind === 'boolean' && fields.length === 1) return { [only.name]: true };
      return initialOf(fields);
    case 'select':
      return only === undefined ? 'cancel' : { [only.name]: response.value };
    case 'input':
      return only === undefined ? 'cancel' : withText(only, response.text);
    case 'modify':
      return { ...initialOf(fields), ...scalarsOf(response.overrides, fields) };
    case 'approve':
    case 'skip':
      return 'cancel';
  }
}

function initialOf(fields: readonly QuestionField[]): Given {
  const entries = fields.flatMap(({ name, kind, isRequired, initial }) => {
    const value = initial ?? (isRequired ? EMPTY[kind] : null);
    return value === null ? [] : [[name, value] as const];
  });
  return Object.fromEntries(entries);
}

function withText({ name, kind }: QuestionField, text: string): Given | 'cancel' {
  if (kind !== 'number') return { [name]: text };
  const number = Number(text.trim());
  return text.trim() === '' || Number.isNaN(number) ? 'cancel' : { [name]: number };
}

/** Only fields that were asked for, each of its kind. */
function scalarsOf(
  overrides: Readonly<Record<string, unknown>>,
  fields: readonly QuestionField[],
): Given {
  const entries = fields.flatMap(({ name, kind }) => {
    const value = overrides[name];
    const isFit = kind === 'text' ? typeof value === 'string' : typeof value === kind;
    return isFit ? [[name, value as string | number | boolean] as const] : [];
  });
  return Object.fromEntries(entries);
}
