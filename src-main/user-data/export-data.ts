import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Thread } from '#contract/entities.ts';
import type { RunEvent } from '#contract/events/run-event.ts';
import type { Settings } from '#contract/settings.ts';
import { withCleanTexts } from '../base/clean-texts.ts';
import { entryName } from '../base/entry-name.ts';
import type { KnownSecrets } from '../base/known-secrets.ts';
import { withoutSecretKinds } from '../base/secret-kinds.ts';
import { type WriteBytes, ZipWriter } from '../base/zip-writer.ts';
import { collectConversation } from '../reports/collect-conversation.ts';
import { conversationToMarkdown } from '../reports/conversation-markdown.ts';
import { runFileChunks } from '../run/run-export.ts';
import { readTree, type TreeEntry } from '../sandbox/workspace/hostile-tree.ts';
import { zipTreeFile } from '../sandbox/workspace/zip-tree-file.ts';
import type { ConnectorStore } from '../storage/connector-store.ts';
import type { DataPaths } from '../storage/data-paths.ts';
import type { SkillStore } from '../storage/skill-types.ts';
import type {
  EventReader,
  MessageReader,
  RuleStore,
  RunReader,
  ThreadReader,
} from '../storage/types.ts';
import { connectorsFile } from './export-connectors.ts';
import { libraryEntries } from './export-library.ts';
import { exportReadme, type LeftOutFile } from './export-readme.ts';

export interface ExportParts {
  readonly paths: DataPaths;
  readonly stores: {
    readonly threads: ThreadReader;
    readonly runs: RunReader;
    readonly messages: MessageReader;
    readonly events: EventReader;
  };
  readonly settings: () => Settings;
  readonly rules: Pick<RuleStore, 'list'>;
  readonly skills: Pick<SkillStore, 'definitions' | 'versions'>;
  readonly connectors: Pick<ConnectorStore, 'list' | 'tools'>;
  /** Removed from every text. */
  readonly secrets: KnownSecrets;
  /** Downloaded models, which are not exported. */
  readonly models: () => Promise<{ readonly bytes: number; readonly files: number }>;
}

/** What was written so far. */
export interface ExportProgress {
  readonly doneTasks: number;
  readonly tasks: number;
  readonly files: number;
  readonly bytes: number;
  readonly leftOut: number;
}

export interface ExportOptions {
  readonly now: number;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: ExportProgress) => void;
}

/** Names in the folder of one task: a program can make any number. */
const ENTRIES_OF_TASK = 250_000;
/** Of all files together; more would be hours of zeros. */
const HOLES_BYTES = 4 * 1024 ** 3;
const EVENTS_AT_ONCE = 500;
const LISTED_LEFT_OUT = 1_000;

/**
 * Writes everything that the app stored about the user as one zip file: tasks with their files, the texts of the
 * library, skills, connectors, prompts, rules and settings. Keys, secrets of connectors and downloaded models are left
 * out, and a file inside says so. Nothing is in memory as a whole. Rejects with the abort of `signal`, and with what `write` throws.
 */
export async function exportData(
  parts: ExportParts,
  write: WriteBytes,
  options: ExportOptions,
): Promise<ExportProgress> {
  parts.secrets.recall();
  const day = new Date(options.now).toISOString().slice(0, 10);
  const job = new ExportJob(parts, new ZipWriter(write, options.signal), {
    ...options,
    root: `hyperagent-export-${day}`,
  });
  return await job.run();
}

type JobOptions = ExportOptions & { readonly root: string };

class ExportJob {
  readonly #parts: ExportParts;
  readonly #zip: ZipWriter;
  readonly #options: JobOptions;
  readonly #left: LeftOutFile[] = [];
  readonly #holes = { entries: ENTRIES_OF_TASK, holes: HOLES_BYTES };
  #leftOut = 0;
  #doneTasks = 0;
  #tasks = 0;

  constructor(parts: ExportParts, zip: ZipWriter, options: JobOptions) {
    this.#parts = parts;
    this.#zip = zip;
    this.#options = options;
  }

  async run(): Promise<ExportProgress> {
    const { paths, stores, settings, rules } = this.#parts;
    const threads = stores.threads.list();
    this.#tasks = threads.length;
    const taken = new Set<string>();
    for (const thread of threads) {
      const folder = `tasks/${entryName(taskFolder(thread, this.#clean), taken)}`;
      await this.#addTask(thread, folder);
      this.#doneTasks += 1;
      this.#report();
    }
    const { prompts, ...others } = settings();
    await this.#addJson('settings.json', others);
    await this.#addJson('prompts.json', prompts);
    await this.#addJson('rules.json', rules.list());
    await this.#addSkills();
    await this.#addConnectors();
    for await (const entry of libraryEntries(paths, others.libraryFolders)) {
      await this.#add({ name: entry.name, content: Buffer.from(this.#clean(entry.text)) });
    }
    const models = await this.#parts.models();
    const readme = exportReadme({ left: this.#left, leftOut: this.#leftOut, models });
    await this.#add({ name: 'README.txt', content: Buffer.from(this.#clean(readme)) });
    await this.#zip.end();
    return this.#progress();
  }

  async #addTask(thread: Thread, folder: string): Promise<void> {
    const { stores, secrets, paths } = this.#parts;
    const { now } = this.#options;
    const runs = stores.runs.listOfThread(thread.id);
    const messages = stores.messages.listOfThread(thread.id);
    await this.#addJson(`${folder}/task.json`, {
      ...{ format: 'hyperagent.task', version: 1, exportedAt: now, thread, messages },
      runs: runs.map(({ id }) => id),
    });
    const conversation = await collectConversation({
      ...{ title: thread.title, runs, messages },
      eventsOf: (runId) => eventsOf(stores.events, runId),
      clean: (text) => secrets.text(text),
    });
    const content = Buffer.from(conversationToMarkdown(conversation));
    await this.#add({ name: `${folder}/conversation.md`, content });
    const names = new Set<string>();
    for (const run of runs) {
      const chunks = runFileChunks(stores, run, { now, secrets });
      const name = `${folder}/runs/${entryName(`${run.id}.json`, names)}`;
      await this.#add({ name, content: bytesOf(chunks) });
    }
    await this.#addTree(paths.workspace(thread.id), `${folder}/files`);
  }

  async #addSkills(): Promise<void> {
    const { paths, skills } = this.#parts;
    await this.#addTree(paths.skills, 'skills/markdown');
    const own = skills.definitions().filter(({ isBuiltin }) => !isBuiltin);
    const written = own.map((skill) => ({ ...skill, versions: skills.versions(skill.id) }));
    await this.#addJson('skills/skills.json', written);
  }

  async #addConnectors(): Promise<void> {
    const { paths, connectors } = this.#parts;
    const list = connectors.list();
    if (list.length === 0) return;
    await this.#addJson('connectors/mcp.json', connectorsFile(connectors));
    for (const { id, name } of list) {
      await this.#addTree(join(paths.connectors, id), `connectors/files/${name}`);
    }
  }

  /** Adds the files of a folder that programs may have filled, as they are. */
  async #addTree(dir: string, folder: string): Promise<void> {
    for await (const entry of readTree(dir, this.#holes)) {
      if (entry.kind === 'left_out') this.#leaveOut(`${folder}/${entry.path}`, entry.reason);
      else await this.#addFile(entry, folder);
      this.#report();
    }
  }

  async #addFile(file: Extract<TreeEntry, { kind: 'file' }>, folder: string): Promise<void> {
    const path = `${folder}/${file.name}`;
    const isWhole = await zipTreeFile(this.#zip, file, `${this.#options.root}/${path}`);
    if (!isWhole) this.#leaveOut(path, 'cut_short');
  }

  async #addJson(name: string, value: unknown): Promise<void> {
    const text = JSON.stringify(withCleanTexts(value, this.#clean), null, 2);
    await this.#add({ name, content: Buffer.from(`${text}\n`) });
  }

  async #add({
    name,
    content,
  }: {
    readonly name: string;
    readonly content: Buffer | AsyncIterable<Uint8Array>;
  }): Promise<void> {
    const { root, now } = this.#options;
    await this.#zip.add({ name: `${root}/${name}`, modifiedAt: now, content });
    this.#report();
  }

  readonly #clean = (text: string): string => withoutSecretKinds(this.#parts.secrets.text(text));

  #leaveOut(path: string, reason: LeftOutFile['reason']): void {
    this.#leftOut += 1;
    if (this.#left.length < LISTED_LEFT_OUT) this.#left.push({ path, reason });
  }

  #report(): void {
    this.#options.onProgress?.(this.#progress());
  }

  #progress(): ExportProgress {
    const { entries: files, bytes } = this.#zip;
    const [doneTasks, tasks, leftOut] = [this.#doneTasks, this.#tasks, this.#leftOut];
    return { doneTasks, tasks, files, bytes, leftOut };
  }
}

/** The words are cleaned before they are shortened: half a secret is not recognised. */
function taskFolder({ id, title, createdAt }: Thread, clean: (text: string) => string): string {
  const words = clean(title)
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]+/gu, '-');
  const short = [...words.replace(/^-+|-+$/g, '')].slice(0, 40).join('');
  return [new Date(createdAt).toISOString().slice(0, 10), short, id].filter(Boolean).join('-');
}

function* eventsOf(events: Pick<EventReader, 'page'>, runId: string): Generator<RunEvent> {
  for (let last = 0; ; ) {
    const page = events.page(runId, last, EVENTS_AT_ONCE);
    yield* page;
    const end = page.at(-1);
    if (end === undefined || page.length < EVENTS_AT_ONCE) return;
    last = end.seq;
  }
}

async function* bytesOf(texts: Iterable<string>): AsyncGenerator<Uint8Array> {
  for (const text of texts) {
    yield Buffer.from(text);
    await nextTurn();
  }
}
