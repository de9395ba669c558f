import { randomInt } from 'node:crypto';
import type { FakeModel, WireCall } from './options.ts';
import type { Metrics, Wire } from './wire.ts';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** `call_` and eight letters, as Ollama's own renderer makes them. */
export function newCallId(): string {
  let id = 'call_';
  for (let i = 0; i < 8; i += 1) id += LETTERS.charAt(randomInt(LETTERS.length));
  return id;
}

export interface OllamaWireOptions {
  readonly model: FakeModel;
  /** Calls are given only to a request that has tools. */
  readonly hasTools: boolean;
  readonly loadMs: number;
}

/** The lines of /api/chat (or, with `generate`, of /api/generate). */
export function createOllamaWire(
  options: OllamaWireOptions,
  endpoint: 'chat' | 'generate' = 'chat',
): Wire {
  const { model, hasTools, loadMs } = options;
  const startedAt = performance.now();
  const held: unknown[] = [];
  let index = 0;

  const line = (fields: Record<string, unknown>): string => {
    const remote =
      model.remoteModel === undefined
        ? {}
        : { remote_model: model.remoteModel, remote_host: model.remoteHost };
    const base = { model: model.name, ...remote, created_at: new Date().toISOString() };
    return `${JSON.stringify({ ...base, ...fields })}\n`;
  };
  const content = (text: string, thinking: string): Record<string, unknown> => {
    const extra = thinking === '' ? {} : { thinking };
    return endpoint === 'chat'
      ? { message: { role: 'assistant', content: text, ...extra } }
      : { response: text, ...extra };
  };
  const encode = (call: WireCall): unknown => {
    const number = call.index === undefined ? index : call.index;
    index += 1;
    const { name, arguments: args } = call;
    return {
      ...(call.id === null ? {} : { id: call.id ?? newCallId() }),
      function:
        number === null ? { name, arguments: args } : { index: number, name, arguments: args },
    };
  };
  const withCalls = (calls: readonly unknown[]): Record<string, unknown> => ({
    message: {
      role: 'assistant',
      content: '',
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    },
  });

  return {
    contentType: 'application/x-ndjson',
    thinking: (text) => line({ ...content('', text), done: false }),
    text: (text) => line({ ...content(text, ''), done: false }),
    both: (thinking, text) => line({ ...content(text, thinking), done: false }),
    calls: (calls) => {
      if (!hasTools) return '';
      const encoded = calls.map(encode);
      if (!model.native) return line({ ...withCalls(encoded), done: false });
      held.push(...encoded);
      return '';
    },
    errorLine: (message) => `${JSON.stringify({ error: message })}\n`,
    errorBody: (message) => JSON.stringify({ error: message }),
    finish: (reason, metrics) =>
      line({
        ...(endpoint === 'chat' ? withCalls(held) : content('', '')),
        done: true,
        done_reason: reason,
        ...figures(metrics, { startedAt, loadMs }),
      }),
  };
}

/** Durations are nanoseconds; a count of zero is left out, as Go does. */
function figures(
  metrics: Metrics,
  times: { startedAt: number; loadMs: number },
): Record<string, number> {
  if (metrics === null) return {};
  const total = Math.round((performance.now() - times.startedAt + times.loadMs) * 1e6);
  const all = {
    total_duration: total,
    load_duration: Math.round(times.loadMs * 1e6) + 1_000_000,
    prompt_eval_count: metrics.prompt,
    prompt_eval_duration: 2_000_000,
    eval_count: metrics.eval,
    eval_duration: 3_000_000,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== 0));
}
