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
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { SandboxService } from '../sandbox/types.ts';
import type { StoredConnector } from '../storage/connector-store.ts';
import { checkDraft } from './config.ts';
import type { ConnectorConnection } from './connection.ts';
import { type ConnectionLimits, LIMITS, type WantedOffer } from './connection-parts.ts';
import { ConnectorLog } from './connector-log.ts';
import { readConfigs } from './import-configs.ts';
import type { RemoteSignIn } from './remote-sign-in.ts';
import { ReviewedTools } from './reviewed-tools.ts';
import type { ListedOffers } from './server-lists.ts';
import { ServerTransports, type TransportParts } from './server-transports.ts';
import { SIGN_IN_PROBLEM } from './sign-in.ts';
import { ToolSearch } from './tool-search.ts';
import type {
  CallAnswer,
  CallOptions,
  ConnectorService,
  OfferedFile,
  UsableTool,
} from './types.ts';
import { unavailable } from './unavailable.ts';

export interface ConnectorServiceParts extends TransportParts {
  readonly sandbox: Pick<SandboxService, 'forTask' | 'removeTask'>;
  readonly dataDir: string;
  readonly logsDir: string;
  readonly clean: (text: string) => string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Why the policy of this computer forbids a connector; null if it does not. */
  readonly forbids?: (config: ConnectorConfig | ConnectorDraft) => string | null;
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
  readonly #transports: ServerTransports;
  #revision = 0;
  #usable: readonly UsableTool[] | null = null;
  #search: ToolSearch | null = null;

  constructor(parts: ConnectorServiceParts) {
    this.#parts = parts;
    this.#transports = new ServerTransports(parts);
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
    const connection = await this.#usableConnection(entry);
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
    this.#checkAllowed(draft);
    const { name, config, values } = await checkDraft(given, draft, { dataDir });
    const stored = store.add(name, config, values);
    this.#changed();
    return this.#shown(stored);
  }

  async enable(id: string, isEnabled: boolean): Promise<Connector> {
    const entry = this.#entry(id);
    if (isEnabled) this.#checkAllowed(entry.stored.config);
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
    if (refresh) await (await this.#usableConnection(entry)).refresh(signal);
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
    const connection = await this.#usableConnection(entry);
    await connection.stop();
    connection.forgive();
    await connection.start(signal);
    return this.#shown(this.#entry(id).stored);
  }

  async signIn(id: string): Promise<string | null> {
    const entry = this.#entry(id);
    const { stored } = entry;
    const { config } = stored;
    this.#checkAllowed(config);
    if (config.kind !== 'remote') {
      throw new AppError(
        'CONFLICT',
        `"${stored.name}" is a program: there is nothing to sign in to.`,
      );
    }
    await this.#close(entry);
    const { beginSignIn } = await import('./remote-sign-in.ts');
    const begun = await beginSignIn(this.#transports.remoteParts(stored, config));
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

  offers(): ReturnType<ConnectorService['offers']> {
    return this.#stored()
      .filter(({ isEnabled }) => isEnabled)
      .map(({ id, name }) => ({
        ...{ connectorId: id, connector: name },
        ...this.#parts.store.offers(id),
      }));
  }

  async resource(
    id: string,
    wanted: Parameters<ConnectorService['resource']>[1],
    signal: AbortSignal,
  ): Promise<OfferedFile> {
    const { name } = this.#entry(id).stored;
    const listed = this.#parts.store.offers(id).resources.find(({ uri }) => uri === wanted.uri);
    const resource =
      listed === undefined || listed.variables.length === 0
        ? (listed ?? { uri: wanted.uri, name: wanted.uri, mimeType: '' })
        : (await import('./resource-templates.ts')).filledIn(listed, wanted.variables);
    const { uri } = resource;
    const [{ resourceFile }, result] = await this.#offered(id, { kind: 'resource', uri }, signal);
    return resourceFile(name, resource, result);
  }

  async prompt(
    id: string,
    prompt: Parameters<ConnectorService['prompt']>[1],
    signal: AbortSignal,
  ): Promise<string> {
    const { name } = this.#entry(id).stored;
    const [{ promptText }, result] = await this.#offered(id, { kind: 'prompt', ...prompt }, signal);
    return promptText(name, prompt.name, result);
  }

  log(id: string): ConnectorLogLine[] {
    return this.#logOf(this.#entry(id)).lines();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#entries.values()].map((entry) => this.#close(entry)));
  }

  /** One that the policy forbids is off. */
  #stored(): StoredConnector[] {
    return this.#parts.store
      .list()
      .map((one) => ({ ...one, isEnabled: one.isEnabled && this.#forbidden(one.config) === null }));
  }

  #forbidden(config: ConnectorConfig | ConnectorDraft): string | null {
    return this.#parts.forbids?.(config) ?? null;
  }

  #checkAllowed(config: ConnectorConfig | ConnectorDraft): void {
    const why = this.#forbidden(config);
    if (why !== null) throw new AppError('MANAGED', why);
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

  /** Throws `CONNECTOR_UNAVAILABLE` for one that is switched off. */
  async #usableConnection(entry: Entry): Promise<ConnectorConnection> {
    this.#checkAllowed(entry.stored.config);
    if (entry.stored.isEnabled) return await this.#connection(entry);
    throw unavailable(entry.stored.name, 'is switched off. Switch it on under Connectors.');
  }

  async #offered(id: string, wanted: WantedOffer, signal: AbortSignal) {
    const connection = await this.#usableConnection(this.#entry(id));
    return await Promise.all([import('./server-offers.ts'), connection.offered(wanted, signal)]);
  }

  async #takeOffers({ id }: StoredConnector, listed: ListedOffers): Promise<void> {
    const { offersIn } = await import('./server-offers.ts');
    this.#parts.store.setOffers(id, offersIn(listed));
    this.#parts.onChange();
  }

  #connection(entry: Entry): Promise<ConnectorConnection> {
    entry.connection ??= this.#makeConnection(entry).then((made) => {
      entry.made = made;
      return made;
    });
    return entry.connection;
  }

  async #makeConnection(entry: Entry): Promise<ConnectorConnection> {
    const { ConnectorConnection: Connection } = await import('./connection.ts');
    const { clock, store, limits, version } = this.#parts;
    const { id, name } = entry.stored;
    const log = this.#logOf(entry);
    return new Connection({
      ...{ name, version, clock },
      limits: { ...LIMITS, ...limits },
      open: () => this.#transports.open(entry.stored, log),
      log: (kind, text) => log.add(kind, text),
      onServer: (server) => store.setServer(id, server),
      onTools: (tools) => this.#tools.take(entry.stored, tools),
      onOffers: (listed) => this.#takeOffers(entry.stored, listed),
      onChange: () => this.#parts.onChange(),
    });
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
      problem: this.#forbidden(config) ?? status?.problem ?? null,
      retryAt: status?.retryAt ?? null,
      signIn: this.#signInOf(stored, status?.problem ?? null),
      tools: this.#tools.count(stored),
      offers: this.#parts.store.offerCounts(id),
    };
  }

  #signInOf(stored: StoredConnector, problem: string | null): Connector['signIn'] {
    if (stored.config.kind !== 'remote') return 'none';
    if (problem === SIGN_IN_PROBLEM) return 'needed';
    return this.#transports.isSignedIn(stored) ? 'done' : 'none';
  }

  #changed(): void {
    this.#revision += 1;
    this.#usable = null;
    this.#search = null;
    this.#parts.onChange();
  }
}
