import type {
  Connector,
  ConnectorDraft,
  ConnectorLogLine,
  ConnectorOffers,
  ConnectorTool,
  ImportedConnector,
} from '#contract/connectors.ts';
import type { JsonSchema, ToolSchema } from '../models/types.ts';

/** What calls of a connector can touch, as far as the app knows and holds it to. */
export interface ConnectorReach {
  /** Hosts: its own for a remote server, those that the user named for a program. */
  readonly hosts: readonly string[];
  /** Folders of the user that it can change. */
  readonly writes: readonly string[];
  /** It runs elsewhere: what is sent there leaves this computer. */
  readonly isRemote: boolean;
}

/** A tool that was approved as it is now, and is switched on. */
export interface UsableTool {
  readonly connectorId: string;
  readonly connector: string;
  /** As the server calls it. */
  readonly name: string;
  /** As models and rules call it. */
  readonly fullName: string;
  readonly title: string;
  readonly schema: ToolSchema;
  /** What arguments are checked against. */
  readonly argumentsSchema: JsonSchema;
  readonly isRepeatable: boolean;
  readonly reach: ConnectorReach;
}

/** What a call answered, in the app's own form. */
export interface CallAnswer {
  readonly text: string;
  readonly isError: boolean;
  readonly pictures: readonly { readonly name: string; readonly bytes: Uint8Array }[];
  /** Structured content, as JSON. */
  readonly data?: unknown;
}

/** A resource of a server, to attach. */
export interface OfferedFile {
  /** A name, never a path. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** One value that a server wants to know. */
export interface QuestionField {
  readonly name: string;
  readonly label: string;
  readonly kind: 'text' | 'number' | 'boolean';
  readonly isRequired: boolean;
  /** Empty where any text may be given. */
  readonly choices: readonly string[];
  readonly initial: string | number | boolean | null;
}

/** What a server asks the user during a call. All its words are those of strangers, made visible. */
export interface ServerQuestion {
  readonly message: string;
  readonly fields: readonly QuestionField[];
}

export type AskUser = (
  question: ServerQuestion,
) => Promise<Readonly<Record<string, string | number | boolean>> | 'decline' | 'cancel'>;

export interface CallOptions {
  readonly signal: AbortSignal;
  /** A line that says how far the call is. */
  readonly onProgress?: (line: string) => void;
  /** Questions of the server during the call; without it they are cancelled. */
  readonly ask?: AskUser;
}

/** The part of the service that tools use. */
export interface ConnectorCalls {
  /** Changes with `usable`. */
  readonly revision: number;
  /** In the order of their names. Starts nothing. */
  usable(): readonly UsableTool[];
  /** Tools that fit a wish in words, the best first. */
  find(query: string): readonly UsableTool[];
  /** Starts the server where it does not run. Throws `CONNECTOR_UNAVAILABLE`, `CONNECTOR_FAILED`, `CONFLICT`. */
  call(
    tool: Pick<UsableTool, 'connectorId' | 'name'>,
    given: Readonly<Record<string, unknown>>,
    options: CallOptions,
  ): Promise<CallAnswer>;
}

/** The user's MCP servers. */
export interface ConnectorService extends ConnectorCalls, AsyncDisposable {
  list(): Connector[];
  /** Throws `BAD_REQUEST`. */
  read(text: string): Promise<ImportedConnector[]>;
  /** Throws `BAD_REQUEST`, `CONFLICT`. */
  add(name: string, draft: ConnectorDraft): Promise<Connector>;
  enable(id: string, isEnabled: boolean): Promise<Connector>;
  remove(id: string): Promise<void>;
  tools(id: string, options: { refresh: boolean; signal: AbortSignal }): Promise<ConnectorTool[]>;
  approve(id: string, tools: readonly { name: string; sha256: string }[]): ConnectorTool[];
  changeTool(
    id: string,
    change: { name: string; isEnabled?: boolean | undefined; isRepeatable?: boolean | undefined },
  ): ConnectorTool[];
  restart(id: string, signal: AbortSignal): Promise<Connector>;
  /** The page where the user signs in; null where the server wants none. */
  signIn(id: string): Promise<string | null>;
  awaitSignIn(id: string): Promise<void>;
  signOut(id: string): Promise<Connector>;
  /** Resources and prompts of enabled connectors, as of their last start. Starts no server. */
  offers(): (ConnectorOffers & Pick<UsableTool, 'connectorId' | 'connector'>)[];
  /** A resource as a file. Throws `CONNECTOR_…`, and `BAD_REQUEST` where a variable of its template is missing. */
  resource(
    id: string,
    resource: { readonly uri: string; readonly variables: Readonly<Record<string, string>> },
    signal: AbortSignal,
  ): Promise<OfferedFile>;
  /** The text of a prompt, hidden characters shown. Throws `CONNECTOR_…`. */
  prompt(
    id: string,
    prompt: { readonly name: string; readonly arguments: Readonly<Record<string, string>> },
    signal: AbortSignal,
  ): Promise<string>;
  log(id: string): ConnectorLogLine[];
  /** What seals values; null if they cannot be stored. */
  readonly storage: string | null;
}
