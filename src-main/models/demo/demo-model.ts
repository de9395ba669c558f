import type { ModelRef, ModelServer } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
import { delay } from '../../base/abort.ts';
import type { AnswerBuilder } from '../answer-builder.ts';
import { RequestComposer } from '../request-composer.ts';
import { ScriptPlayer, type ScriptStep, splitIntoTokens, viewRequest } from '../script/script.ts';
import type { ChatModel, ModelFacts, ModelReply, ModelRequest, SendOptions } from '../types.ts';
import { DEMO_TURNS } from './demo-script.ts';

const DEMO_NAME = 'scripted';

/** The entry of the demonstration in lists: labelled as a script, never as a real model. */
export const DEMO_SERVER: ModelServer = {
  provider: 'demo',
  label: 'Demonstration (scripted, no model)',
  kind: 'demo',
  baseUrl: '',
  reachable: true,
  problem: null,
  models: [
    {
      provider: 'demo',
      name: DEMO_NAME,
      contextWindow: null,
      tools: true,
      vision: false,
      thinking: true,
      cloud: false,
      size: null,
    },
  ],
};

export interface DemoModelOptions {
  readonly ref: ModelRef;
  /** Milliseconds between two tokens; 0 sends all at once. */
  readonly tokenDelayMs: number;
}

/**
 * Plays a script in place of a model, to demonstrate the whole app with real tools where no model is
 * installed. Throws `MODEL_NOT_FOUND` for any name but `scripted`.
 */
export function createDemoModel({ ref, tokenDelayMs }: DemoModelOptions): ChatModel {
  if (ref.name !== DEMO_NAME) {
    throw new AppError(
      'MODEL_NOT_FOUND',
      `The demonstration has no model "${ref.name}". Its only script is called "${DEMO_NAME}".`,
    );
  }
  return new DemoModel(ref, tokenDelayMs);
}

class DemoModel implements ChatModel {
  readonly ref: ModelRef;
  readonly profile: ModelFacts = {
    trainedContext: null,
    tools: true,
    thinking: true,
    vision: false,
    cloud: false,
  };
  readonly contextWindow = null;
  readonly #tokenDelayMs: number;
  readonly #player = new ScriptPlayer(DEMO_TURNS);
  readonly #composer = new RequestComposer({ encode: (message) => message });
  readonly #open = new AbortController();

  constructor(ref: ModelRef, tokenDelayMs: number) {
    this.ref = ref;
    this.#tokenDelayMs = tokenDelayMs;
  }

  async send(request: ModelRequest, options: SendOptions): Promise<ModelReply> {
    const startedAt = performance.now();
    const signal = AbortSignal.any([options.signal, this.#open.signal]);
    signal.throwIfAborted();
    const { body, prefix } = this.#composer.compose({
      head: { model: this.ref.name, tools: request.tools },
      messages: request.messages,
      tail: {},
    });
    const steps = this.#player.next(viewRequest(this.ref.name, request.messages));
    if (steps === null) {
      throw new AppError(
        'SCRIPT_EXHAUSTED',
        'The demonstration is a script and has no answer to this. To continue, choose a model: install Ollama, then run: ollama pull qwen3:8b.',
      );
    }
    const { AnswerBuilder: Builder } = await import('../answer-builder.ts');
    const builder = new Builder(request, options.onProgress);
    let finish: ModelReply['finish'] = 'stop';
    for (const step of steps) {
      if ('finish' in step) finish = step.finish;
      else await this.#play(step, builder, signal);
    }
    const durationMs = performance.now() - startedAt;
    return {
      ...builder.build(finish),
      finish,
      usage: { durationMs },
      requestBytes: body.length,
      prefix,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#open.abort();
  }

  async #play(
    step: Exclude<ScriptStep, { finish: unknown }>,
    builder: AnswerBuilder,
    signal: AbortSignal,
  ): Promise<void> {
    if ('call' in step) {
      builder.call({ id: '', ...step.call });
    } else if ('delay' in step) {
      if (this.#tokenDelayMs > 0) await delay(step.delay, signal);
    } else {
      const isThinking = 'thinking' in step;
      for (const token of splitIntoTokens(isThinking ? step.thinking : step.text)) {
        if (this.#tokenDelayMs > 0) await delay(this.#tokenDelayMs, signal);
        if (isThinking) builder.reasoning(token, 'thinking');
        else builder.text(token);
      }
    }
  }
}
