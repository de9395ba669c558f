import type { z } from 'zod';
import { type ErrorEnvelope, toErrorEnvelope } from '#contract/errors.ts';
import { REQUESTS, type RequestName } from '#contract/requests.ts';
import { safeParse } from '#contract/safe-parse.ts';
import type { Requests, Subscriber } from '../api/types.ts';
import type { Logger } from '../base/logger.ts';
import { isTooDeep } from '../base/outside-json.ts';

/** Longest part of the input that an error repeats. */
const SHOWN_CHARS = 200;

export type AnyResult =
  | { readonly ok: true; readonly data: unknown }
  | { readonly ok: false; readonly error: ErrorEnvelope };

/**
 * The single entry for requests, whatever the transport: checks the name, parses the input, calls the
 * API. Never throws, and no method of the API sees unparsed input.
 */
export class RequestRouter {
  readonly #api: Requests;
  readonly #logger: Logger;

  constructor(api: Requests, logger: Logger) {
    this.#api = api;
    this.#logger = logger;
  }

  async handle(name: unknown, input: unknown, caller: Subscriber): Promise<AnyResult> {
    if (!isRequestName(name)) return badRequest('Unknown request name.', []);
    try {
      const parsed = safeParse(REQUESTS[name].input, input);
      if (!parsed.success) return describeIssues(name, parsed.error);
      if (!canBeHandled(parsed.data))
        return badRequest(`${name}: the input is nested too deeply or cannot be read`, []);
      // The table ties each name to its input; TypeScript cannot follow that through a union.
      const answer = this.#api[name] as (input: unknown, caller: Subscriber) => unknown;
      return { ok: true, data: await answer(parsed.data, caller) };
    } catch (error) {
      const envelope = toErrorEnvelope(error);
      if (envelope.code === 'INTERNAL') {
        this.#logger.error('A request failed because of a bug', { name, error });
      }
      return { ok: false, error: envelope };
    }
  }
}

/** Free-form input may be nested without end, or throw when it is read. */
function canBeHandled(input: unknown): boolean {
  try {
    return !isTooDeep(input);
  } catch {
    // A getter or a proxy trap: no channel carries them.
    return false;
  }
}

/** Own properties only: `constructor` and the like are not requests. */
function isRequestName(name: unknown): name is RequestName {
  return typeof name === 'string' && Object.hasOwn(REQUESTS, name);
}

function describeIssues(name: string, error: z.ZodError): AnyResult {
  const issues = error.issues
    .slice(0, 5)
    .map(({ path, message }) => ({ path: short(path.join('.')), problem: short(message) }));
  const first = issues[0];
  const where = first === undefined || first.path === '' ? name : `${name}, ${first.path}`;
  return badRequest(`${where}: ${first?.problem ?? 'does not fit'}`, issues);
}

/** Field names come from the window, in any number and length. */
function short(text: string): string {
  return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;
}

function badRequest(message: string, issues: readonly unknown[]): AnyResult {
  return { ok: false, error: { code: 'BAD_REQUEST', message, details: { issues } } };
}
