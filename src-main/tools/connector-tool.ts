import { schemaCheck } from '../connectors/bounded-schema.ts';
import type {
  CallAnswer,
  ConnectorCalls,
  ConnectorReach,
  UsableTool,
} from '../connectors/types.ts';
import type { PictureRef } from '../models/pictures/picture-ref.ts';
import type { PictureStore } from '../pictures/picture-store.ts';
import { askForConnector } from './connector-question.ts';
import { defineTool } from './define-tool.ts';
import type { KnownTool } from './prepare-call.ts';
import type { ToolContext, ToolDefinition } from './types.ts';

export interface ConnectorToolParts {
  readonly connectors: ConnectorCalls;
  readonly pictures: Pick<PictureStore, 'add'>;
}

/** Between the names of a connector and its tool. */
export const CONNECTOR_MARK = '__';

/** The approved tools of the user's connectors, as tools of the pipeline. */
export function connectorTools(parts: ConnectorToolParts): KnownTool[] {
  return parts.connectors.usable().map((tool) => ({
    definition: connectorTool(tool, parts),
    schema: tool.schema,
  }));
}

/**
 * What its server says about a tool decides nothing but which arguments it takes: risk follows from what the server can
 * reach, and a call cut off by a crash is asked about, unless the user says that it may be repeated.
 */
function connectorTool(
  tool: UsableTool,
  { connectors, pictures }: ConnectorToolParts,
): ToolDefinition {
  const { connector, name, fullName, reach, isRepeatable } = tool;
  return defineTool({
    name: fullName,
    category: 'connector',
    description: tool.schema.description,
    input: schemaCheck(tool.argumentsSchema),
    risk: leavesSandbox(reach) ? 'high' : 'medium',
    effect: isRepeatable ? 'idempotent' : 'opaque',
    widerPattern: () => '*',
    subjects: () => ({ hosts: reach.hosts.map(nameOfHost) }),
    question: () => `Call ${name} of the connector "${connector}"?`,
    notice: () => noticeOf(reach, connector),
    inRun: (_input, { egress }) => {
      if (reach.hosts.length > 0 && egress.policy === 'offline') return { risk: 'low' };
      return leavesSandbox(reach)
        ? { risk: 'high', exit: exitOf(reach, connector) }
        : { risk: 'medium' };
    },
    run: async (given, context) => {
      if (reach.hosts.length > 0 && context.egress.policy === 'offline') {
        return {
          content: `This task is offline, and the connector "${connector}" reaches ${reach.hosts.join(', ')}. The user can give the task a network.`,
          ok: false,
        };
      }
      const answer = await callWithQuestions(tool, given as Record<string, unknown>, {
        connectors,
        context,
      });
      return {
        content: answer.text === '' ? '(an empty answer)' : answer.text,
        ok: !answer.isError,
        untrusted: `connector ${connector}`,
        pictures: await kept(answer.pictures, { context, pictures }),
        ...(answer.data === undefined ? {} : { data: answer.data }),
      };
    },
  });
}

/** A call during which the server may ask the user. Where the user is away, the call ends, and the run is parked. */
async function callWithQuestions(
  tool: UsableTool,
  given: Record<string, unknown>,
  { connectors, context }: { readonly connectors: ConnectorCalls; readonly context: ToolContext },
): Promise<CallAnswer> {
  const stop = new AbortController();
  let count = 0;
  try {
    return await connectors.call(tool, given, {
      signal: AbortSignal.any([context.signal, stop.signal]),
      onProgress: (line) => context.emit(progress(context, line)),
      ask: async (question) => {
        count += 1;
        try {
          return await askForConnector(tool.connector, question, { ...context, count });
        } catch (error) {
          stop.abort(error);
          return 'cancel';
        }
      },
    });
  } catch (error) {
    if (stop.signal.aborted) throw stop.signal.reason;
    throw error;
  }
}

/** Whether a call can do more than change files of its own sandbox. */
function leavesSandbox({ hosts, writes }: ConnectorReach): boolean {
  return hosts.length > 0 || writes.length > 0;
}

function exitOf({ hosts, writes, isRemote }: ConnectorReach, connector: string): string {
  const [first = ''] = hosts;
  if (isRemote) return `It sends these arguments to ${first}.`;
  const reaches = hosts.length > 0 ? `can send to ${shown(hosts)}` : '';
  const changes = writes.length > 0 ? `can change files in ${shown(writes)}` : '';
  const both = [reaches, changes].filter((text) => text !== '').join(', and ');
  return `The connector "${connector}" ${both}.`;
}

function noticeOf(reach: ConnectorReach, connector: string): string {
  return leavesSandbox(reach)
    ? exitOf(reach, connector)
    : `The connector "${connector}" runs in a sandbox of its own: it reaches no network, and changes none of your files.`;
}

function shown(names: readonly string[]): string {
  const more = names.length > 3 ? ` and ${names.length - 3} more` : '';
  return `${names.slice(0, 3).join(', ')}${more}`;
}

/** A host of the settings without its port, as rules name it. */
function nameOfHost(host: string): string {
  return host.replace(/:(?:\d+|\*)$/, '').replace(/^\[(.*)\]$/, '$1');
}

function progress({ toolCallId }: ToolContext, line: string) {
  const name = `progress ${toolCallId}`;
  return { type: 'stage', name, status: 'running', description: line } as const;
}

/** Pictures that can be decoded, kept with the task. */
async function kept(
  given: readonly { readonly name: string; readonly bytes: Uint8Array }[],
  {
    context,
    pictures,
  }: { readonly context: ToolContext; readonly pictures: Pick<PictureStore, 'add'> },
): Promise<PictureRef[]> {
  const added = await Promise.all(
    given.map((picture) =>
      // One that is none, whatever its server says, is left out.
      pictures.add(context.threadId, picture, context.signal).catch(() => null),
    ),
  );
  return added.filter((picture) => picture !== null);
}
