// The process that holds one model for the app: node-llama-cpp in here, so that a crash or a lack of
// memory ends this process and not the app. Started with the folder that node-llama-cpp is installed
// in; what it says is in src-main/models/embedded/host-messages.ts.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { connect, say } from './host-port.mjs';

const folder = process.argv[2];
const require = createRequire(join(folder, 'index.js'));
const load = (name) => import(pathToFileURL(require.resolve(name)).href);

/** Room for the answer that every request must leave, in tokens. */
const SMALLEST_ANSWER = 16;
const CHATML =
  '{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}<|im_start|>assistant\n';

let llamaCpp;
let llama;
let model;
let context;
let sequence;
let template;
let cancelled = 0;

connect((message) => {
  if (message.kind === 'cancel') cancelled = message.id;
  else
    handle(message).catch((error) => fail(message.id, 'failed', String(error?.message ?? error)));
});

function fail(id, reason, message, more = {}) {
  say({ id, kind: 'failed', reason, message, ...more });
}

async function handle(message) {
  if (message.kind === 'open') await open(message);
  else if (message.kind === 'generate') await generate(message);
}

async function open({ id, file, contextWindow }) {
  llamaCpp = await load('node-llama-cpp');
  const { getLlama, LlamaLogLevel } = llamaCpp;
  llama = await getLlama({
    gpu: 'auto',
    build: 'never',
    skipDownload: true,
    progressLogs: false,
    logLevel: LlamaLogLevel.error,
  });
  model = await llama.loadModel({ modelPath: file });
  const trained = model.trainContextSize;
  const contextSize = Math.min(contextWindow, trained);
  context = await model.createContext({ contextSize });
  sequence = context.getSequence();
  const { Template } = await load('@huggingface/jinja');
  const source = model.fileInfo.metadata?.tokenizer?.chat_template ?? CHATML;
  template = new Template(source);
  say({
    id,
    kind: 'opened',
    contextWindow: context.contextSize,
    trainedContext: trained,
    tools: /\btools\b/.test(source),
    thinking: /think/.test(source),
  });
}

function render({ messages, tools, thinking }) {
  return template.render({
    messages,
    ...(tools.length > 0 ? { tools } : {}),
    // Each template knows one of the two names.
    ...(thinking === undefined ? {} : { enable_thinking: thinking, thinking }),
    add_generation_prompt: true,
    bos_token: '',
    eos_token: model.tokens.eosString ?? '',
  });
}

async function generate(request) {
  const { id, maxTokens, temperature, seed, schema } = request;
  const tokens = model.tokenize(render(request), true);
  if (tokens.length + SMALLEST_ANSWER > context.contextSize) {
    const sizes = { promptTokens: tokens.length, contextWindow: context.contextSize };
    return fail(id, 'too_long', 'The prompt does not fit the window.', sizes);
  }
  const fresh = await keepPrefix(tokens);
  const grammar = schema === undefined ? undefined : await llama.createGrammarForJsonSchema(schema);
  const grammarEvaluationState =
    grammar === undefined
      ? undefined
      : new llamaCpp.LlamaGrammarEvaluationState({ model, grammar });
  let count = 0;
  let pending = [];
  let finish = 'stop';
  const emitted = [];
  const emit = () => {
    const text = model.detokenize(pending, true, emitted.slice(-8));
    // A character of several tokens is emitted when it is complete.
    if (text.endsWith('\ufffd') && pending.length < 6) return;
    emitted.push(...pending);
    pending = [];
    say({ id, kind: 'text', text });
  };
  const answer = sequence.evaluate(fresh, { temperature, seed, grammarEvaluationState });
  for await (const token of answer) {
    if (cancelled >= id) return fail(id, 'cancelled', 'Stopped.');
    if (model.isEogToken(token)) break;
    pending.push(token);
    count += 1;
    emit();
    // A grammar that is at its end allows only space, without end.
    if (grammarEvaluationState !== undefined && isWhole(model.detokenize(emitted, true))) break;
    const isFull = sequence.contextTokens.length + 1 >= context.contextSize;
    if (count >= maxTokens || isFull) {
      finish = 'length';
      break;
    }
    // Messages such as a cancel are heard between two tokens.
    await new Promise((resolve) => setImmediate(resolve));
  }
  const counts = { promptTokens: tokens.length, completionTokens: count, evaluated: fresh.length };
  say({ id, kind: 'done', finish, ...counts });
}

function isWhole(text) {
  try {
    JSON.parse(text);
    return /[}\]]\s*$/.test(text);
  } catch {
    return false;
  }
}

/** Leaves in the sequence what the last request had in common with this one; gives the rest. */
async function keepPrefix(tokens) {
  const held = sequence.contextTokens;
  let common = 0;
  while (common < held.length && common < tokens.length - 1 && held[common] === tokens[common]) {
    common += 1;
  }
  if (common < held.length) {
    await sequence.eraseContextTokenRanges([{ start: common, end: held.length }]);
  }
  return tokens.slice(sequence.contextTokens.length);
}

// Said once this process is able to hear.
say({ id: 0, kind: 'ready', version: readVersion() });

function readVersion() {
  const file = join(folder, 'node_modules', 'node-llama-cpp', 'package.json');
  return JSON.parse(readFileSync(file, 'utf8')).version;
}
