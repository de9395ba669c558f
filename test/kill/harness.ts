import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Run } from '#contract/entities.ts';
import type { RunEvent } from '#contract/events/run-event.ts';
import { openData } from '../fakes/open-data.ts';
import { normalise, withoutLaterWords } from './normalise.ts';
import { CALLS_SCENARIO, type KillScenario, type KillServers, markOf } from './scenario.ts';
import { type Places, readLife, type StoredLife, writeLife } from './stored-life.ts';

const CHILD = join(import.meta.dirname, 'child.ts');

/** What a life that was not killed prints at its end. */
export interface Ended {
  readonly run: Run | null;
  readonly events: readonly RunEvent[];
  readonly messages: readonly string[];
  readonly effects: string;
  readonly boundaries: number;
}

export interface Verdict {
  readonly kills: readonly number[];
  readonly killed: number;
  /** How many boundaries the last life had. */
  readonly boundaries: number;
  readonly doubled: readonly string[];
  readonly lost: readonly string[];
  /** Effects of which only the user could say whether they happened. */
  readonly unknown: readonly string[];
  /** How the log or the state differs from the undisturbed run; empty if it does not. */
  readonly differences: readonly string[];
}

/** Kills the run of the scenario at given boundaries, and compares the result with an undisturbed run. */
export class KillHarness implements AsyncDisposable {
  readonly #scenario: KillScenario;
  readonly #server: KillServers;
  readonly #dir = mkdtempSync(join(tmpdir(), 'hyperagent-kill-'));
  #undisturbed: Ended | null = null;
  #next = 0;

  private constructor(scenario: KillScenario, server: KillServers) {
    this.#scenario = scenario;
    this.#server = server;
  }

  static async open(scenario: KillScenario = CALLS_SCENARIO): Promise<KillHarness> {
    return new KillHarness(scenario, await scenario.serve());
  }

  /** Variables of each life, besides those of this process. */
  get env(): Readonly<Record<string, string>> {
    return this.#server.env ?? {};
  }

  /** How many runs may be killed at a time. */
  get atOnce(): number {
    return this.#server.forget === undefined ? availableParallelism() : 1;
  }

  /** The run without any kill; the names of its boundaries go to `names.txt`. */
  async undisturbed(): Promise<Ended & { readonly names: readonly string[] }> {
    this.#prepareTemplate();
    // The first life proves the sandbox, and the proof is kept for all others.
    await this.#life(join(this.#dir, 'template'), 'start', 0);
    this.#forgetRuns();
    this.#server.forget?.();
    const dataDir = this.#copy();
    const namesFile = join(this.#dir, 'names.txt');
    const ended = await this.#life(dataDir, 'start', 0, namesFile);
    if (ended === null) throw new Error('The undisturbed run was killed');
    this.#undisturbed = ended;
    return { ...ended, names: readFileSync(namesFile, 'utf8').trim().split('\n') };
  }

  /** Kills the run at the first of these boundaries, the resumed life at the second, and so on. */
  async kill(...kills: readonly number[]): Promise<Verdict> {
    const dataDir = this.#copy();
    this.#server.forget?.();
    let killed = 0;
    let ended: Ended | null = null;
    for (const [life, killAt] of [...kills, 0].entries()) {
      ended = await this.#life(dataDir, life === 0 ? 'start' : 'resume', killAt);
      if (ended !== null) break;
      killed += 1;
    }
    if (ended === null) throw new Error('The last life was killed');
    // Killed before the turn was stored: nothing was promised yet, and it is sent again.
    if (ended.run === null) ended = (await this.#life(dataDir, 'start', 0)) ?? ended;
    const verdict = this.#judge(ended, kills, killed);
    rmSync(dataDir, { recursive: true, force: true });
    return verdict;
  }

  /** Kills the run there, and gives what it left; null if it had ended. */
  async leftAt(killAt: number, boundary: string): Promise<StoredLife | null> {
    const dataDir = this.#copy();
    const ended = await this.#life(dataDir, 'start', killAt);
    const left = ended === null ? readLife(dataDir, boundary, this.#places()) : null;
    rmSync(dataDir, { recursive: true, force: true });
    return left;
  }

  /** Goes on with what a version of the app left, and compares the end with an undisturbed run. */
  async goOn(life: StoredLife): Promise<Verdict> {
    const dataDir = this.#copy();
    writeLife(dataDir, life, this.#places());
    const ended = await this.#life(dataDir, 'resume', 0);
    if (ended === null) throw new Error('It was killed');
    const verdict = this.#judge(ended, [], 1, withoutLaterWords);
    rmSync(dataDir, { recursive: true, force: true });
    return verdict;
  }

  #places(): Places {
    return { [realpathSync(this.#dir)]: '@DIR@', ...this.#scenario.places };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
    rmSync(this.#dir, { recursive: true, force: true });
  }

  #judge(
    ended: Ended,
    kills: readonly number[],
    killed: number,
    toCompare: (events: readonly RunEvent[]) => readonly RunEvent[] = (events) => events,
  ): Verdict {
    const undisturbed = this.#undisturbed;
    if (undisturbed === null) throw new Error('There is nothing to compare with');
    const lines = ended.effects.split('\n').filter((line) => line !== '');
    const times = (mark: string): number => lines.filter((line) => line === mark).length;
    const unknown = marksAskedAbout(ended.events, this.#scenario.marks);
    const open = new Set(unknown);
    const { compared, marks, needs = {} } = this.#scenario;
    const comparable = (events: readonly RunEvent[]): readonly RunEvent[] =>
      toCompare(events).filter(({ type }) => compared?.includes(type) ?? true);
    const expected = normalise(comparable(undisturbed.events), open);
    const found = normalise(comparable(ended.events), open);
    const differences: string[] = [];
    const length = Math.max(expected.length, found.length);
    for (let i = 0; i < length && differences.length < 3; i += 1) {
      if (expected[i] !== found[i]) differences.push(`${expected[i]}\n      became ${found[i]}`);
    }
    if (ended.run?.status !== 'completed') {
      const why = ended.events.flatMap((event) => (event.type === 'error' ? [event.message] : []));
      differences.push(`status ${ended.run?.status} ${why.join(' ')}`);
    }
    if (ended.messages.at(-1) !== (this.#scenario.answer ?? undisturbed.messages.at(-1)))
      differences.push(`answer ${ended.messages.at(-1)}`);
    const gaps = ended.events.some(({ seq }, i) => seq !== i + 1);
    if (gaps) differences.push('numbers of events have gaps');
    return {
      kills,
      killed,
      boundaries: ended.boundaries,
      doubled: marks.filter((mark) => times(mark) > 1),
      lost: marks.filter((mark) => {
        const need = needs[mark];
        const isExcused = need !== undefined && open.has(need.mark) && need.isSaid(ended.events);
        return times(mark) === 0 && !isExcused;
      }),
      unknown,
      differences,
    };
  }

  /** A data folder with a rule that approves programs, so that only two commands need approval. */
  #prepareTemplate(): void {
    const stores = openData(join(this.#dir, 'template'));
    stores.rules.put({
      ...{ toolName: 'execute_code', match: 'arguments', pattern: '*' },
      ...{ decision: 'approve', threadId: null },
    });
    this.#scenario.prepare?.(stores, this.#dir);
    if (this.#scenario.settings !== undefined) stores.settings.update(this.#scenario.settings);
    stores.close();
  }

  #forgetRuns(): void {
    const stores = openData(join(this.#dir, 'template'));
    for (const { id } of stores.runStores.threads.list()) stores.runStores.threads.delete(id);
    stores.close();
    rmSync(join(this.#dir, 'template', 'workspaces'), { recursive: true, force: true });
  }

  #copy(): string {
    const dataDir = join(this.#dir, `life-${this.#next++}`);
    const template = join(this.#dir, 'template');
    cpSync(template, dataDir, {
      recursive: true,
      // The reserve is megabytes of nothing.
      filter: (file) => !file.endsWith('reserve'),
    });
    return dataDir;
  }

  /** Null if it was killed. Throws if it ended in any unexpected way. */
  #life(
    dataDir: string,
    mode: 'start' | 'resume',
    killAt: number,
    namesFile?: string,
  ): Promise<Ended | null> {
    const { prompt, options = {}, files = {}, marks } = this.#scenario;
    const { effectsUrl } = this.#server;
    const given = JSON.stringify({ prompt, options, files, marks, effectsUrl });
    const args = [CHILD, dataDir, this.#server.url, mode, String(killAt), given];
    const child = spawn(process.execPath, namesFile === undefined ? args : [...args, namesFile], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...this.env },
    });
    const limit = setTimeout(() => child.kill('SIGTERM'), 300_000);
    let [out, err] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
    return new Promise((resolve, reject) => {
      child.once('close', (code, signal) => {
        clearTimeout(limit);
        if (signal === 'SIGKILL') resolve(null);
        else if (code === 0) resolve(JSON.parse(out) as Ended);
        else
          reject(
            new Error(`A life ended with ${code ?? signal} at ${killAt}: ${err}${logsOf(dataDir)}`),
          );
      });
    });
  }
}

/** Marks of the effects of which somebody asked whether they happened, in whichever life. */
function marksAskedAbout(events: readonly RunEvent[], marks: readonly string[]): string[] {
  return events.flatMap((event) => {
    if (event.type !== 'interrupt' || event.kind !== 'decision') return [];
    return markOf(event.argumentsText, marks) ?? [];
  });
}

function logsOf(dataDir: string): string {
  const logs = join(dataDir, 'logs');
  if (!existsSync(logs)) return '';
  return readdirSync(logs)
    .filter((name) => statSync(join(logs, name)).isFile())
    .map((name) => readFileSync(join(logs, name), 'utf8').slice(-4000))
    .join('\n');
}
