import { dirname, extname, isAbsolute } from 'node:path';
import { z } from 'zod';
import { ConnectorDraft, ConnectorName, type ImportedConnector } from '#contract/connectors.ts';
import { PACKAGE_HOSTS } from '#contract/egress.ts';
import { AppError } from '#contract/errors.ts';
import { safeParse } from '#contract/safe-parse.ts';

const texts = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).nullish();

/** A server in any of the known forms. Unknown fields are dropped. */
const Entry = z.object({
  type: z.string().nullish(),
  transport: z.string().nullish(),
  command: z.string().nullish(),
  cmd: z.string().nullish(),
  args: z.array(z.union([z.string(), z.number()])).nullish(),
  env: texts,
  envs: texts,
  env_keys: z.array(z.string()).nullish(),
  url: z.string().nullish(),
  uri: z.string().nullish(),
  serverUrl: z.string().nullish(),
  headers: texts,
  envFile: z.string().nullish(),
});
type Entry = z.infer<typeof Entry>;

/** More than anybody looks at one by one. */
const MOST_SERVERS = 100;

/** Where the forms keep their servers: Claude desktop and most others, VS Code, goose. */
const PLACES = ['mcpServers', 'servers', 'extensions', 'context_servers'] as const;

/**
 * The servers of a pasted `mcp.json`, or of the `extensions` of goose, each as a draft to look at. Throws
 * `BAD_REQUEST` where there are none.
 */
export async function readConfigs(text: string): Promise<ImportedConnector[]> {
  const whole = await parseText(text);
  const place = PLACES.find((name) => isRecord(whole[name]));
  const entries = place === undefined ? whole : (whole[place] as Readonly<Record<string, unknown>>);
  const names = new Names();
  const servers = Object.entries(entries);
  if (servers.length > MOST_SERVERS) {
    throw new AppError(
      'BAD_REQUEST',
      `There are ${servers.length} servers in this text. Paste at most ${MOST_SERVERS} at a time.`,
    );
  }
  const found = servers.flatMap(([given, value]): ImportedConnector[] => {
    const entry = safeParse(Entry, value);
    if (!isRecord(value)) return [];
    const name = names.next(given);
    if (!entry.success) {
      const why = entry.error.issues[0];
      return [{ name, draft: null, notes: [`${why?.path.join('.')}: ${why?.message}`] }];
    }
    return [{ name, ...draftOf(entry.data) }];
  });
  if (found.length > 0) return found;
  throw new AppError(
    'BAD_REQUEST',
    'There is no server in this text. Paste a whole mcp.json, with "mcpServers" or "servers" in it, or the extensions of goose.',
  );
}

/** A byte order mark, spaces and comments. */
const LEAD = /^(?:\ufeff|\s|\/\/[^\n]*\n|\/\*[^*]*(?:\*(?!\/)[^*]*)*\*\/)*/;

async function parseText(text: string): Promise<Readonly<Record<string, unknown>>> {
  let value: unknown;
  try {
    // JSON is YAML, but for comments and tabs.
    value = text.slice(LEAD.exec(text)?.[0].length ?? 0).startsWith('{')
      ? JSON.parse(plainJson(text.replace(/^\ufeff/, '')))
      : (await import('yaml')).parse(text, { maxAliasCount: 0 });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.split('\n', 1)[0] : '';
    throw new AppError('BAD_REQUEST', `This is neither JSON nor YAML: ${why}`, { cause });
  }
  if (isRecord(value)) return value;
  throw new AppError('BAD_REQUEST', 'This is not a configuration. Paste a whole mcp.json.');
}

/** JSON without comments and commas before a closing bracket, which VS Code allows. One pass over the text. */
function plainJson(text: string): string {
  const kept: string[] = [];
  let from = 0;
  let comma = -1;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (sign === '"') {
      at = endOfString(text, at);
      comma = -1;
    } else if (sign === '/' && (text.charAt(at + 1) === '/' || text.charAt(at + 1) === '*')) {
      const isLine = text.charAt(at + 1) === '/';
      const end = text.indexOf(isLine ? '\n' : '*/', at + 2);
      kept.push(text.slice(from, at));
      at = end < 0 ? text.length : end + (isLine ? 0 : 1);
      from = at + (isLine ? 0 : 1);
    } else if (sign === ',') {
      kept.push(text.slice(from, at));
      comma = kept.length;
      kept.push(',');
      from = at + 1;
    } else if (sign === '}' || sign === ']') {
      if (comma >= 0) kept[comma] = ' ';
      comma = -1;
    } else if (!/\s/.test(sign)) comma = -1;
  }
  kept.push(text.slice(from));
  return kept.join('');
}

/** Where the text that begins at a quotation mark ends. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text.charAt(at) === '\\') at += 1;
    else if (text.charAt(at) === '"') return at;
  }
  return text.length;
}

function draftOf(entry: Entry): Pick<ImportedConnector, 'draft' | 'notes'> {
  const notes: string[] = [];
  const url = entry.url ?? entry.uri ?? entry.serverUrl ?? null;
  const kind = entry.type ?? entry.transport ?? '';
  if (/sse/i.test(kind)) {
    return {
      draft: null,
      notes: [
        'It uses the older SSE transport, which is not supported. Ask for its streamable HTTP address.',
      ],
    };
  }
  if (url !== null) {
    noteReferences([url], notes);
    return checked({ kind: 'remote', url, headers: valuesOf(entry.headers, notes) }, notes);
  }
  const given = entry.command ?? entry.cmd ?? null;
  if (given === null) return { draft: null, notes: ['It names neither a command nor an address.'] };
  const args = (entry.args ?? []).map(String);
  const [command, ...more] = entry.args == null ? wordsOf(given) : [given];
  const all = [...more, ...args];
  noteReferences(all, notes);
  const env = valuesOf({ ...entry.env, ...entry.envs }, notes);
  for (const name of entry.env_keys ?? []) {
    if (!Object.hasOwn(env, name)) env[name] = `\${${name}}`;
  }
  if (entry.envFile != null) {
    notes.push(`The file ${entry.envFile} is not read: add its variables that the server needs.`);
  }
  const folders = all
    .filter((word) => isAbsolute(word))
    // A program is read from its folder.
    .map((path) => ({ path: extname(path) === '' ? path : dirname(path), access: 'read' as const }))
    .filter(({ path }, i, all) => all.findIndex((one) => one.path === path) === i);
  if (folders.length > 0) {
    notes.push(
      'Folders that its command names are opened for reading. Change that where it must write, or remove them.',
    );
  }
  const hosts = hostsFor(command ?? '', notes);
  return checked({ kind: 'program', command, args: all, env, folders, hosts }, notes);
}

function checked(
  draft: unknown,
  notes: readonly string[],
): Pick<ImportedConnector, 'draft' | 'notes'> {
  const parsed = safeParse(ConnectorDraft, draft);
  if (parsed.success) return { draft: parsed.data, notes: [...notes] };
  const why = parsed.error.issues[0];
  return { draft: null, notes: [...notes, `${why?.path.join('.')}: ${why?.message}`] };
}

/** What only values can refer to. */
function noteReferences(words: readonly string[], notes: string[]): void {
  for (const word of words) {
    const [found] = /\$\{[^}]*\}/.exec(word) ?? [];
    if (found !== undefined) notes.push(`${found} is not replaced: write what it stands for.`);
  }
}

/** Values as text, with the references of VS Code in our form. */
function valuesOf(given: Entry['env'], notes: string[]): Record<string, string> {
  const entries = Object.entries(given ?? {}).map(([name, value]) => {
    const text = String(value).replaceAll(
      /\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}/g,
      (_all, variable: string) => `\${${variable}}`,
    );
    if (/\$\{input:/.test(text)) {
      notes.push(`${name} was asked for by VS Code: write its value here.`);
      return [name, ''];
    }
    return [name, text];
  });
  return Object.fromEntries(entries);
}

function hostsFor(command: string, notes: string[]): string[] {
  const program =
    command
      .split(/[/\\]/)
      .at(-1)
      ?.replace(/\.(?:cmd|exe)$/i, '') ?? '';
  const [pypi = '', files = '', npm = ''] = PACKAGE_HOSTS;
  const hosts = /^(?:npx|npm|pnpm|bunx)$/.test(program)
    ? [npm]
    : /^(?:uvx?|pipx)$/.test(program)
      ? [pypi, files]
      : [];
  if (hosts.length > 0) {
    notes.push(
      `It may reach ${hosts.join(' and ')} to download its package. Add the hosts that it works with.`,
    );
  }
  if (/^(?:docker|podman)$/.test(program)) {
    notes.push(
      'It starts a container, which is not possible in a sandbox. Use the command of the server itself.',
    );
  }
  return hosts;
}

/** The words of a command that is one text, without a shell. */
function wordsOf(text: string): string[] {
  return (text.match(/"[^"]*"|'[^']*'|[^\s"']+/g) ?? []).map((word) =>
    word.replace(/^(["'])(.*)\1$/, '$2'),
  );
}

/** Valid names, each once, made of what was given. */
class Names {
  readonly #taken = new Set<string>();
  /** The last number of each name that was wanted more than once. */
  readonly #numbers = new Map<string, number>();

  next(given: string): string {
    const plain = given
      .slice(0, 100)
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-');
    const short = plain.replace(/^-/, '').slice(0, 20).replace(/-$/, '');
    const base = safeParse(ConnectorName, short).success ? short : 'server';
    for (;;) {
      const number = (this.#numbers.get(base) ?? 0) + 1;
      this.#numbers.set(base, number);
      const name = number === 1 ? base : `${base}-${number}`;
      if (this.#taken.has(name)) continue;
      this.#taken.add(name);
      return name;
    }
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
