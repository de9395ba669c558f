import type {
  Connector,
  ConnectorDraft,
  ConnectorOffers,
  ConnectorTool,
} from '#contract/connectors.ts';
import type { PushMessage, RequestInput } from '#contract/requests.ts';
import { Refusal } from './refusal.ts';

const NO_TOOLS = { usable: 0, waiting: 0, unusable: 0, tokens: 0 };

/** Connectors as main has them: servers that start when they are asked to, with the tools that a test gives. */
export class FakeConnectors {
  /** Null where nothing can seal. */
  storage: string | null = 'a keychain for tests';
  connectors: Connector[] = [];
  readonly tools = new Map<string, ConnectorTool[]>();
  readonly offers = new Map<string, ConnectorOffers>();
  /** What a prompt says, by its arguments. */
  promptText = (given: Readonly<Record<string, string>>): string =>
    `Do it: ${JSON.stringify(given)}`;
  readonly added: { name: string; draft: ConnectorDraft }[] = [];
  /** What the next start fails with; null starts. */
  refusal: string | null = null;
  /** When the user has signed in on the page. */
  signedIn: Promise<void> = Promise.resolve();
  readonly #push: (message: PushMessage) => void;

  constructor(push: (message: PushMessage) => void) {
    this.#push = push;
  }

  /** A program without anything it may reach. */
  add(name: string, change: Partial<Connector> = {}): Connector {
    const connector: Connector = {
      ...{ id: `connector-${name}`, name, isEnabled: true, state: 'idle', problem: null },
      ...{ retryAt: null, server: null, tools: NO_TOOLS, signIn: 'none' },
      offers: { resources: 0, prompts: 0 },
      config: { kind: 'program', command: 'server', args: [], env: [], folders: [], hosts: [] },
      ...change,
    };
    this.connectors.push(connector);
    return connector;
  }

  tool(connector: Connector, name: string, change: Partial<ConnectorTool> = {}): void {
    const tool: ConnectorTool = {
      ...{ name, fullName: `${connector.name}__${name}`, state: 'new', problem: null },
      ...{ isEnabled: true, isRepeatable: false, approved: null, sha256: `sha of ${name}` },
      ...{ warnings: [], tokens: 80 },
      now: {
        ...{ title: '', description: `Does ${name}.`, annotations: '', more: '' },
        inputSchema: '{\n  "type": "object"\n}',
      },
      ...change,
    };
    this.tools.set(connector.id, [...(this.tools.get(connector.id) ?? []), tool]);
    this.#count(connector.id);
  }

  offer(connector: Connector, offers: ConnectorOffers): void {
    this.offers.set(connector.id, offers);
    const { resources, prompts } = offers;
    this.#change(connector.id, {
      offers: { resources: resources.length, prompts: prompts.length },
    });
  }

  readonly handlers = {
    'connectors.list': () => ({ connectors: this.connectors, storage: this.storage }),
    'connectors.read': ({ text }: RequestInput<'connectors.read'>) => {
      const servers = (JSON.parse(text) as { mcpServers: Record<string, { command: string }> })
        .mcpServers;
      const found = Object.entries(servers).map(([name, { command }]) => ({
        ...{ name, notes: ['It may reach registry.npmjs.org to download its package.'] },
        draft: {
          ...{ kind: 'program' as const, command, args: [], env: {}, folders: [] },
          hosts: ['registry.npmjs.org'],
        },
      }));
      return { found };
    },
    'connectors.add': ({ name, draft }: RequestInput<'connectors.add'>) => {
      if (this.connectors.some((one) => one.name === name)) {
        throw new Refusal('CONFLICT', `There is a connector "${name}" already.`);
      }
      this.added.push({ name, draft });
      const connector = this.add(name);
      this.#changed();
      return { connector };
    },
    'connectors.enable': ({ connectorId, isEnabled }: RequestInput<'connectors.enable'>) => ({
      connector: this.#change(connectorId, { isEnabled, state: isEnabled ? 'idle' : 'off' }),
    }),
    'connectors.remove': ({ connectorId }: RequestInput<'connectors.remove'>) => {
      this.connectors = this.connectors.filter(({ id }) => id !== connectorId);
      this.#changed();
      return {};
    },
    'connectors.tools': ({ connectorId, refresh }: RequestInput<'connectors.tools'>) => {
      if (refresh) this.#start(connectorId);
      return { tools: this.tools.get(connectorId) ?? [] };
    },
    'connectors.approve': ({ connectorId, tools }: RequestInput<'connectors.approve'>) => {
      const names = new Set(tools.map(({ name }) => name));
      return this.#changeTools(connectorId, (tool) =>
        names.has(tool.name) ? { ...tool, state: 'approved', approved: null } : tool,
      );
    },
    'connectors.changeTool': ({
      connectorId,
      name,
      isEnabled,
      isRepeatable,
    }: RequestInput<'connectors.changeTool'>) =>
      this.#changeTools(connectorId, (tool) =>
        tool.name === name
          ? {
              ...tool,
              isEnabled: isEnabled ?? tool.isEnabled,
              isRepeatable: isRepeatable ?? tool.isRepeatable,
            }
          : tool,
      ),
    'connectors.restart': ({ connectorId }: RequestInput<'connectors.restart'>) => {
      this.#start(connectorId);
      return { connector: this.#of(connectorId) };
    },
    'connectors.signIn': () => ({ url: 'https://accounts.example.com/authorize?client_id=1' }),
    'connectors.awaitSignIn': async ({ connectorId }: RequestInput<'connectors.awaitSignIn'>) => {
      await this.signedIn;
      if (this.refusal !== null) throw new Refusal('CONFLICT', this.refusal);
      this.#change(connectorId, { signIn: 'done', problem: null, state: 'idle' });
      return {};
    },
    'connectors.signOut': ({ connectorId }: RequestInput<'connectors.signOut'>) => ({
      connector: this.#change(connectorId, { signIn: 'none' }),
    }),
    'connectors.log': () => ({
      lines: [{ at: Date.UTC(2026, 10, 3, 9, 30), kind: 'state' as const, text: 'running' }],
    }),
    'connectors.offers': () => ({
      offers: this.connectors
        .filter(({ isEnabled }) => isEnabled)
        .map(({ id, name }) => ({
          ...{ connectorId: id, connector: name },
          ...(this.offers.get(id) ?? { resources: [], prompts: [] }),
        })),
    }),
    'connectors.attachResource': ({ uri }: RequestInput<'connectors.attachResource'>) => {
      if (this.refusal !== null) throw new Refusal('CONNECTOR_FAILED', this.refusal);
      const name = uri.split('/').at(-1) ?? uri;
      return { attachmentId: `attached ${uri}`, name, size: 2_048, picture: null };
    },
    'connectors.prompt': (input: RequestInput<'connectors.prompt'>) => {
      if (this.refusal !== null) throw new Refusal('CONNECTOR_FAILED', this.refusal);
      return { text: this.promptText(input.arguments) };
    },
    'connectors.call': () => ({ text: 'done', isError: false }),
  };

  #start(id: string): void {
    if (this.refusal !== null) {
      this.#change(id, { state: 'failed', problem: this.refusal });
      throw new Refusal('CONNECTOR_UNAVAILABLE', this.refusal);
    }
    const server = { name: 'a server', version: '1.0', revision: '2025-11-25' };
    this.#change(id, { state: 'running', problem: null, server });
  }

  #changeTools(id: string, change: (tool: ConnectorTool) => ConnectorTool) {
    const tools = (this.tools.get(id) ?? []).map(change);
    this.tools.set(id, tools);
    this.#count(id);
    this.#changed();
    return { tools };
  }

  #count(id: string): void {
    const tools = this.tools.get(id) ?? [];
    const usable = tools.filter(({ state, isEnabled }) => state === 'approved' && isEnabled);
    const waiting = tools.filter(({ state }) => state === 'new' || state === 'changed');
    this.#change(id, {
      tools: {
        ...{ usable: usable.length, waiting: waiting.length },
        unusable: tools.filter(({ state }) => state === 'unusable').length,
        tokens: usable.reduce((sum, { tokens }) => sum + tokens, 0),
      },
    });
  }

  #change(id: string, change: Partial<Connector>): Connector {
    const changed = { ...this.#of(id), ...change };
    this.connectors = this.connectors.map((one) => (one.id === id ? changed : one));
    this.#changed();
    return changed;
  }

  #changed(): void {
    this.#push({ kind: 'connectors_changed' });
  }

  #of(id: string): Connector {
    const found = this.connectors.find((one) => one.id === id);
    if (found === undefined) throw new Refusal('NOT_FOUND', 'There is no such connector.');
    return found;
  }
}
