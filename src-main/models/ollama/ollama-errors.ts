import { AppError, type ErrorCode } from '#contract/errors.ts';
import { parseOutsideJson } from '../../base/outside-json.ts';
import { contextExceeded, quoteServerText, type ServerIdentity } from '../server-errors.ts';

/** A refusal as received: its HTTP status, or `line` for an error in mid-stream. */
export interface OllamaRefusal {
  readonly where: number | 'line';
  readonly text: string;
  /** Where to sign in, if the cloud requires it. */
  readonly signinUrl?: string;
}

export interface OllamaErrorContext {
  readonly model: string;
  readonly server: ServerIdentity;
  readonly secrets: readonly string[];
}

interface ErrorRule {
  readonly pattern: RegExp;
  readonly code: ErrorCode;
  /** What happened and what to do; the server's own text is appended. */
  readonly message: (model: string) => string;
}

/** Rules for the texts of Ollama's errors, whatever their status. The first match counts. */
const RULES: readonly ErrorRule[] = [
  {
    pattern: /does not support tools/,
    code: 'MODEL_LACKS_TOOLS',
    message: (model) =>
      `${model} cannot call tools. Choose a model that can, for example: ollama pull qwen3:8b.`,
  },
  {
    pattern: /does not support thinking|invalid think value|think must be/,
    code: 'MODEL_LACKS_CAPABILITY',
    message: (model) => `${model} does not support this thinking mode. Turn thinking off for it.`,
  },
  {
    pattern: /does not support (chat|generate)|image generation models/,
    code: 'MODEL_LACKS_CAPABILITY',
    message: (model) => `${model} is not made for conversation. Choose a chat model.`,
  },
  {
    pattern: /not found, try pulling it first|^model ['"].*['"] not found/,
    code: 'MODEL_NOT_FOUND',
    message: (model) =>
      `Ollama does not have the model ${model}. Get it with: ollama pull ${model}.`,
  },
  {
    pattern: /^invalid model name|^model is required/,
    code: 'MODEL_BAD_REQUEST',
    message: (model) =>
      `"${model}" is not a valid model name for Ollama. Names look like qwen3:8b; run ollama list to see yours.`,
  },
  {
    pattern: /^ollama cloud is disabled/,
    code: 'CLOUD_MODEL_NOT_ALLOWED',
    message: (model) =>
      `${model} runs in Ollama's cloud, which is turned off on this machine. Choose a model that runs here.`,
  },
  {
    pattern: /server busy|maximum pending requests/,
    code: 'MODEL_OVERLOADED',
    message: () => 'Ollama is busy with other requests. Wait for them to end, then try again.',
  },
  {
    pattern:
      /out-of-memory|requires more system memory|llama-server process has terminated|timed out waiting for llama-server/,
    code: 'MODEL_LOAD_FAILED',
    message: (model) =>
      `Ollama could not load ${model}, most likely for lack of memory. Close other programs, set a smaller context window, or choose a smaller model.`,
  },
  {
    pattern: /model runner has unexpectedly stopped/,
    code: 'MODEL_LOAD_FAILED',
    message: (model) =>
      `Ollama's process for ${model} stopped, most likely for lack of memory. Set a smaller context window, choose a smaller model, or check Ollama's log.`,
  },
  {
    pattern: /^invalid format/,
    code: 'MODEL_BAD_REQUEST',
    message: () =>
      'Ollama cannot constrain the answer to the requested schema. Update Ollama, or choose another model.',
  },
  {
    pattern: /longer than the context length|exceeds the available context size/,
    code: 'MODEL_CONTEXT_EXCEEDED',
    message: (model) =>
      `The request does not fit the window of ${model}. Set a larger context window, or start a new task.`,
  },
];

/** The meaning of each status, for texts that match no rule. */
const BY_STATUS: Readonly<Record<number, Omit<ErrorRule, 'pattern'>>> = {
  401: {
    code: 'MODEL_UNAUTHORIZED',
    message: (model) => `${model} needs a sign-in or a key. Sign in with: ollama signin.`,
  },
  403: {
    code: 'MODEL_UNAUTHORIZED',
    message: () =>
      'Ollama refused access. If it runs on another machine, check OLLAMA_HOST and OLLAMA_ORIGINS there.',
  },
  404: {
    code: 'MODEL_NOT_A_MODEL_SERVER',
    message: () => 'There is no Ollama chat API at this address. Check the address and the port.',
  },
  // Of a cloud behind it.
  429: {
    code: 'MODEL_OVERLOADED',
    message: () => 'Ollama has reached a limit of its cloud. Wait a moment, then try again.',
  },
  499: { code: 'MODEL_STREAM_BROKEN', message: () => 'Ollama cancelled the request. Try again.' },
  502: {
    code: 'MODEL_SERVER_UNREACHABLE',
    message: (model) =>
      `${model} is forwarded to another server, which cannot be reached. Check the network, or choose a model that runs here.`,
  },
  503: {
    code: 'MODEL_OVERLOADED',
    message: () => 'Ollama is busy. Wait a moment, then try again.',
  },
};

/** The coded error for a refusal, with Ollama's own text at the end. */
export function ollamaError(refusal: OllamaRefusal, context: OllamaErrorContext): AppError {
  const inner = unwrapLlamaServer(refusal.text);
  if (inner.isContextError) {
    return contextExceeded(context.model, {
      promptTokens: inner.promptTokens,
      contextWindow: inner.contextWindow,
    });
  }
  const { code, message } =
    RULES.find((rule) => rule.pattern.test(inner.text)) ?? fallback(refusal.where);
  const quoted = quoteServerText(inner.text, context.secrets);
  return new AppError(
    code,
    `${message(context.model)}${quoted === '' ? '' : ` (Ollama: ${quoted})`}`,
    {
      details: {
        address: context.server.address,
        ...(refusal.where === 'line' ? {} : { status: refusal.where }),
        ...(refusal.signinUrl === undefined ? {} : { signinUrl: refusal.signinUrl }),
      },
    },
  );
}

function fallback(where: OllamaRefusal['where']): Omit<ErrorRule, 'pattern'> {
  if (where !== 'line') {
    const known = BY_STATUS[where];
    if (known !== undefined) return known;
    if (where >= 300 && where < 400) {
      return {
        code: 'MODEL_NOT_A_MODEL_SERVER',
        message: () => 'This address redirects elsewhere. Set the address of Ollama itself.',
      };
    }
    if (where < 500) {
      return { code: 'MODEL_BAD_REQUEST', message: () => `Ollama refused the request (${where}).` };
    }
  }
  return {
    code: 'MODEL_STREAM_BROKEN',
    message: () =>
      'Ollama failed while it was answering. The answer so far is kept. Try again; if it happens again, check its log.',
  };
}

interface LlamaServerError {
  readonly text: string;
  readonly isContextError: boolean;
  readonly promptTokens: number | null;
  readonly contextWindow: number | null;
}

/** Errors of llama-server arrive as a JSON string inside Ollama's error: this unwraps that layer. */
export function unwrapLlamaServer(text: string): LlamaServerError {
  const plain: LlamaServerError = {
    text,
    isContextError: false,
    promptTokens: null,
    contextWindow: null,
  };
  if (!text.startsWith('{')) return plain;
  try {
    const parsed = parseOutsideJson(text) as { error?: Record<string, unknown> | string } | null;
    const inner = parsed?.error;
    if (typeof inner === 'string') return { ...plain, text: inner };
    if (typeof inner !== 'object' || inner === null) return plain;
    const number = (key: string): number | null =>
      typeof inner[key] === 'number' ? inner[key] : null;
    return {
      text: typeof inner.message === 'string' ? inner.message : text,
      isContextError: inner.type === 'exceed_context_size_error',
      promptTokens: number('n_prompt_tokens'),
      contextWindow: number('n_ctx'),
    };
  } catch {
    // Not JSON after all, so the text is the message itself.
    return plain;
  }
}
