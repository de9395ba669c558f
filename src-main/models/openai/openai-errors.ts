import { AppError, type ErrorCode } from '#contract/errors.ts';
import { isRecord, parseJson } from '../json-text.ts';
import { RefusedRequest } from '../parameter-fixes.ts';
import { contextExceeded, quoteServerText, type ServerIdentity } from '../server-errors.ts';

/** A refusal in any form that servers of this protocol use. */
export interface OpenAiRefusal {
  /** HTTP status, or `line` for an error inside a stream. */
  readonly where: number | 'line';
  readonly text: string;
  /** `type` and `code` of the error, if present, joined by a space. */
  readonly kind: string;
  readonly promptTokens: number | null;
  readonly contextWindow: number | null;
  /** Whether the body was a JSON object. */
  readonly isJson: boolean;
  readonly body: string;
}

export interface OpenAiErrorContext {
  readonly model: string;
  readonly server: ServerIdentity;
  readonly secrets: readonly string[];
  /** How the user enters a key, for providers that require one. */
  readonly keyHint: string | null;
}

interface ErrorRule {
  readonly pattern: RegExp;
  readonly code: ErrorCode;
  readonly message: (context: OpenAiErrorContext) => string;
}

/** Rules, tested against kind and text together. The first match counts. */
const RULES: readonly ErrorRule[] = [
  {
    pattern:
      /does not support tools|requires --enable-auto-tool-choice|tools param requires --jinja|tool.{0,20}(is|are) not supported/i,
    code: 'MODEL_LACKS_TOOLS',
    message: ({ model, server }) =>
      `${model} cannot call tools on this server. Choose a model that can, or start ${server.label} with tool calling on (vLLM: --enable-auto-tool-choice with a --tool-call-parser; llama.cpp: --jinja).`,
  },
  {
    pattern:
      /does not support (image|thinking|chat)|image input is not supported|not a multimodal/i,
    code: 'MODEL_LACKS_CAPABILITY',
    message: ({ model }) =>
      `${model} does not support what this request needs. Choose another model.`,
  },
  {
    pattern: /no models? (is |are )?loaded/i,
    code: 'MODEL_NOT_FOUND',
    message: ({ server }) => `No model is loaded in ${server.label}. Load one there first.`,
  },
  {
    pattern: /model_not_found|not_found_error model:|model.{1,200}(not found|does not exist)/i,
    code: 'MODEL_NOT_FOUND',
    message: ({ model, server }) =>
      `${server.label} does not have the model ${model}. Choose one that it lists.`,
  },
  {
    pattern: /failed to load|out of memory|insufficient system resources/i,
    code: 'MODEL_LOAD_FAILED',
    message: ({ model, server }) =>
      `${server.label} could not load ${model}, most likely for lack of memory. Choose a smaller model or a smaller context window.`,
  },
  {
    pattern: /invalid_api_key|authentication_error|insufficient_quota|billing/i,
    code: 'MODEL_UNAUTHORIZED',
    message: (context) => unauthorized(context),
  },
];

const CONTEXT_PATTERN =
  /exceed_context_size|context_length_exceeded|maximum context length|context (the )?overflows|exceeds the available context|prompt is too long|input token count.{0,40}exceeds|context length of only|context length is only|tokens to keep from the initial prompt|cannot truncate prompt with n_keep|\bn_keep\b.{0,40}>=.{0,20}\bn_ctx\b/i;

/** Patterns for the numbers of a context error (prompt, window) that only its text contains. */
const CONTEXT_NUMBERS: readonly { pattern: RegExp; promptFirst: boolean }[] = [
  {
    pattern: /request \((\d+) tokens\) exceeds the available context size \((\d+)/,
    promptFirst: true,
  },
  { pattern: /prompt is too long: (\d+) tokens > (\d+)/, promptFirst: true },
  { pattern: /input token count \(?(\d+)\)? exceeds .{0,60}?(\d+)/, promptFirst: true },
  {
    pattern: /first (\d+) tokens? when context the overflows.{0,120}context length of only (\d+)/,
    promptFirst: true,
  },
  {
    pattern: /\bn_keep\b\D{0,10}(\d+)\D{0,10}?>=.{0,20}?\bn_ctx\b\D{0,10}(\d+)/,
    promptFirst: true,
  },
  {
    pattern: /You passed (\d+) input tokens.{0,200}?context length is only (\d+)/,
    promptFirst: true,
  },
  {
    pattern: /maximum context length (?:is|of) (\d+) tokens.{0,200}?(\d+) (?:input )?tokens/,
    promptFirst: false,
  },
];

/** Parses the body of a refusal: `{error: {…}}`, `{error: "…"}`, `{message}` or `{detail}`. */
export function readOpenAiRefusal(where: OpenAiRefusal['where'], body: string): OpenAiRefusal {
  const parsed = parseJson(body);
  // Gemini wraps its errors in an array.
  const value: unknown = Array.isArray(parsed) ? parsed[0] : parsed;
  const outer = isRecord(value) ? value : {};
  const inner = isRecord(outer.error) ? outer.error : outer;
  const message = [inner.message, outer.error, outer.detail, outer.message].find(
    (candidate) => typeof candidate === 'string',
  );
  const number = (key: string): number | null =>
    typeof inner[key] === 'number' ? inner[key] : null;
  return {
    where,
    text: typeof message === 'string' ? message : isRecord(value) ? body : '',
    kind: [inner.type, inner.code].filter((part) => typeof part === 'string').join(' '),
    promptTokens: number('n_prompt_tokens'),
    contextWindow: number('n_ctx'),
    isJson: isRecord(value),
    body,
  };
}

/** The coded error for a refusal, with the server's own text at the end. */
export function openAiError(refusal: OpenAiRefusal, context: OpenAiErrorContext): AppError {
  const all = `${refusal.kind} ${refusal.text}`;
  if (CONTEXT_PATTERN.test(all)) return contextExceeded(context.model, contextNumbers(refusal));
  const { code, message } = RULES.find((rule) => rule.pattern.test(all)) ?? byStatus(refusal);
  const quoted = quoteServerText(refusal.text, context.secrets);
  const { label, address } = context.server;
  return new AppError(code, `${message(context)}${quoted === '' ? '' : ` (${label}: ${quoted})`}`, {
    details: { address, ...(refusal.where === 'line' ? {} : { status: refusal.where }) },
    ...(code === 'MODEL_BAD_REQUEST' && { cause: new RefusedRequest(refusal.body) }),
  });
}

function contextNumbers(refusal: OpenAiRefusal): {
  promptTokens: number | null;
  contextWindow: number | null;
} {
  if (refusal.promptTokens !== null || refusal.contextWindow !== null) return refusal;
  for (const { pattern, promptFirst } of CONTEXT_NUMBERS) {
    const match = pattern.exec(refusal.text);
    if (match === null) continue;
    const [first, second] = [Number(match[1]), Number(match[2])];
    return promptFirst
      ? { promptTokens: first, contextWindow: second }
      : { promptTokens: second, contextWindow: first };
  }
  return { promptTokens: null, contextWindow: null };
}

function byStatus(refusal: OpenAiRefusal): Omit<ErrorRule, 'pattern'> {
  const { where } = refusal;
  if (where === 'line') return broken;
  if (where === 401 || where === 403) return { code: 'MODEL_UNAUTHORIZED', message: unauthorized };
  if (where === 429 || where === 503 || where === 529 || where === 402) {
    return {
      code: 'MODEL_OVERLOADED',
      message: ({ server }) =>
        `${server.label} is busy, or a limit of your account is reached. Wait a moment, then try again.`,
    };
  }
  if (where === 502 || where === 504) {
    return {
      code: 'MODEL_SERVER_UNREACHABLE',
      message: ({ server }) =>
        `The server at ${server.address} cannot reach the model behind it. Check that the model's server is running.`,
    };
  }
  if ((where >= 300 && where < 400) || where === 404 || (!refusal.isJson && where < 500)) {
    return {
      code: 'MODEL_NOT_A_MODEL_SERVER',
      message: ({ server }) =>
        `There is no OpenAI-compatible chat API at ${server.address} (HTTP ${where}). Check the address and the port.`,
    };
  }
  if (where < 500) {
    return {
      code: 'MODEL_BAD_REQUEST',
      message: ({ server }) => `${server.label} refused the request (HTTP ${where}).`,
    };
  }
  return broken;
}

const broken: Omit<ErrorRule, 'pattern'> = {
  code: 'MODEL_STREAM_BROKEN',
  message: ({ server }) =>
    `${server.label} failed while it was answering. The answer so far is kept. Try again; if it happens again, check its log.`,
};

function unauthorized({ server, keyHint }: OpenAiErrorContext): string {
  return `${server.label} does not accept the key, or the account has no credit. ${keyHint ?? 'Set a key for this server in the settings, or with --api-key-env.'}`;
}
