import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type {
  Connector,
  ConnectorConfig,
  ConnectorDraft,
  ConnectorLogLine,
  ConnectorTool,
  ImportedConnector,
} from '#contract/connectors.ts';
import { defined } from '#contract/defined.ts';
import { AppError } from '#contract/errors.ts';
import type { SandboxChoice } from '#contract/vocabulary.ts';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { AppEgress } from '../egress/app-egress.ts';
import type { SandboxService } from '../sandbox/types.ts';
import type {
  ConnectorStore,
  ConnectorValues,
  StoredConnector,
} from '../storage/connector-store.ts';
import { checkDraft, hostsOf, resolveValues } from './config.ts';
import type {
  ConnectionLimits,
  ConnectorClientTransport,
  ConnectorConnection,
} from './connection.ts';
import { ConnectorLog } from './connector-log.ts';
import { readConfigs } from './import-configs.ts';
import type { RemoteServerParts, RemoteSignIn } from './remote-sign-in.ts';
import { ReviewedTools } from './reviewed-tools.ts';
import { NO_SIGN_IN, SIGN_IN_PROBLEM, type SignInState, type SignInStore } from './sign-in.ts';
import { ToolSearch } from './tool-search.ts';
import type { CallAnswer, CallOptions, ConnectorService, UsableTool } from './types.ts';

export interface ConnectorServiceParts {
  readonly store: ConnectorStore;
  /** Sandboxes of connectors only: each has its own folder, and the folders of the user that it may see. */
  readonly sandbox: Pick<SandboxService, 'forTask' | 'removeTask'>;
  readonly sandboxChoice: () => SandboxChoice;
  /** Ends the sandbox of a connector with all that runs in it. */
  readonly releaseSandbox: (id: string) => Promise<void>;
  readonly egress: Pick<AppEgress, 'connectorClient'>;
  readonly environment: NodeJS.ProcessEnv;
  readonly version: string;
  readonly dataDir: string;
  readonly logsDir: string;
  readonly clean: (text: string) => string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Forgets the user's rules about tools whose names begin so. */
  readonly forgetRules: (prefix: string) => void;
  readonly onChange: () => void;
  readonly limits?: Partial<ConnectionLimits>;
}

interface Entry {
  readonly stored: StoredConnector;
  /** Made when its server is first needed. */
  connection: Promise<ConnectorConnection> | null;
  /** The same, once it was made. */
  made: ConnectorConnection | null;
  log: ConnectorLog | null;
  /** A sign-in that the user began. */
  signIn: RemoteSignIn | null;
}

/**
 * The MCP servers that the user added. What may be called is what was approved, read from the database: a server starts
 * when one of its tools is first called.
 */
export class Connectors implements ConnectorService {
  readonly #parts: ConnectorServiceParts;
  readonly #entries = new Map<string, Entry>();
  readonly #tools: ReviewedTools;
  #revision = 0;
  #usable: readonly UsableTool[] | null = null;
  #search: ToolSearch | null = null;

  constructor(parts: ConnectorServiceParts) {
    this.#parts = parts;
    this.#tools = new ReviewedTools(parts.store, () => this.#changed());
  }

  get revision(): number {
    return this.#revision;
  }

  get storage(): string | null {
    return this.#parts.store.storage;
  }

  usable(): readonly UsableTool[] {
    this.#usable ??= this.#stored()
      .filter(({ isEnabled }) => isEnabled)
      .flatMap((connector) => this.#tools.usable(connector));
    return this.#usable;
  }

  find(query: string): readonly UsableTool[] {
    this.#search ??= new ToolSearch(this.usable());
    return this.#search.find(query);
  }

  async call(
    { connectorId, name }: Pick<UsableTool, 'connectorId' | 'name'>,
    given: Readonly<Record<string, unknown>>,
    options: CallOptions,
  ): Promise<CallAnswer> {
    const entry = this.#entry(connectorId);
    const { stored } = entry;
    if (!stored.isEnabled) {
      throw unavailable(stored.name, 'is switched off. Switch it on under Connectors.');
    }
    const connection = await this.#connection(entry);
    // Its tools are read at each start, so that one that changed since its approval is not called.
    await connection.start(options.signal);
    const definition = this.#tools.callable(stored, name);
    const [{ toAnswer }, result] = await Promise.all([
      import('./call-answer.ts'),
      connection.call(name, given, { ...options, definition }),
    ]);
    return toAnswer(name, result);
  }

  list(): Connector[] {
    return this.#stored().map((stored) => this.#shown(stored));
  }

  async read(text: string): Promise<ImportedConnector[]> {
    return await readConfigs(text);
  }

  async add(given: string, draft: ConnectorDraft): Promise<Connector> {
    const { store, dataDir } = this.#parts;
    const { name, config, values } = await checkDraft(given, draft, { dataDir });
    const stored = store.add(name, config, values);
    this.#changed();
    return this.#shown(stored);
  }

  async enable(id: string, isEnabled: boolean): Promise<Connector> {
    const entry = this.#entry(id);
    this.#parts.store.setEnabled(id, isEnabled);
    if (!isEnabled) await this.#close(entry);
    this.#changed();
    return this.#shown(this.#entry(id).stored);
  }

  async remove(id: string): Promise<void> {
    const entry = this.#entry(id);
    const log = this.#logOf(entry);
    this.#parts.store.remove(id);
    // Another server may get this name: nothing that was allowed for this one holds for it.
    this.#parts.forgetRules(`${entry.stored.name}__`);
    this.#changed();
    await this.#close(entry);
    this.#entries.delete(id);
    log.delete();
    await this.#parts.sandbox.removeTask(id);
  }

  async tools(
    id: string,
    { refresh, signal }: { readonly refresh: boolean; readonly signal: AbortSignal },
  ): Promise<ConnectorTool[]> {
    const entry = this.#entry(id);
    if (refresh) {
      if (!entry.stored.isEnabled) {
        throw unavailable(entry.stored.name, 'is switched off. Switch it on first.');
      }
      await (await this.#connection(entry)).refresh(signal);
    }
    return this.#tools.shown(entry.stored);
  }

  approve(id: string, tools: readonly { name: string; sha256: string }[]): ConnectorTool[] {
    return this.#tools.approve(this.#entry(id).stored, tools);
  }

  changeTool(
    id: string,
    { name, isEnabled, isRepeatable }: Parameters<ConnectorService['changeTool']>[1],
  ): ConnectorTool[] {
    const changes = defined({ isEnabled, isRepeatable });
    return this.#tools.change(this.#entry(id).stored, name, changes);
  }

  async restart(id: string, signal: AbortSignal): Promise<Connector> {
    const entry = this.#entry(id);
    const { stored } = entry;
    if (!stored.isEnabled) throw unavailable(stored.name, 'is switched off. Switch it on first.');
    const connection = await this.#connection(entry);
    await connection.stop();
    connection.forgive();
    await connection.start(signal);
    return this.#shown(this.#entry(id).stored);
  }

  async signIn(id: string): Promise<string | null> {
    const entry = this.#entry(id);
    const { stored } = entry;
    const { config } = stored;
    if (config.kind !== 'remote') {
      throw new AppError(
        'CONFLICT',
        `"${stored.name}" is a program: there is nothing to sign in to.`,
      );
    }
    const { store, environment } = this.#parts;
    await this.#close(entry);
    const values = resolveValues(config, store.values(stored), environment);
    const { beginSignIn } = await import('./remote-sign-in.ts');
    const begun = await beginSignIn(this.#remoteParts(entry, config, values));
    entry.signIn = begun;
    begun.done.then(
      () => {
        this.#logOf(entry).add('state', 'signed in');
        this.#parts.onChange();
      },
      (error: Error) => this.#logOf(entry).add('problem', error.message),
    );
    return begun.url;
  }

  async awaitSignIn(id: string): Promise<void> {
    const { signIn } = this.#entry(id);
    if (signIn === null) throw new AppError('CONFLICT', 'No sign-in was begun.');
    await signIn.done;
  }

  async signOut(id: string): Promise<Connector> {
    const entry = this.#entry(id);
    this.#parts.store.setSignIn(id, null);
    await this.#close(entry);
    this.#changed();
    return this.#shown(entry.stored);
  }

  log(id: string): ConnectorLogLine[] {
    return this.#logOf(this.#entry(id)).lines();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#entries.values()].map((entry) => this.#close(entry)));
  }

  #stored(): StoredConnector[] {
    return this.#parts.store.list();
  }

  /** With what is stored of it now. Throws `NOT_FOUND`. */
  #entry(id: string): Entry {
    const stored = this.#stored().find((one) => one.id === id);
    if (stored === undefined) {
      throw new AppError('NOT_FOUND', 'There is no such connector. It may have been removed.');
    }
    const known = this.#entries.get(id);
    const entry: Entry = known ?? { stored, connection: null, made: null, log: null, signIn: null };
    const current = Object.assign(entry, { stored });
    this.#entries.set(id, current);
    return current;
  }

  #logOf(entry: Entry): ConnectorLog {
    const { logsDir, clock, clean } = this.#parts;
    entry.log ??= new ConnectorLog({
      file: join(logsDir, `${entry.stored.id}.jsonl`),
      ...{ clock, clean },
    });
    return entry.log;
  }

  #connection(entry: Entry): Promise<ConnectorConnection> {
    entry.connection ??= this.#makeConnection(entry).then((made) => {
      entry.made = made;
      return made;
    });
    return entry.connection;
  }

  async #makeConnection(entry: Entry): Promise<ConnectorConnection> {
    const { ConnectorConnection: Connection, LIMITS } = await import('./connection.ts');
    const { clock, store, limits, version } = this.#parts;
    const { id, name } = entry.stored;
    const log = this.#logOf(entry);
    return new Connection({
      ...{ name, version, clock },
      limits: { ...LIMITS, ...limits },
      open: () => this.#openTransport(entry, log),
      log: (kind, text) => log.add(kind, text),
      onServer: (server) => store.setServer(id, server),
      onTools: (tools) => this.#tools.take(entry.stored, tools),
      onChange: () => this.#parts.onChange(),
    });
  }

  async #openTransport(entry: Entry, log: ConnectorLog): Promise<ConnectorClientTransport> {
    const { store, egress, environment, sandbox, sandboxChoice, releaseSandbox } = this.#parts;
    const { id, config } = entry.stored;
    const values = resolveValues(config, store.values(entry.stored), environment);
    const hosts = hostsOf(config);
    if (config.kind === 'remote') {
      const { openRemote } = await import('./remote-sign-in.ts');
      log.add('state', `connecting to ${config.url}`);
      return openRemote(this.#remoteParts(entry, config, values));
    }
    for (const { path } of config.folders) {
      if (!existsSync(path))
        throw unavailable(entry.stored.name, `needs the folder ${path}, which is not there.`);
    }
    const { ProgramTransport } = await import('./program-transport.ts');
    log.add('state', `starting ${[config.command, ...config.args].join(' ')}`);
    return new ProgramTransport({
      ...{ config, values },
      sandbox: sandbox.forTask(id, sandboxChoice()),
      egress: egress.connectorClient(hosts, { byUser: false }),
      onStderr: (text) => log.addStderr(text),
      onLine: (line) => log.add('problem', line),
      release: async () => {
        // Its last line may have no end.
        log.addStderr('\n');
        await releaseSandbox(id);
      },
    });
  }

  #remoteParts(
    { stored }: Entry,
    config: Extract<ConnectorConfig, { kind: 'remote' }>,
    values: ConnectorValues,
  ): RemoteServerParts {
    const { egress, version } = this.#parts;
    return { ...{ config, values, egress, version }, store: this.#signInStore(stored.id) };
  }

  #signInStore(id: string): SignInStore {
    const { store } = this.#parts;
    return {
      load: () => {
        const text = store.signIn(id);
        return text === null ? NO_SIGN_IN : (JSON.parse(text) as SignInState);
      },
      save: (state) => store.setSignIn(id, JSON.stringify(state)),
    };
  }

  async #close(entry: Entry): Promise<void> {
    await entry.signIn?.[Symbol.asyncDispose]();
    entry.signIn = null;
    const connection = await entry.connection?.catch(() => null);
    await connection?.[Symbol.asyncDispose]();
    entry.connection = null;
    entry.made = null;
  }

  #shown(stored: StoredConnector): Connector {
    const { id, name, config, isEnabled, server } = stored;
    const status = this.#entries.get(id)?.made?.status;
    return {
      ...{ id, name, config, isEnabled, server },
      state: isEnabled ? (status?.state ?? 'idle') : 'off',
      problem: status?.problem ?? null,
      retryAt: status?.retryAt ?? null,
      signIn: this.#signInOf(stored, status?.problem ?? null),
      tools: this.#tools.count(stored),
    };
  }

  #signInOf({ id, config }: StoredConnector, problem: string | null): Connector['signIn'] {
    if (config.kind !== 'remote') return 'none';
    if (problem === SIGN_IN_PROBLEM) return 'needed';
    const { tokens } = this.#signInStore(id).load();
    return Object.keys(tokens).length > 0 ? 'done' : 'none';
  }

  #changed(): void {
    this.#revision += 1;
    this.#usable = null;
    this.#search = null;
    this.#parts.onChange();
  }
}

function unavailable(name: string, why: string): AppError {
  return new AppError('CONNECTOR_UNAVAILABLE', `The connector "${name}" ${why}`, {
    details: { connector: name },
  });
}
