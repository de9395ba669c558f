import { randomUUID } from 'node:crypto';
import { type Call, type FakeImageServer, ImageServerCore, sendJson } from './fake-image-server.ts';
import { ApiError, readEdit, readGeneration, type Wish } from './openai-wishes.ts';

export interface OpenAiImagesOptions {
  readonly apiKey?: string;
  readonly models?: readonly string[];
  /** Prompts that are refused. */
  readonly blocked?: RegExp;
  /** Requests before each further one is answered with 429. */
  readonly requestLimit?: number;
  /** The account has no money left. */
  readonly isOutOfQuota?: boolean;
  /** Steps of one picture. */
  readonly steps?: number;
}

const MODELS = [
  'gpt-image-2.5-flare',
  'gpt-image-2.5-sunburst',
  'gpt-image-2',
  'gpt-image-1.5',
  'gpt-image-1-mini',
];

/** The images API of OpenAI for GPT image models, under `/v1`: see README.md. */
export async function startFakeOpenAiImages(
  options: OpenAiImagesOptions = {},
): Promise<FakeImageServer> {
  return new OpenAiImages(options).core.start();
}

class OpenAiImages {
  readonly core = new ImageServerCore((call) => this.#answer(call), Number.POSITIVE_INFINITY);
  readonly #options: OpenAiImagesOptions;
  readonly #models: readonly string[];
  #drawn = 0;

  constructor(options: OpenAiImagesOptions) {
    this.#options = options;
    this.#models = options.models ?? MODELS;
  }

  async #answer(call: Call): Promise<void> {
    const { response } = call;
    response.setHeader('x-request-id', `req_${randomUUID().replaceAll('-', '')}`);
    const route = `${call.method} ${call.path}`;
    try {
      this.#authorize(call);
      if (route === 'GET /v1/models') {
        const data = this.#models.map((id) => ({
          id,
          object: 'model',
          created: 1,
          owned_by: 'system',
        }));
        sendJson(call, 200, { object: 'list', data });
      } else if (route === 'POST /v1/images/generations')
        await this.#draw(call, readGeneration(call, this.#models), 'generation');
      else if (route === 'POST /v1/images/edits')
        await this.#draw(call, readEdit(call, this.#models), 'edit');
      else throw new ApiError(404, `Invalid URL (${route})`);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (response.headersSent) response.end(event('error', { type: 'error', error: error.body }));
      else
        sendJson(
          call,
          error.status,
          { error: error.body },
          error.status === 429 ? { 'retry-after': '20' } : {},
        );
    }
  }

  #authorize({ headers }: Call): void {
    const key = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
    if (key === (this.#options.apiKey ?? 'sk-test')) return;
    if (key === undefined)
      throw new ApiError(
        401,
        "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth.",
      );
    throw new ApiError(
      401,
      `Incorrect API key provided: ${key.slice(0, 3)}***. You can find your API key at https://platform.openai.com/account/api-keys.`,
      { code: 'invalid_api_key' },
    );
  }

  async #draw(call: Call, wish: Wish, kind: 'generation' | 'edit'): Promise<void> {
    this.#refuse(wish.prompt);
    const steps = this.#options.steps ?? 12;
    const { response } = call;
    if (wish.isStream && this.core.fault !== 'html') {
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
      response.flushHeaders();
    }
    response.once('close', () => {
      if (response.writableFinished || this.core.fault === 'dies') return;
      this.core.cancels.push(performance.now());
      this.core.interruptJob(job);
    });
    let partial = 0;
    const job = this.core.addJob({
      steps,
      stepped: (done) => {
        const isDue = done >= (steps * (partial + 1)) / (wish.partials + 1);
        if (!response.headersSent || partial >= wish.partials || !isDue) return;
        const b64_json = this.#picture(wish, `partial ${partial}`);
        const data = { ...this.#facts(wish), b64_json, partial_image_index: partial };
        response.write(event(`image_${kind}.partial_image`, data));
        partial += 1;
      },
      dies: () => response.destroy(),
    });
    if ((await job.ended) !== 'done' || (await this.#spoil(call, kind))) return;
    const images = Array.from({ length: wish.count }, (_, index) => this.#picture(wish, index));
    if (!response.headersSent) {
      const { size, quality, background, output_format } = this.#facts(wish);
      const data = images.map((b64_json) => ({ b64_json }));
      sendJson(call, 200, {
        created: seconds(),
        background,
        data,
        output_format,
        quality,
        size,
        usage: usageOf(wish),
      });
      return;
    }
    for (const b64_json of images)
      response.write(
        event(`image_${kind}.completed`, { ...this.#facts(wish), b64_json, usage: usageOf(wish) }),
      );
    response.end();
  }

  /** Answers as the fault has it; false if it is not about answers. */
  async #spoil(call: Call, kind: string): Promise<boolean> {
    const { response } = call;
    const { fault } = this.core;
    if (fault === 'out_of_memory') {
      const message = 'The server had an error while processing your request. Sorry about that!';
      throw new ApiError(500, message, { type: 'server_error', code: 'server_error' });
    }
    const opening = '{"data":[{"b64_json":"';
    const json = { created: 'now', data: { b64_json: 7 } };
    if (!response.headersSent) return this.core.spoil(call, { json, opening });
    if (fault === 'wrong_json') response.end(event(`image_${kind}.completed`, { b64_json: 7 }));
    // One event without an end.
    if (fault === 'huge')
      await this.core.pour(response, `event: image_${kind}.completed\ndata: {"b64_json":"`);
    return fault === 'wrong_json' || fault === 'huge';
  }

  /** What is refused before a picture is drawn. */
  #refuse(prompt: string): void {
    this.#drawn += 1;
    if (this.#options.isOutOfQuota)
      throw new ApiError(
        429,
        'You exceeded your current quota, please check your plan and billing details.',
        { type: 'insufficient_quota', code: 'insufficient_quota' },
      );
    if (this.#drawn > (this.#options.requestLimit ?? Number.POSITIVE_INFINITY))
      throw new ApiError(
        429,
        'Rate limit reached for gpt-image on images per min. Limit: 5/1min. Please try again in 20s.',
        { type: 'rate_limit_error', code: 'rate_limit_exceeded' },
      );
    if (!(this.#options.blocked ?? /forbidden/i).test(prompt)) return;
    const message = `Your request was rejected by the safety system. If you believe this is an error, contact us at help.openai.com and include the request ID ${randomUUID()}. safety_violations=[violence].`;
    throw new ApiError(400, message, {
      ...{ type: 'image_generation_user_error', code: 'moderation_blocked' },
      moderation_details: { moderation_stage: 'input', categories: ['violence'] },
    });
  }

  #picture(
    { width, height, prompt, model, quality, background, pictures }: Wish,
    index: unknown,
  ): string {
    return this.core
      .picture(width, height, prompt, model, quality, background, ...pictures, index)
      .toString('base64');
  }

  #facts({ width, height, quality, background, format }: Wish): Readonly<Record<string, unknown>> {
    const drawn = {
      quality: quality === 'auto' ? 'medium' : quality,
      background: background === 'auto' ? 'opaque' : background,
    };
    return { created_at: seconds(), size: `${width}x${height}`, ...drawn, output_format: format };
  }
}

function event(type: string, data: Readonly<Record<string, unknown>>): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
}

function usageOf({ prompt, pictures }: Wish): unknown {
  const text_tokens = Math.ceil(prompt.length / 4);
  const image_tokens = pictures.length * 323;
  const input_tokens = text_tokens + image_tokens;
  const output_tokens = 1_056;
  return {
    input_tokens,
    output_tokens,
    total_tokens: input_tokens + output_tokens,
    input_tokens_details: { text_tokens, image_tokens },
  };
}

function seconds(): number {
  return Math.floor(Date.now() / 1_000);
}
