import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { AppError } from '#contract/errors.ts';
import { SkillThread, type ThreadFiles } from './skill-thread.ts';

/** An idle thread costs some 20 MB. */
const IDLE_MS = 30_000;
const MAX_IDLE = 2;

/** Threads for dynamic skills: started on demand, reused after a clean end, ended when idle. */
export class SkillThreads implements AsyncDisposable {
  readonly #root: string;
  readonly #live = new Set<SkillThread>();
  readonly #idle: { readonly thread: SkillThread; readonly timer: NodeJS.Timeout }[] = [];
  #isClosed = false;

  /** `root` is the app's folder. */
  constructor(root: string) {
    this.#root = root;
  }

  /** Number of threads, running or idle. */
  get size(): number {
    return this.#live.size;
  }

  /** Runs `work` with a thread of its own. */
  async use<Result>(work: (thread: SkillThread) => Promise<Result>): Promise<Result> {
    const thread = this.#take();
    try {
      const result = await work(thread);
      this.#giveBack(thread);
      return result;
    } catch (error) {
      this.#drop(thread);
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    for (const { timer } of this.#idle.splice(0)) clearTimeout(timer);
    await Promise.all([...this.#live].map((thread) => thread.end()));
    this.#live.clear();
  }

  #take(): SkillThread {
    if (this.#isClosed) throw new AppError('CANCELLED', 'The app is closing.');
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      clearTimeout(idle.timer);
      if (!idle.thread.isOver) return idle.thread;
      this.#live.delete(idle.thread);
    }
    const thread = new SkillThread(threadFiles(this.#root));
    this.#live.add(thread);
    return thread;
  }

  #giveBack(thread: SkillThread): void {
    if (thread.isOver || this.#isClosed || this.#idle.length >= MAX_IDLE) this.#drop(thread);
    else {
      const timer = setTimeout(() => this.#forget(thread), IDLE_MS);
      timer.unref();
      this.#idle.push({ thread, timer });
    }
  }

  #forget(thread: SkillThread): void {
    const at = this.#idle.findIndex((idle) => idle.thread === thread);
    if (at >= 0) this.#idle.splice(at, 1);
    this.#drop(thread);
  }

  #drop(thread: SkillThread): void {
    // Kept until it has ended, so that disposal waits for it.
    void thread.end().finally(() => this.#live.delete(thread));
  }
}

/** In development beside this file and in the engine's package; in the build in `out/main`. */
function threadFiles(root: string): ThreadFiles {
  const worker = path.join(import.meta.dirname, 'worker', 'skill-worker.ts');
  if (existsSync(worker)) {
    const engine = createRequire(import.meta.url).resolve('quickjs-wasi/quickjs.wasm');
    return { worker, engine };
  }
  const built = path.join(root, 'out', 'main');
  return { worker: path.join(built, 'skill-worker.js'), engine: path.join(built, 'quickjs.wasm') };
}
