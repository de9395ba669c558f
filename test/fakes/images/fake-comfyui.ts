import { randomUUID } from 'node:crypto';
import { ComfyuiExecution, type ComfyuiExecutionOptions } from './comfyui-execution.ts';
import { ComfyuiFiles } from './comfyui-files.ts';
import { validateGraph } from './comfyui-graph.ts';
import {
  isGraph,
  type ModelFolders,
  type NodeTable,
  nodeInfo,
  nodeTable,
} from './comfyui-nodes.ts';
import { ComfyuiSockets } from './comfyui-sockets.ts';
import {
  type Call,
  type FakeImageServer,
  ImageServerCore,
  isRecord,
  jsonOf,
  sendJson,
} from './fake-image-server.ts';

export interface ComfyuiOptions extends ComfyuiExecutionOptions {
  /** Files by folder; two checkpoints, an upscaler and a LoRA unless given. */
  readonly models?: ModelFolders;
}

const DEFAULT_MODELS: ModelFolders = {
  checkpoints: ['dreamshaper_8.safetensors', 'sd_xl_base_1.0.safetensors'],
  upscale_models: ['RealESRGAN_x4plus.pth'],
  loras: ['lcm-lora-sdxl.safetensors'],
  ...{ diffusion_models: [], text_encoders: [], vae: [] },
};
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** ComfyUI of about 0.38, or an older one: see README.md. */
export async function startFakeComfyui(options: ComfyuiOptions = {}): Promise<FakeImageServer> {
  return new Comfyui(options).core.start();
}

class Comfyui {
  readonly core = new ImageServerCore((call) => this.#answer(call));
  readonly #files = new ComfyuiFiles();
  readonly #execution: ComfyuiExecution;
  readonly #isOld: boolean;
  readonly #models: ModelFolders;
  #number = 0;

  constructor(options: ComfyuiOptions) {
    const { core } = this;
    this.#isOld = options.isOld === true;
    this.#models = { ...DEFAULT_MODELS, ...options.models };
    const sockets = new ComfyuiSockets(core.server, () => this.#execution.queueInfo());
    this.#execution = new ComfyuiExecution({ core, files: this.#files, sockets }, options);
  }

  #answer(call: Call): void {
    const { method, headers } = call;
    const path = call.path.replace(/^\/api(?=\/)/, '');
    const [, root = '', name = ''] = /^\/([^/]+)\/?(.*)$/.exec(decodeURIComponent(path)) ?? [];
    const isForeign = headers.origin !== undefined && new URL(headers.origin).host !== headers.host;
    const isCancel = root === 'jobs' && name.endsWith('/cancel') && !this.#isOld;
    if (isForeign) call.response.writeHead(403).end();
    else if (method === 'GET' && root === 'view') this.#view(call);
    else if (method === 'GET') this.#list(call, root, name);
    else if (method !== 'POST') sendText(call, 405, '405: Method Not Allowed');
    else if (root === 'upload') this.#files.upload(call, name === 'mask');
    else if (isCancel) this.#cancelJob(call, name.replace('/cancel', ''));
    else if (root === 'interrupt') this.#interrupt(call);
    else this.#post(call, root);
  }

  #view(call: Call): void {
    if (this.core.fault === 'huge') void this.core.flood(call, 'image/png', 'PNG');
    else if (this.core.fault === 'not_a_picture') {
      const headers = { 'content-type': 'image/png' };
      call.response.writeHead(200, headers).end('This is not a picture.');
    } else this.#files.view(call);
  }

  #list(call: Call, root: string, name: string): void {
    const lists: Readonly<Record<string, () => unknown>> = {
      prompt: () => this.#execution.queueInfo(),
      history: () => this.#historyOf(name),
      queue: () => this.#execution.queue(),
      models: () => (name === '' ? Object.keys(this.#models) : this.#models[name]),
      object_info: () => this.#nodes(name),
      system_stats: () => systemStats(this.#isOld),
      features: () => ({ supports_preview_metadata: true, max_upload_size: 104_857_600 }),
      embeddings: () => [],
    };
    const answer = lists[root]?.();
    if (answer === undefined) sendText(call, 404, '404: Not Found');
    else sendJson(call, 200, answer);
  }

  #historyOf(id: string): unknown {
    const { history } = this.#execution;
    if (id === '') return Object.fromEntries(history);
    const entry = history.get(id);
    if (entry === undefined) return {};
    return { [id]: this.core.fault === 'wrong_json' ? { outputs: [], status: 'fine' } : entry };
  }

  #nodes(name: string): unknown {
    const nodes = Object.entries(this.#table()).filter(([one]) => name === '' || one === name);
    return Object.fromEntries(nodes.map(([one, node]) => [one, nodeInfo(one, node)]));
  }

  #post(call: Call, root: string): void {
    const body = jsonOf(call);
    if (!['prompt', 'queue', 'history', 'free'].includes(root))
      sendText(call, 405, '405: Method Not Allowed');
    else if (!isRecord(body))
      sendText(call, 500, '500 Internal Server Error\n\nServer got itself in trouble');
    else if (root === 'prompt') this.#addPrompt(call, body);
    else {
      const ids = new Set(Array.isArray(body.delete) ? (body.delete as unknown[]) : []);
      const isMeant = (id: string): boolean => body.clear === true || ids.has(id);
      const { history } = this.#execution;
      if (root === 'queue') {
        this.core.cancels.push(performance.now());
        this.#execution.remove(isMeant);
      } else if (root === 'history')
        for (const id of history.keys()) if (isMeant(id)) history.delete(id);
      call.response.writeHead(200).end();
    }
  }

  #addPrompt(call: Call, body: Readonly<Record<string, unknown>>): void {
    if (this.core.fault === 'html') {
      this.core.spoil(call, { json: null, opening: '' });
      return;
    }
    const refuse = (type: string, message: string): void => {
      const error = { type, message, details: message, extra_info: {} };
      sendJson(call, 400, { error, node_errors: {} });
    };
    const { prompt: graph, prompt_id = randomUUID() } = body;
    const id = String(prompt_id);
    if (graph === undefined) refuse('no_prompt', 'No prompt provided');
    else if (!this.#isOld && !UUID.test(id))
      refuse('invalid_prompt_id', 'prompt_id must be a valid UUID');
    else if (!isGraph(graph))
      sendText(call, 500, '500 Internal Server Error\n\nServer got itself in trouble');
    else {
      const hasFile = (name: string): boolean => this.#files.inputBytes(name) !== null;
      const isOld = this.#isOld;
      const found = validateGraph(graph, this.#table(), { hasFile, isOld });
      const { error, outputs, nodeErrors: node_errors } = found;
      if (error) {
        sendJson(call, 400, { error, node_errors });
        return;
      }
      const number = typeof body.number === 'number' ? body.number : this.#number;
      const clientId = typeof body.client_id === 'string' ? body.client_id : null;
      const given = isRecord(body.extra_data) ? body.extra_data : {};
      const extra = { ...given, client_id: clientId, create_time: Date.now() };
      this.#number += 1;
      this.#execution.add({ id, number, graph, extra, outputs, clientId });
      sendJson(call, 200, { prompt_id: id, number, node_errors });
    }
  }

  #interrupt(call: Call): void {
    this.core.cancels.push(performance.now());
    const body = jsonOf(call);
    const id = isRecord(body) && !this.#isOld && body.prompt_id ? String(body.prompt_id) : null;
    this.#execution.interrupt(id);
    call.response.writeHead(200).end();
  }

  #cancelJob(call: Call, id: string): void {
    this.core.cancels.push(performance.now());
    const isRemoved = this.#execution.remove((one) => one === id);
    sendJson(call, 200, { cancelled: isRemoved || this.#execution.interrupt(id) });
  }

  #table(): NodeTable {
    return nodeTable(this.#models, this.#files.inputNames());
  }
}

function sendText({ response }: Call, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(text);
}

function systemStats(isOld: boolean): unknown {
  const memory = { vram_total: 8e9, vram_free: 7e9, torch_vram_total: 0, torch_vram_free: 0 };
  const name = 'cuda:0 NVIDIA GeForce RTX 3070';
  return {
    system: {
      ...{ os: 'linux', ram_total: 16e9, ram_free: 8e9 },
      ...{ comfyui_version: isOld ? '0.3.30' : '0.38.1', python_version: '3.12.3' },
      ...{ pytorch_version: '2.9.0+cu128', embedded_python: false, argv: ['main.py'] },
    },
    devices: [{ name, type: 'cuda', index: 0, ...memory }],
  };
}
