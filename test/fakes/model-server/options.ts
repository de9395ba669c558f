import { readFileSync } from 'node:fs';
import { z } from 'zod';

/**
 * What the scripted server is told to be: its models, its habits and its script. The same object
 * comes from a test or, as JSON, from the file given to `main.ts`.
 */

const Call = z.strictObject({
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()).default({}),
  /** Null leaves the id out, as old versions do. */
  id: z.string().nullable().optional(),
  /** Null leaves the index out. */
  index: z.number().nullable().optional(),
  /** Sent on /v1 in place of the JSON of the arguments: cut or wrong on purpose. */
  rawArguments: z.string().optional(),
  /** On /v1: how many fragments the arguments come in. */
  pieces: z.number().int().min(1).optional(),
});
export type WireCall = z.infer<typeof Call>;

/** The steps of `ScriptStep`, and what can go wrong on a wire. */
const Step = z.union([
  z.strictObject({ thinking: z.string(), text: z.string() }),
  z.strictObject({ thinking: z.string() }),
  /** `whole` sends the text in one chunk instead of a chunk a word. */
  z.strictObject({ text: z.string(), whole: z.literal(true).optional() }),
  z.strictObject({ call: Call }),
  /** Several calls in one chunk. */
  z.strictObject({ calls: z.array(Call) }),
  z.strictObject({ delay: z.number() }),
  /** Goes on when there is a file of this path: at a point of the test, whatever the machine is busy with. */
  z.strictObject({ untilFile: z.string() }),
  z.strictObject({ finish: z.enum(['stop', 'length']) }),
  /** Counts of the closing message; null leaves all metrics out. */
  z.strictObject({
    metrics: z.strictObject({ prompt: z.number(), eval: z.number() }).nullable(),
  }),
  /** An error: an HTTP 500 before the first byte, after it a line in the stream. */
  z.strictObject({ error: z.string() }),
  /** A whole answer of its own, in place of anything else. */
  z.strictObject({
    refuse: z.strictObject({
      status: z.number(),
      body: z.string(),
      contentType: z.string().default('application/json; charset=utf-8'),
    }),
  }),
  /** Ends the stream properly, without the closing message. */
  z.strictObject({ cut: z.literal(true) }),
  z.strictObject({ reset: z.literal(true) }),
  /** Sends nothing more until the client goes away. */
  z.strictObject({ stall: z.literal(true) }),
  /** Fields of the head; before anything is sent. */
  z.strictObject({ header: z.record(z.string(), z.string()) }),
  /** Bytes as they stand; `raw` is UTF-8 text. */
  z.strictObject({ raw: z.string() }),
  z.strictObject({ rawBase64: z.string() }),
  /** From here on every byte is a TCP write of its own, `everyMs` apart. */
  z.strictObject({ bytewise: z.strictObject({ everyMs: z.number() }) }),
  /** Sends the head of the answer now, as servers do that stream before they have a token. */
  z.strictObject({ head: z.literal(true) }),
]);
export type WireStep = z.infer<typeof Step>;
/** A step as tests write it. */
export type WireStepInput = z.input<typeof Step>;

const Condition = z.strictObject({
  user: z.string().exactOptional(),
  result: z.string().exactOptional(),
  tool: z.string().exactOptional(),
  round: z.number().exactOptional(),
  turn: z.number().exactOptional(),
  model: z.string().exactOptional(),
});

const Turn = z.strictObject({
  when: Condition.exactOptional(),
  times: z.union([z.number(), z.literal('always')]).exactOptional(),
  steps: z.array(Step),
});

const Model = z.strictObject({
  name: z.string(),
  capabilities: z.array(z.string()).default(['completion', 'tools']),
  /** Null leaves the key out of `model_info`. */
  trainedContext: z.number().nullable().default(32_768),
  size: z.number().default(5_000_000_000),
  /** llama-server's own template: all calls arrive in the closing chunk. */
  native: z.boolean().default(false),
  /** What a cold load takes, in ms. */
  loadMs: z.number().default(0),
  /** Lines of the Modelfile, such as `num_ctx   16384`. */
  parameters: z.string().optional(),
  remoteModel: z.string().optional(),
  remoteHost: z.string().optional(),
});
export type FakeModel = z.infer<typeof Model>;

const V1 = z.strictObject({
  reasoningKey: z.enum(['reasoning', 'reasoning_content', 'both']).default('reasoning'),
  /** How an error in mid-stream shows: not at all (Ollama), as data, as an event, as a field (llama.cpp). */
  errors: z.enum(['lost', 'data', 'event', 'field']).default('lost'),
  /** Whether the list names the window, and under which key. */
  windowKey: z.enum(['none', 'max_model_len', 'meta', 'props', 'instances']).default('none'),
  /** Where the server says whether a model sees. */
  visionKey: z
    .enum(['none', 'props', 'lm-studio', 'older-lm-studio', 'openrouter', 'mistral', 'anthropic'])
    .default('none'),
  ownedBy: z.string().default('library'),
});

export const ServerOptions = z.strictObject({
  host: z.string().default('127.0.0.1'),
  port: z.number().int().default(0),
  version: z.string().default('0.33.0'),
  models: z.array(Model).default([Model.parse({ name: 'fake:latest' })]),
  turns: z.array(Turn).default([]),
  /** What the size of the graphics memory would give. */
  defaultContext: z.number().default(4096),
  /** How its tokenizer cuts: about 4 for prose, less for code, numbers and small vocabularies. */
  bytesPerToken: z.number().default(4),
  /** What memory is left for at most, whatever is asked for; null for no bound. */
  largestContext: z.number().nullable().default(null),
  /** Versions before 2026 have no capabilities in /api/tags. */
  oldTags: z.boolean().default(false),
  /** Versions that lack /api/show, or other paths, answer 404 there. */
  missingPaths: z.array(z.string()).default([]),
  cloudDisabled: z.boolean().default(false),
  /** Names that /api/pull can get, with the sizes of their layers. */
  library: z.record(z.string(), z.array(z.number())).default({}),
  /** Groups of words that mean the same to its embeddings. */
  synonyms: z.array(z.array(z.string())).default([]),
  pullTickMs: z.number().default(60),
  /** A name that it also answers to, as a service on the internet would. */
  hostName: z.string().nullable().default(null),
  /** On /v1: what must come as the key. */
  apiKey: z.string().nullable().default(null),
  /** On /v1: fields of a request that are refused (`reasoning.summary`), each with the message of the 400. */
  refusedParameters: z.record(z.string(), z.string()).default({}),
  v1: V1.default(V1.parse({})),
});
export type ServerOptions = z.infer<typeof ServerOptions>;
/** What a test writes; everything has a default. */
export type ServerOptionsInput = z.input<typeof ServerOptions>;

/** Options from a JSON file: an object of them, or just the list of turns. */
export function readOptionsFile(path: string): ServerOptionsInput {
  const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
  return ServerOptions.parse(Array.isArray(value) ? { turns: value } : value);
}
