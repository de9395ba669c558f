import path from 'node:path/posix';
import type { JsonObject, SkillHost, ToolAnswer } from '#main/skills/types.ts';
import { RuleChatModel } from '../research-model.ts';

/** What a model is asked for while an app is built. */
export type BuildRequest = 'plan' | 'change' | 'file' | 'repair' | 'tests';

export interface FakeProblem {
  readonly kind: string;
  readonly message: string;
  readonly place?: { readonly file: string; readonly line: number } | null;
}

/** What a check of these files says; `page` is what the page shows after these steps, null where one fails. */
export interface FakeApp {
  readonly problems: readonly FakeProblem[];
  readonly text?: string;
  readonly runs?: boolean;
}

export interface BuildHostOptions {
  /** The text of an answer, or a value that is sent as JSON. `turn` is what is asked. */
  readonly answer: (kind: BuildRequest, turn: string) => unknown;
  /** Judges the files of the app, by their path in its folder. */
  readonly judge?: (files: Readonly<Record<string, string>>) => FakeApp;
  /** Whether these steps lead to their end with these files. */
  readonly passes?: (files: Readonly<Record<string, string>>, steps: readonly object[]) => boolean;
  /** An app that is there before. */
  readonly app?: { readonly folder: string; readonly template: string | null };
  readonly files?: Readonly<Record<string, string>>;
  /** What a tool answers in place of its own answer; undefined for that. */
  readonly instead?: (name: string, given: JsonObject) => ToolAnswer | undefined;
  /** What the user makes of a file of the workspace, when the model is first asked for this. */
  readonly edit?: { readonly during: BuildRequest; readonly path: string; readonly text: string };
  readonly contextWindow?: number;
}

const KINDS: readonly (readonly [string, BuildRequest])[] = [
  ['You plan a web app', 'plan'],
  ['You plan a change', 'change'],
  ['You write one file', 'file'],
  ['You repair a web app', 'repair'],
  ['You write tests', 'tests'],
];
const TEMPLATE: Readonly<Record<string, string>> = {
  'index.html': '<div id="app"></div>\n',
  'package.json': '{ "scripts": { "dev": "vite" }, "devDependencies": { "vite": "8" } }\n',
  'src/main.js': '// The template.\n',
  'src/style.css': 'body { margin: 0; }\n',
};

const result = (ok: boolean, content: string, data: unknown = null): ToolAnswer => ({
  ...{ ok, status: ok ? 'ok' : 'error', content, data },
});

/** A host for the skill that builds apps: its files and its server are in memory, and it writes down what is asked. */
export function openBuildHost(options: BuildHostOptions) {
  const { judge = (): FakeApp => ({ problems: [] }), passes = () => true } = options;
  const files = new Map(Object.entries(options.files ?? {}));
  const asked: string[] = [];
  /** Files that the user changed and nobody has seen since. */
  const unseen = new Set<string>();
  let hasEdited = false;
  const calls: { readonly name: string; readonly given: JsonObject }[] = [];
  /** What calls returned, by their step: as the ledger of a run. */
  const ledger = new Map<string, ToolAnswer>();
  let app = options.app ?? null;
  const model = new RuleChatModel(({ messages }) => {
    const [system = '', turn = ''] = messages.map(({ content }) => String(content));
    const kind = KINDS.find(([start]) => system.startsWith(start))?.[1];
    if (kind === undefined) throw new Error(`Nobody asks that: ${system.slice(0, 80)}`);
    asked.push(`${kind} ${turn}`);
    const { edit } = options;
    if (kind === edit?.during && !hasEdited) {
      hasEdited = true;
      unseen.add(edit.path);
      files.set(edit.path, edit.text);
    }
    const said = options.answer(kind, turn);
    return typeof said === 'string' ? said : JSON.stringify(said);
  }, options.contextWindow);
  const ofApp = (): Record<string, string> => {
    const folder = app?.folder ?? '';
    const inside = [...files].filter(([file]) => file.startsWith(`${folder}/`));
    return Object.fromEntries(
      inside.map(([file, text]) => [path.relative(folder, file), text] as const),
    );
  };
  const state = (): JsonObject => ({
    folder: app?.folder ?? null,
    template: app?.template ?? null,
    preview_url: app === null ? null : 'http://0123456789abcdef.localhost:4000/',
  });
  const tools: Readonly<Record<string, (given: JsonObject) => ToolAnswer>> = {
    app_get_preview_url: () => result(app !== null, app === null ? 'No app.' : 'Runs.', state()),
    create_app_project: ({ name, template, folder = String(name).toLowerCase() }) => {
      const isOther = [...files].some(
        ([file, text]) =>
          file.startsWith(`${folder}/`) && TEMPLATE[path.relative(String(folder), file)] !== text,
      );
      if (isOther) {
        return result(false, `${folder} has files already (x). Choose another folder.`);
      }
      app = { folder: String(folder), template: String(template) };
      for (const [file, text] of Object.entries(TEMPLATE)) files.set(`${folder}/${file}`, text);
      const created = Object.keys(TEMPLATE).map((file) => `${folder}/${file}`);
      const main = [`${folder}/src/main.js`];
      return result(true, 'Created.', { folder, files_created: created, main_files: main });
    },
    app_write_file: ({ path: file, content }) => {
      if (unseen.delete(String(file))) {
        const refusal = { changed_by_user: true, content: files.get(String(file)) ?? null };
        return result(false, 'Nothing was done. The user changed it.', refusal);
      }
      if (String(content).includes('rest unchanged')) {
        return result(false, `${file} was not written. Line 1 stands for code that was left out.`);
      }
      files.set(String(file), String(content));
      return result(true, 'Wrote it.');
    },
    app_start_server: () => result(true, 'The app runs.', state()),
    app_check: ({ steps = [] }) => {
      const { problems: found, text = 'Tea No cups yet' } = judge(ofApp());
      const problems = found.map((one) => ({ place: null, ...one }));
      const taken = steps as readonly object[];
      const isPassed = passes(ofApp(), taken);
      const failed = { kind: 'step', message: 'The page does not show it.', place: null };
      const all = isPassed ? problems : [...problems, failed];
      const passed = taken
        .map((step) => JSON.stringify(step))
        .slice(0, isPassed ? taken.length : -1);
      const report = all.map(({ kind, message }) => `${kind}: ${message}`).join('\n');
      return result(all.length === 0, report, { problems: all, passed, text });
    },
  };
  const host: Partial<SkillHost> = {
    toolNames: new Set(Object.keys(tools)),
    model: async () => model,
    call: async ({ name, arguments: given }, step) => {
      const known = ledger.get(step);
      if (known !== undefined) return known;
      calls.push({ name, given });
      await new Promise((resolve) => setImmediate(resolve));
      const tool = tools[name];
      if (tool === undefined) throw new Error(`There is no tool ${name}`);
      const answer = options.instead?.(name, given) ?? tool(given);
      ledger.set(step, answer);
      return answer;
    },
    files: {
      readFile: async (file) => files.get(file) ?? '',
      readBytes: async (file) => Buffer.from(files.get(file) ?? ''),
      writeFile: async (file, content) => void files.set(file, String(content)),
      listFiles: async (folder = '.') =>
        [...files]
          .filter(([file]) => folder === '.' || file.startsWith(`${folder}/`))
          .map(([file, text]) => ({ path: file, size: text.length })),
    },
  };
  return { host, files, asked, calls, model, ofApp };
}
