import { writeFileSync } from 'node:fs';

/**
 * Writes a real model that knows nothing: the llama architecture with one block, a vocabulary of bytes
 * and ASCII, and weights that are the same noise each time. By the GGUF format, version 3.
 */
export interface TinyModel {
  readonly contextLength?: number;
  readonly chatTemplate?: string;
}

const TEMPLATE =
  '{% for m in messages %}<|{{ m.role }}|>{{ m.content }}\n{% endfor %}<|assistant|>';
const TYPE = { u32: 4, i32: 5, f32: 6, bool: 7, string: 8, array: 9 } as const;
type Scalar = 'u32' | 'i32' | 'f32' | 'bool' | 'string';
type Entry =
  | readonly [string, Scalar, string | number | boolean]
  | readonly [string, 'array', Scalar, readonly (string | number)[]];

const WIDTH = 32;
const FEED_FORWARD = 64;
const HEADS = 4;
const ALIGNMENT = 32;

export function writeTinyGguf(file: string, model: TinyModel = {}): void {
  const { contextLength = 2_048, chatTemplate = TEMPLATE } = model;
  const { tokens, types, scores } = vocabulary();
  const tensors = shapes(tokens.length);
  const meta: Entry[] = [
    ['general.architecture', 'string', 'llama'],
    ['general.name', 'string', 'tiny'],
    ['llama.context_length', 'u32', contextLength],
    ['llama.embedding_length', 'u32', WIDTH],
    ['llama.block_count', 'u32', 1],
    ['llama.feed_forward_length', 'u32', FEED_FORWARD],
    ['llama.attention.head_count', 'u32', HEADS],
    ['llama.attention.head_count_kv', 'u32', HEADS],
    ['llama.attention.layer_norm_rms_epsilon', 'f32', 1e-5],
    ['llama.rope.dimension_count', 'u32', WIDTH / HEADS],
    ['llama.vocab_size', 'u32', tokens.length],
    ['tokenizer.ggml.model', 'string', 'llama'],
    ['tokenizer.ggml.tokens', 'array', 'string', tokens],
    ['tokenizer.ggml.scores', 'array', 'f32', scores],
    ['tokenizer.ggml.token_type', 'array', 'i32', types],
    ['tokenizer.ggml.bos_token_id', 'u32', 1],
    ['tokenizer.ggml.eos_token_id', 'u32', 2],
    ['tokenizer.ggml.unknown_token_id', 'u32', 0],
    ['tokenizer.chat_template', 'string', chatTemplate],
  ];
  const header = Buffer.concat([
    Buffer.from('GGUF'),
    u32(3),
    u64(tensors.length),
    u64(meta.length),
    ...meta.map(encodeEntry),
    ...describe(tensors),
  ]);
  writeFileSync(file, Buffer.concat([padded(header), ...tensors.map(weights)]));
}

function vocabulary() {
  const tokens = ['<unk>', '<s>', '</s>'];
  const types = [2, 3, 3];
  const scores = [0, 0, 0];
  for (let byte = 0; byte < 256; byte += 1) {
    tokens.push(`<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`);
    types.push(6);
    scores.push(0);
  }
  for (const text of ['▁', ...Array.from({ length: 94 }, (_, i) => String.fromCharCode(33 + i))]) {
    scores.push(-1 - tokens.length / 1000);
    tokens.push(text);
    types.push(1);
  }
  return { tokens, types, scores };
}

type Tensor = readonly [name: string, dimensions: readonly number[]];

function shapes(vocab: number): Tensor[] {
  return [
    ['token_embd.weight', [WIDTH, vocab]],
    ['output_norm.weight', [WIDTH]],
    ['output.weight', [WIDTH, vocab]],
    ['blk.0.attn_norm.weight', [WIDTH]],
    ...['q', 'k', 'v', 'output'].map(
      (part): Tensor => [`blk.0.attn_${part}.weight`, [WIDTH, WIDTH]],
    ),
    ['blk.0.ffn_norm.weight', [WIDTH]],
    ['blk.0.ffn_gate.weight', [WIDTH, FEED_FORWARD]],
    ['blk.0.ffn_up.weight', [WIDTH, FEED_FORWARD]],
    ['blk.0.ffn_down.weight', [FEED_FORWARD, WIDTH]],
  ];
}

function describe(tensors: readonly Tensor[]): Buffer[] {
  let offset = 0;
  return tensors.map(([name, dimensions]) => {
    const at = offset;
    offset += padded(Buffer.alloc(4 * count(dimensions))).length;
    const f32 = 0;
    return Buffer.concat([
      text(name),
      u32(dimensions.length),
      ...dimensions.map(u64),
      u32(f32),
      u64(at),
    ]);
  });
}

function weights([, dimensions]: Tensor, index: number): Buffer {
  let state = index + 1;
  const noise = (): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return (state / 2_147_483_648) * 0.4 - 0.2;
  };
  const isNorm = dimensions.length === 1;
  const values = Float32Array.from({ length: count(dimensions) }, () => (isNorm ? 1 : noise()));
  return padded(Buffer.from(values.buffer));
}

function encodeEntry(entry: Entry): Buffer {
  if (entry[1] === 'array') {
    const [name, , type, values] = entry;
    const parts = values.map((value) => scalar(type, value));
    return Buffer.concat([
      text(name),
      u32(TYPE.array),
      u32(TYPE[type]),
      u64(values.length),
      ...parts,
    ]);
  }
  const [name, type, value] = entry;
  return Buffer.concat([text(name), u32(TYPE[type]), scalar(type, value)]);
}

function scalar(type: Scalar, value: string | number | boolean): Buffer {
  const buffer = Buffer.alloc(4);
  if (type === 'string') return text(String(value));
  if (type === 'bool') return Buffer.of(value === true ? 1 : 0);
  if (type === 'f32') buffer.writeFloatLE(Number(value));
  else if (type === 'i32') buffer.writeInt32LE(Number(value));
  else buffer.writeUInt32LE(Number(value));
  return buffer;
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([u64(bytes.length), bytes]);
}

function u32(value: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32LE(value);
  return buffer;
}

function u64(value: number): Buffer {
  const buffer = Buffer.alloc(8);
  buffer.writeBigUInt64LE(BigInt(value));
  return buffer;
}

function count(dimensions: readonly number[]): number {
  return dimensions.reduce((product, size) => product * size, 1);
}

function padded(buffer: Buffer): Buffer {
  const missing = (ALIGNMENT - (buffer.length % ALIGNMENT)) % ALIGNMENT;
  return Buffer.concat([buffer, Buffer.alloc(missing)]);
}
