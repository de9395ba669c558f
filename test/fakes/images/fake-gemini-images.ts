import { randomUUID } from 'node:crypto';
import {
  type Call,
  type FakeImageServer,
  ImageServerCore,
  isRecord,
  jsonOf,
  sendJson,
} from './fake-image-server.ts';
import { pictureFacts } from './png.ts';

export interface GeminiImagesOptions {
  readonly apiKey?: string;
  readonly models?: readonly string[];
  /** Prompts that are blocked before anything is drawn. */
  readonly blocked?: RegExp;
  /** Prompts whose picture is withheld, with this finish reason. */
  readonly withheld?: Readonly<Record<string, RegExp>>;
  /** Prompts that are answered with words alone. */
  readonly textOnly?: RegExp;
  /** Requests before each further one is answered with 429. */
  readonly requestLimit?: number;
  /** Steps of one picture. */
  readonly steps?: number;
}

const MODELS = [
  'gemini-nano-banana-2.1',
  'gemini-3-pro-image',
  'gemini-3.1-flash-lite-image',
  'gemini-2.5-flash-image',
];
/** Pixels at 1K, of the 3 family. */
const SIZES: Readonly<Record<string, readonly [number, number]>> = {
  ...{ '1:1': [1024, 1024], '2:3': [848, 1264], '3:2': [1264, 848], '3:4': [896, 1200] },
  ...{ '4:3': [1200, 896], '4:5': [928, 1152], '5:4': [1152, 928], '9:16': [768, 1376] },
  ...{ '16:9': [1376, 768], '21:9': [1584, 672] },
};
const WITHHELD = {
  ...{ IMAGE_SAFETY: /unsafe/i, PROHIBITED_CONTENT: /prohibited/i, NO_IMAGE: /no image/i },
};
const CONFIG_FIELDS = [
  'responseModalities',
  'imageConfig',
  'temperature',
  'topP',
  'topK',
  'seed',
  'candidateCount',
  'maxOutputTokens',
  'stopSequences',
  'thinkingConfig',
  'mediaResolution',
];
const FIELDS = [
  'contents',
  'generationConfig',
  'safetySettings',
  'systemInstruction',
  'tools',
  'toolConfig',
  'cachedContent',
];

class ApiError extends Error {
  readonly code: number;
  readonly status: string;
  readonly details: readonly unknown[];

  constructor(code: number, status: string, message: string, details: readonly unknown[] = []) {
    super(message);
    this.code = code;
    this.status = status;
    this.details = details;
  }
}

interface Wish {
  readonly model: string;
  readonly prompt: string;
  readonly pictures: readonly Buffer[];
  readonly modalities: readonly string[];
  readonly ratio: string;
  readonly imageSize: string;
  readonly seed: unknown;
}

/** The Gemini API as far as its image models need it, under `/v1beta`: see README.md. */
export async function startFakeGeminiImages(
  options: GeminiImagesOptions = {},
): Promise<FakeImageServer> {
  return new GeminiImages(options).core.start();
}

class GeminiImages {
  readonly core = new ImageServerCore((call) => this.#answer(call), Number.POSITIVE_INFINITY);
  readonly #options: GeminiImagesOptions;
  readonly #models: readonly string[];
  #asked = 0;

  constructor(options: GeminiImagesOptions) {
    this.#options = options;
    this.#models = options.models ?? MODELS;
  }

  async #answer(call: Call): Promise<void> {
    const { method, path } = call;
    const [, model = '', action] = /^\/v1beta\/models\/([^:/]+)(?::(\w+))?$/.exec(path) ?? [];
    try {
      this.#authorize(call);
      if (method === 'GET' && path === '/v1beta/models')
        sendJson(call, 200, { models: this.#models.map(modelFacts) });
      else if (method === 'GET' && this.#models.includes(model) && action === undefined)
        sendJson(call, 200, modelFacts(model));
      else if (method === 'POST' && action === 'generateContent' && this.#models.includes(model))
        await this.#generate(call, model);
      else if (model !== '')
        throw new ApiError(
          404,
          'NOT_FOUND',
          `models/${model} is not found for API version v1beta, or is not supported for ${action ?? 'get'}. Call ListModels to see the list of available models and their supported methods.`,
        );
      else
        call.response
          .writeHead(404, { 'content-type': 'text/html' })
          .end('<title>Error 404 (Not Found)!!1</title>');
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { code, message, status, details } = error;
      sendJson(call, code, {
        error: { code, message, status, ...(details.length > 0 ? { details } : {}) },
      });
    }
  }

  #authorize({ headers, query }: Call): void {
    const key = headers['x-goog-api-key'] ?? query.key;
    if (key === undefined) {
      throw new ApiError(
        403,
        'PERMISSION_DENIED',
        "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.",
      );
    }
    if (key === (this.#options.apiKey ?? 'gemini-test')) return;
    const info = {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason: 'API_KEY_INVALID',
      domain: 'googleapis.com',
      metadata: { service: 'generativelanguage.googleapis.com' },
    };
    throw new ApiError(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', [
      info,
    ]);
  }

  async #generate(call: Call, model: string): Promise<void> {
    const wish = readWish(jsonOf(call), model);
    this.#asked += 1;
    if (this.#asked > (this.#options.requestLimit ?? Number.POSITIVE_INFINITY))
      throw quotaError(model);
    const usage = usageOf(wish);
    const ending = {
      usageMetadata: usage,
      modelVersion: model,
      responseId: randomUUID().slice(0, 22),
    };
    if ((this.#options.blocked ?? /forbidden/i).test(wish.prompt)) {
      sendJson(call, 200, { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, ...ending });
      return;
    }
    const { response } = call;
    response.once('close', () => {
      if (response.writableFinished || this.core.fault === 'dies') return;
      this.core.cancels.push(performance.now());
      this.core.interruptJob(job);
    });
    const job = this.core.addJob({
      steps: this.#options.steps ?? 12,
      dies: () => response.destroy(),
    });
    if ((await job.ended) !== 'done') return;
    if (this.core.fault === 'out_of_memory')
      throw new ApiError(503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.');
    const opening = '{"candidates":[{"content":{"parts":[{"inlineData":{"data":"';
    if (this.core.spoil(call, { json: { candidates: { content: 7 } }, opening })) return;
    const withheld = Object.entries(this.#options.withheld ?? WITHHELD).find(([, pattern]) =>
      pattern.test(wish.prompt),
    )?.[0];
    if (withheld !== undefined) {
      const finishMessage =
        'Unable to show the generated image. The model could not generate the image based on the prompt provided.';
      sendJson(call, 200, {
        candidates: [{ finishReason: withheld, finishMessage, index: 0 }],
        ...ending,
      });
      return;
    }
    sendJson(call, 200, {
      candidates: [
        { content: { parts: this.#parts(wish), role: 'model' }, finishReason: 'STOP', index: 0 },
      ],
      ...ending,
    });
  }

  #parts(wish: Wish): readonly unknown[] {
    const { modalities, prompt, model, seed, ratio, imageSize, pictures } = wish;
    const text = { text: 'Here is your picture: ' };
    if (!modalities.includes('IMAGE') || (this.#options.textOnly ?? /in words/i).test(prompt))
      return [{ text: 'I can describe it in words.' }];
    const [width = 1024, height = 1024] = SIZES[ratio] ?? [];
    const factor = imageSize === '4K' ? 4 : imageSize === '2K' ? 2 : 1;
    const data = this.core
      .picture(width * factor, height * factor, prompt, model, seed, ratio, imageSize, ...pictures)
      .toString('base64');
    const picture = { inlineData: { mimeType: 'image/png', data } };
    return modalities.includes('TEXT') ? [text, picture] : [picture];
  }
}

/** Names of fields may be written in either way, as in all APIs of Google. */
function camel(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camel);
  if (!isRecord(value)) return value;
  const name = (key: string): string =>
    key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [name(key), camel(one)]));
}

function readWish(raw: unknown, model: string): Wish {
  const body = camel(raw);
  const refuse = (message: string): ApiError => new ApiError(400, 'INVALID_ARGUMENT', message);
  if (!isRecord(body)) throw refuse('Invalid JSON payload received. Unexpected end of string.');
  const config = isRecord(body.generationConfig) ? body.generationConfig : {};
  const image = isRecord(config.imageConfig) ? config.imageConfig : {};
  const places: readonly [object, readonly string[], string][] = [
    [body, FIELDS, ''],
    [config, CONFIG_FIELDS, " at 'generation_config'"],
    [
      image,
      ['aspectRatio', 'imageSize', 'personGeneration'],
      " at 'generation_config.image_config'",
    ],
  ];
  for (const [fields, known, where] of places) {
    const unknown = Object.keys(fields).find((name) => !known.includes(name));
    if (unknown !== undefined)
      throw refuse(
        `Invalid JSON payload received. Unknown name "${unknown}"${where}: Cannot find field.`,
      );
  }
  const contents = Array.isArray(body.contents) ? (body.contents as unknown[]) : [];
  const parts = contents
    .flatMap((content) =>
      isRecord(content) && Array.isArray(content.parts) ? (content.parts as unknown[]) : [],
    )
    .filter(isRecord);
  if (parts.length === 0)
    throw refuse('* GenerateContentRequest.contents: contents is not specified\n');
  const pictures = parts.flatMap(({ inlineData }) => {
    if (!isRecord(inlineData)) return [];
    const bytes = Buffer.from(String(inlineData.data), 'base64');
    if (!pictureFacts(bytes))
      throw refuse(
        'Unable to process input image. Please retry or report in https://developers.generativeai.google/guide/troubleshooting',
      );
    return [bytes];
  });
  const { aspectRatio: ratio = '1:1', imageSize = '1K' } = image;
  if (!(String(ratio) in SIZES))
    throw refuse(
      `aspect_ratio must be one of '1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9'.`,
    );
  const sizes = model.startsWith('gemini-2.5') ? ['1K'] : ['1K', '2K', '4K'];
  if (!sizes.includes(String(imageSize)))
    throw refuse(`image_size must be one of ${sizes.map((size) => `'${size}'`).join(', ')}.`);
  const modalities = Array.isArray(config.responseModalities)
    ? (config.responseModalities as unknown[]).map((one) => String(one).toUpperCase())
    : ['TEXT', 'IMAGE'];
  const prompt = parts.flatMap(({ text }) => (typeof text === 'string' ? [text] : [])).join('\n');
  return {
    model,
    prompt,
    pictures,
    modalities,
    ratio: String(ratio),
    imageSize: String(imageSize),
    seed: config.seed ?? null,
  };
}

function modelFacts(name: string): unknown {
  const supportedGenerationMethods = ['generateContent', 'countTokens'];
  return {
    name: `models/${name}`,
    version: '001',
    displayName: name,
    inputTokenLimit: 65_536,
    outputTokenLimit: 32_768,
    supportedGenerationMethods,
  };
}

function usageOf({ prompt, pictures }: Wish): unknown {
  const promptTokenCount = Math.ceil(prompt.length / 4) + pictures.length * 258;
  return {
    promptTokenCount,
    candidatesTokenCount: 1_290,
    totalTokenCount: promptTokenCount + 1_290,
  };
}

function quotaError(model: string): ApiError {
  const message = `You exceeded your current quota, please check your plan and billing details. For more information on this error, head to: https://ai.google.dev/gemini-api/docs/rate-limits.\n* Quota exceeded for metric: generativelanguage.googleapis.com/generate_content_free_tier_requests, limit: 0, model: ${model}\nPlease retry in 37s.`;
  return new ApiError(429, 'RESOURCE_EXHAUSTED', message, [
    {
      '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
      violations: [
        {
          quotaId: 'GenerateRequestsPerDayPerProjectPerModel-FreeTier',
          quotaDimensions: { location: 'global', model },
        },
      ],
    },
    { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '37s' },
  ]);
}
