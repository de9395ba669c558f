import { AppError } from '#contract/errors.ts';
import { failed, unavailable } from '../image-errors.ts';

/** Of one server; nobody reads more. */
const MOST_MODELS = 500;
const NAME_CHARS = 300;
/** That an error lists. */
const LISTED_MODELS = 5;

/** A picture as these servers send it, in base64; null for any other text. */
export function fromBase64(text: string): Buffer | null {
  if (text === '' || text.length % 4 !== 0) return null;
  const bytes = Buffer.from(text, 'base64');
  // Node skips what is not base64, so that there are fewer bytes. A regular expression is slower on 100 MB.
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return bytes.length === (text.length / 4) * 3 - padding ? bytes : null;
}

/** A name that a server sent, on one line and shortened. Untrusted. */
export function plainName(name: string): string {
  return name
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()
    .slice(0, NAME_CHARS);
}

/** The names of models that are passed on, each once. */
export function modelNames(names: readonly string[]): string[] {
  const plain = new Set(names.map(plainName));
  return [...plain].filter((name) => name !== '').slice(0, MOST_MODELS);
}

/** The error for a model that was ordered and is not there; `todo` ends it. */
export function unknownModel(
  server: { readonly label: string },
  { model, names, todo }: { model: string; names: readonly string[]; todo: string },
): AppError {
  const more = names.length - LISTED_MODELS;
  const listed = names.slice(0, LISTED_MODELS).join(', ') + (more > 0 ? ` and ${more} more` : '');
  const has = names.length === 0 ? 'no model at all' : listed;
  return failed(`${server.label} has no model "${plainName(model)}". It has ${has}. ${todo}`);
}

/** The error for JSON of another shape than the server's. */
export function oddAnswer(server: { readonly label: string }, call: string): AppError {
  return failed(
    `${server.label} answered ${call} with something else than expected. Check its address in the settings, or update it.`,
  );
}

/** `look` asks whether a server is the expected one: whatever else answers counts as not there. */
export async function orUnavailable<Result>(look: Promise<Result>): Promise<Result> {
  try {
    return await look;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'IMAGE_FAILED') throw error;
    throw unavailable(error.message, error);
  }
}
