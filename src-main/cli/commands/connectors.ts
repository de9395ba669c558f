import { readFile } from 'node:fs/promises';
import type { Connector, ConnectorConfig, ConnectorDraft } from '#contract/connectors.ts';
import { defined } from '#contract/defined.ts';
import { AppError } from '#contract/errors.ts';
import { makeVisible } from '#contract/visible-text.ts';
import type { App } from '../../compose/app.ts';
import { isConfirmed } from '../confirm.ts';
import type { CliEnvironment } from '../environment.ts';
import { EXIT, UsageError } from '../exit-codes.ts';
import { openApp } from '../open-app.ts';
import { jsonLine, print, printError } from '../output.ts';
import type { ReadFlags } from './runs.ts';

/** Nobody else waits for these requests. */
export const AT_TERMINAL = { closed: new AbortController().signal };

interface AddFlags extends ReadFlags {
  readonly url?: string;
  readonly env?: readonly string[];
  readonly header?: readonly string[];
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly clientMetadata?: string;
  readonly folder?: readonly string[];
  readonly host?: readonly string[];
  readonly yes?: boolean;
}

/** Each server with its state, its tools, and what it may reach. */
export async function listConnectors(
  { dataDir, json }: ReadFlags,
  environment: CliEnvironment,
): Promise<number> {
  await using app = await openApp(environment, { dataDir, attended: false, readOnly: true });
  const { connectors } = app.api['connectors.list']();
  if (json) print(jsonLine(connectors));
  else if (connectors.length === 0) {
    print('No connector is added. Add one with: hyperagent mcp add NAME -- COMMAND\n');
  } else for (const connector of connectors) print(describe(connector));
  return EXIT.complete;
}

/** Adds a server after showing what is added. Throws `BAD_REQUEST`, `CONFLICT`. */
export async function addConnector(
  name: string,
  command: readonly string[],
  flags: AddFlags,
  environment: CliEnvironment,
): Promise<number> {
  const draft = draftOf(command, flags);
  const { dataDir, json } = flags;
  if (!json) print(describeDraft(name, draft));
  if (flags.yes !== true && !(await isConfirmed(`Add "${name}"?`))) return nothingAdded();
  await using app = await openApp(environment, { dataDir, attended: false, readOnly: false });
  const { connector } = await app.api['connectors.add']({ name, draft });
  print(
    json
      ? jsonLine(connector)
      : `Added. Nothing was started. Review its tools with: hyperagent mcp tools ${connector.name}\n`,
  );
  return EXIT.complete;
}

/** Adds the servers of a file one by one, each after showing it. */
export async function importConnectors(
  file: string,
  { dataDir, yes }: { readonly dataDir?: string; readonly yes?: boolean },
  environment: CliEnvironment,
): Promise<number> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new UsageError(`${file} cannot be read: ${(cause as Error).message}`);
  });
  await using app = await openApp(environment, { dataDir, attended: false, readOnly: false });
  const { found } = await app.api['connectors.read']({ text });
  let added = 0;
  for (const { name, draft, notes } of found) {
    if (draft === null) {
      print(`${name}\n${notes.map((note) => `  cannot be used: ${makeVisible(note)}\n`).join('')}`);
      continue;
    }
    print(describeDraft(name, draft));
    for (const note of notes) print(`  note: ${makeVisible(note)}\n`);
    if (yes !== true && !(await isConfirmed(`Add "${name}"?`))) continue;
    await app.api['connectors.add']({ name, draft });
    added += 1;
  }
  print(`Added ${added} of ${found.length}.\n`);
  return EXIT.complete;
}

export async function removeConnector(
  name: string,
  { dataDir, yes }: { readonly dataDir?: string; readonly yes?: boolean },
  environment: CliEnvironment,
): Promise<number> {
  await using app = await openApp(environment, { dataDir, attended: false, readOnly: false });
  const { id } = connectorNamed(app, name);
  const question = `Remove "${name}" with its approved tools and its own files?`;
  if (yes !== true && !(await isConfirmed(question))) {
    printError('Nothing was removed.\n');
    return EXIT.failed;
  }
  await app.api['connectors.remove']({ connectorId: id });
  print(`Removed "${name}".\n`);
  return EXIT.complete;
}

export async function switchConnector(
  name: string,
  verb: 'on' | 'off' | 'restart' | 'sign-out',
  { dataDir }: { readonly dataDir?: string },
  environment: CliEnvironment,
): Promise<number> {
  await using app = await openApp(environment, { dataDir, attended: false, readOnly: false });
  const { id: connectorId } = connectorNamed(app, name);
  const { api } = app;
  const isEnabled = verb === 'on';
  const { connector } =
    verb === 'restart'
      ? await api['connectors.restart']({ connectorId }, AT_TERMINAL)
      : verb === 'sign-out'
        ? await api['connectors.signOut']({ connectorId })
        : await api['connectors.enable']({ connectorId, isEnabled });
  print(describe(connector));
  return EXIT.complete;
}

/** Prints the page where the user signs in, and waits until they did. Throws why they did not. */
export async function signInToConnector(
  name: string,
  { dataDir }: { readonly dataDir?: string },
  environment: CliEnvironment,
): Promise<number> {
  await using app = await openApp(environment, { dataDir, attended: false, readOnly: false });
  const { id: connectorId } = connectorNamed(app, name);
  const { url } = await app.api['connectors.signIn']({ connectorId });
  if (url === null) {
    print(`"${name}" works without a sign-in.\n`);
    return EXIT.complete;
  }
  print(
    `Sign in at ${new URL(url).host}. Open this page in your browser:\n\n${makeVisible(url)}\n\n`,
  );
  await app.api['connectors.awaitSignIn']({ connectorId });
  print(`Signed in to "${name}".\n`);
  return EXIT.complete;
}

/** Throws `NOT_FOUND` that says where to look. */
export function connectorNamed(app: App, name: string): Connector {
  const found = app.api['connectors.list']().connectors.find((one) => one.name === name);
  if (found !== undefined) return found;
  throw new AppError(
    'NOT_FOUND',
    `There is no connector "${makeVisible(name)}". List them with: hyperagent mcp list`,
  );
}

function draftOf(command: readonly string[], flags: AddFlags): ConnectorDraft {
  const { url, env = [], header = [], folder = [], host = [] } = flags;
  const { clientId, clientSecret, clientMetadata: metadataUrl } = flags;
  const oauth = defined({ clientId, clientSecret, metadataUrl });
  const hasOAuth = Object.keys(oauth).length > 0;
  if (url !== undefined) {
    if (command.length > 0) throw new UsageError('Give a command or --url, not both.');
    if (folder.length + host.length + env.length > 0) {
      throw new UsageError(
        '--folder, --host and --env are for programs: a remote server has none.',
      );
    }
    const headers = pairs(header, '--header');
    return { kind: 'remote', url, headers, ...(hasOAuth ? { oauth } : {}) };
  }
  const [program, ...args] = command;
  if (program === undefined) {
    throw new UsageError('Name the command of the server after --, or its address with --url.');
  }
  if (hasOAuth) {
    throw new UsageError(
      '--client-id, --client-secret and --client-metadata are for a remote server: a program has no sign-in.',
    );
  }
  if (header.length > 0) throw new UsageError('--header is for a remote server. Use --env.');
  const folders = folder.map((text) =>
    text.endsWith(':write')
      ? { path: text.slice(0, -':write'.length), access: 'write' as const }
      : { path: text, access: 'read' as const },
  );
  const hosts = [...host];
  return { kind: 'program', command: program, args, env: pairs(env, '--env'), folders, hosts };
}

function pairs(texts: readonly string[], option: string): Record<string, string> {
  const entries = texts.map((text) => {
    const at = text.indexOf('=');
    if (at < 1) throw new UsageError(`${option} takes NAME=VALUE, not "${text.slice(0, 50)}".`);
    return [text.slice(0, at), text.slice(at + 1)] as const;
  });
  return Object.fromEntries(entries);
}

/** What would be added, in full, without values that may be secret. */
function describeDraft(name: string, draft: ConnectorDraft): string {
  if (draft.kind === 'remote') {
    const headers = Object.keys(draft.headers);
    return lines(name, [
      ['address', draft.url],
      ['headers', headers.length === 0 ? 'none' : headers.join(', ')],
      ...clientFacts(draft.oauth ?? {}),
      ['runs', 'on another computer: what is sent there leaves this one'],
    ]);
  }
  return lines(name, [
    ['command', [draft.command, ...draft.args].map(shellWord).join(' ')],
    ['variables', Object.keys(draft.env).join(', ') || 'none'],
    ['folders', folderText(draft.folders)],
    ['hosts', draft.hosts.join(', ') || 'none: it reaches no network'],
    ['runs', 'in a sandbox of its own'],
  ]);
}

function describe(connector: Connector): string {
  const { name, config, state, problem, server, tools, signIn } = connector;
  const facts: [string, string][] =
    config.kind === 'remote'
      ? [['address', config.url], ...clientFacts(config.oauth ?? {})]
      : [
          ['command', [config.command, ...config.args].map(shellWord).join(' ')],
          ['folders', folderText(config.folders)],
          ['hosts', config.hosts.join(', ') || 'none'],
        ];
  const waiting = tools.waiting > 0 ? `, ${tools.waiting} wait for your review` : '';
  const unusable = tools.unusable > 0 ? `, ${tools.unusable} cannot be used` : '';
  return lines(`${name}  ${state}`, [
    ...facts,
    ['tools', `${tools.usable} usable (${tools.tokens} tokens)${waiting}${unusable}`],
    ...(server === null
      ? []
      : [['server', `${server.name} ${server.version}, protocol ${server.revision}`] as const]),
    ...(signIn === 'done' ? [['sign-in', 'you are signed in'] as const] : []),
    ...(problem === null ? [] : [['problem', problem] as const]),
    ...(signIn === 'needed' ? [['do this', `hyperagent mcp sign-in ${name}`] as const] : []),
  ]);
}

/** How the app is known where users sign in. */
function clientFacts({
  clientId,
  metadataUrl,
  clientSecret,
}: NonNullable<Extract<ConnectorDraft | ConnectorConfig, { kind: 'remote' }>['oauth']>): [
  string,
  string,
][] {
  const secret = clientSecret === undefined ? '' : ', with a secret';
  return [
    ...(clientId === undefined ? [] : [['client', `${clientId}${secret}`] as [string, string]]),
    ...(metadataUrl === undefined ? [] : [['client at', metadataUrl] as [string, string]]),
  ];
}

function folderText(
  folders: readonly { readonly path: string; readonly access: string }[],
): string {
  const shown = folders.map(
    ({ path, access }) => `${path} (${access === 'write' ? 'changes' : 'reads'})`,
  );
  return shown.join(', ') || 'none';
}

function lines(head: string, facts: readonly (readonly [string, string])[]): string {
  const rest = facts.map(([label, text]) => `  ${label.padEnd(10)}${makeVisible(text)}\n`);
  return `${makeVisible(head)}\n${rest.join('')}`;
}

function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word);
}

function nothingAdded(): number {
  printError('Nothing was added.\n');
  return EXIT.failed;
}
