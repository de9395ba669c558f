import { setTimeout as sleep } from 'node:timers/promises';
import type { ComfyuiFiles, Saved } from './comfyui-files.ts';
import type { Graph } from './comfyui-nodes.ts';
import { type NodeRun, planGraph } from './comfyui-plan.ts';
import type { ComfyuiSockets } from './comfyui-sockets.ts';
import type { ImageServerCore, Job, JobEnd } from './fake-image-server.ts';
import { blackPng, noisePng, withPngText } from './png.ts';

export interface ComfyuiExecutionOptions {
  /** Without cancel by id, and with other errors: as before 0.3.50. */
  readonly isOld?: boolean;
  /** As if started with `--preview-method`. */
  readonly hasPreviews?: boolean;
  /** From `execution_success` to the entry in the history, which a real server writes a little later. */
  readonly historyDelayMs?: number;
}

/** What is asked for by `POST /prompt`. */
export interface Prompt {
  readonly id: string;
  readonly number: number;
  readonly graph: Graph;
  readonly extra: Readonly<Record<string, unknown>>;
  readonly outputs: readonly string[];
  readonly clientId: string | null;
}

/** A prompt that waits or runs. */
interface QueuedPrompt extends Prompt {
  readonly job: Job;
  readonly messages: (readonly [string, unknown])[];
  readonly saved: Record<string, { readonly images: readonly Saved[] }>;
}

/** How far the prompt that runs has come. */
interface Progress {
  readonly prompt: QueuedPrompt;
  /** The nodes that are not in the cache. */
  readonly fresh: readonly NodeRun[];
  /** Index of the node that runs. */
  at: number;
  /** Steps before that node. */
  before: number;
}

const OUT_OF_MEMORY =
  'Allocation on device \nThis error means you ran out of memory on your GPU.\n\nTIPS: If the workflow worked before you might have accidentally set the batch_size to a large number.';

/** The queue of ComfyUI and what its worker does: one prompt after the other, node by node. */
export class ComfyuiExecution {
  readonly history = new Map<string, unknown>();
  readonly #core: ImageServerCore;
  readonly #files: ComfyuiFiles;
  readonly #sockets: ComfyuiSockets;
  readonly #options: ComfyuiExecutionOptions;
  #prompts: QueuedPrompt[] = [];
  /** What the nodes of the last prompt made: the same again is not made again. */
  #cache = new Map<string, { readonly hash: number; readonly images: readonly Saved[] | null }>();

  constructor(
    {
      core,
      files,
      sockets,
    }: {
      readonly core: ImageServerCore;
      readonly files: ComfyuiFiles;
      readonly sockets: ComfyuiSockets;
    },
    options: ComfyuiExecutionOptions,
  ) {
    this.#core = core;
    this.#files = files;
    this.#sockets = sockets;
    this.#options = options;
    core.onDeath = () => {
      this.history.clear();
      this.#cache.clear();
      this.#prompts = [];
    };
  }

  queueInfo(): unknown {
    return { exec_info: { queue_remaining: this.#prompts.length } };
  }

  queue(): unknown {
    const inState = (state: Job['state']): readonly unknown[] =>
      this.#prompts.filter(({ job }) => job.state === state).map(tupleOf);
    return { queue_running: inState('running'), queue_pending: inState('waiting') };
  }

  add(prompt: Prompt): void {
    const runs = planGraph(prompt.graph, prompt.outputs, (name) => this.#files.inputBytes(name));
    let progress: Progress | null = null;
    const job = this.#core.addJob({
      steps: () => (progress?.fresh ?? []).reduce((sum, { ticks }) => sum + ticks, 0),
      started: () => {
        progress = this.#begin(queued, runs);
      },
      stepped: (done) => {
        if (this.#core.fault === 'out_of_memory') this.#core.interruptJob(job);
        if (progress) this.#step(progress, done);
      },
      finished: async (end) => {
        if (progress) await this.#finish(progress, end);
      },
    });
    const queued: QueuedPrompt = { ...prompt, job, messages: [], saved: {} };
    this.#prompts.push(queued);
    this.#sendStatus();
  }

  /** Takes prompts out that wait; true if there were any. */
  remove(isMeant: (id: string) => boolean): boolean {
    const removed = this.#prompts.filter(({ id, job }) => isMeant(id) && this.#core.removeJob(job));
    for (const prompt of removed) this.#forget(prompt);
    return removed.length > 0;
  }

  /** Interrupts the prompt that runs, if it is this one; null for any. */
  interrupt(id: string | null): boolean {
    const meant = this.#prompts.filter((prompt) => id === null || prompt.id === id);
    return meant.filter(({ job }) => this.#core.interruptJob(job)).length > 0;
  }

  #begin(prompt: QueuedPrompt, runs: readonly NodeRun[]): Progress {
    const { id: prompt_id } = prompt;
    for (const id of this.#cache.keys()) if (!(id in prompt.graph)) this.#cache.delete(id);
    const isCached = ({ id, hash }: NodeRun): boolean => this.#cache.get(id)?.hash === hash;
    const nodes = runs.filter(isCached).map(({ id }) => id);
    const progress = { prompt, fresh: runs.filter((run) => !isCached(run)), at: 0, before: 0 };
    this.#sendStatus();
    this.#tell(prompt, 'execution_start', { prompt_id });
    this.#tell(prompt, 'execution_cached', { nodes, prompt_id });
    for (const id of nodes) this.#sendOutput(prompt, id);
    this.#goOn(progress);
    return progress;
  }

  #step(progress: Progress, done: number): void {
    const run = progress.fresh[progress.at];
    if (!run) return;
    this.#sendProgress(progress.prompt, run, done - progress.before);
    if (done - progress.before < run.ticks) return;
    progress.before = done;
    this.#finishNode(progress.prompt, run);
    progress.at += 1;
    this.#goOn(progress);
  }

  /** Runs the nodes that take no steps, up to the next that does. */
  #goOn(progress: Progress): void {
    const { prompt, fresh } = progress;
    for (const run of fresh.slice(progress.at)) {
      this.#sendProgress(prompt, run, 0);
      const { id } = run;
      this.#send(prompt, 'executing', { node: id, display_node: id, prompt_id: prompt.id });
      if (run.ticks > 0) return;
      this.#finishNode(prompt, run);
      progress.at += 1;
    }
  }

  #finishNode(
    prompt: QueuedPrompt,
    { id, node, hash, drawn, width, height, count }: NodeRun,
  ): void {
    const isOutput = node.class_type === 'SaveImage' || node.class_type === 'PreviewImage';
    const pictures = Array.from({ length: isOutput ? count : 0 }, (_, index) => {
      const isBlack = this.#core.fault === 'black';
      const png = isBlack ? blackPng(width, height) : noisePng(width, height, drawn + index);
      return withPngText(png, 'prompt', JSON.stringify(prompt.graph));
    });
    const images = isOutput ? this.#files.save(node, pictures) : null;
    this.#cache.set(id, { hash, images });
    this.#sendOutput(prompt, id);
  }

  #sendOutput(prompt: QueuedPrompt, node: string): void {
    const images = this.#cache.get(node)?.images;
    if (!images) return;
    prompt.saved[node] = { images };
    const output = { images };
    this.#send(prompt, 'executed', { node, display_node: node, output, prompt_id: prompt.id });
  }

  #sendProgress(prompt: QueuedPrompt, { id, ticks, hash }: NodeRun, value: number): void {
    const prompt_id = prompt.id;
    const max = Math.max(ticks, 1);
    const names = {
      ...{ node_id: id, prompt_id, display_node_id: id },
      ...{ parent_node_id: null, real_node_id: id },
    };
    const state = value === max ? 'finished' : 'running';
    const nodes = { [id]: { value, max, state, ...names } };
    if (!this.#options.isOld) this.#send(prompt, 'progress_state', { prompt_id, nodes });
    if (value === 0) return;
    this.#send(prompt, 'progress', { value, max, prompt_id, node: id });
    if (this.#options.hasPreviews)
      this.#sockets.sendPreview(prompt.clientId, noisePng(64, 64, hash + value), names);
  }

  async #finish({ prompt, fresh, at }: Progress, end: JobEnd): Promise<void> {
    const { id: prompt_id } = prompt;
    const run = fresh[Math.min(at, fresh.length - 1)];
    const where = {
      ...{ prompt_id, node_id: run?.id ?? null, node_type: run?.node.class_type ?? null },
      executed: fresh.slice(0, at).map(({ id }) => id),
    };
    const isOutOfMemory = this.#core.fault === 'out_of_memory';
    const isWhole = !isOutOfMemory && end === 'done';
    if (isWhole) this.#tell(prompt, 'execution_success', { prompt_id });
    else if (!isOutOfMemory) this.#tell(prompt, 'execution_interrupted', where, true);
    else {
      this.#tell(prompt, 'execution_error', {
        ...{ ...where, exception_message: OUT_OF_MEMORY },
        ...{ exception_type: 'torch.OutOfMemoryError', traceback: [] },
        ...{ current_inputs: {}, current_outputs: [] },
      });
    }
    await sleep(this.#options.historyDelayMs ?? 3);
    const status_str = isWhole ? 'success' : 'error';
    this.history.set(prompt_id, {
      ...{ prompt: tupleOf(prompt), outputs: prompt.saved },
      status: { status_str, completed: isWhole, messages: prompt.messages },
      meta: {},
    });
    this.#forget(prompt);
    this.#send(prompt, 'executing', { node: null, prompt_id });
  }

  #forget(prompt: QueuedPrompt): void {
    this.#prompts = this.#prompts.filter((one) => one !== prompt);
    this.#sendStatus();
  }

  /** A message that is also kept in the history. */
  #tell(prompt: QueuedPrompt, type: string, data: object, isForAll = false): void {
    const stamped = { ...data, timestamp: Date.now() };
    prompt.messages.push([type, stamped]);
    if (prompt.clientId === null && isForAll) this.#sockets.broadcast(type, stamped);
    else this.#send(prompt, type, stamped);
  }

  #send({ clientId }: QueuedPrompt, type: string, data: object): void {
    this.#sockets.send(clientId, type, data);
  }

  #sendStatus(): void {
    this.#sockets.broadcast('status', { status: this.queueInfo() });
  }
}

function tupleOf({ number, id, graph, extra, outputs }: Prompt): readonly unknown[] {
  return [number, id, graph, extra, outputs];
}
