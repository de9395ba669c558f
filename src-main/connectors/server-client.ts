import { Client } from '@modelcontextprotocol/client';
import { boundedValidator } from './server-lists.ts';
import type { ServerQuestions } from './server-questions.ts';

export interface ClientParts {
  /** Of the app, for servers to see. */
  readonly version: string;
  /** The server cannot be spoken to before it is started by the older handshake. */
  readonly isLegacy: boolean;
  /** How long a server may take to say which revision it speaks. */
  readonly probeMs: number;
  readonly log: (kind: 'message' | 'problem', text: string) => void;
  /** Who answers a question of the server now; null for nobody. */
  readonly asking: () => ServerQuestions | null;
  readonly onListChanged: () => void;
}

const LIST_CHANGES = [
  'notifications/tools/list_changed',
  'notifications/resources/list_changed',
  'notifications/prompts/list_changed',
] as const;

/** The protocol's client as this app uses it: it answers questions, and offers servers neither models nor folders. */
export function makeClient(parts: ClientParts): Client {
  const { version, isLegacy, probeMs, log, asking, onListChanged } = parts;
  const client = new Client(
    { name: 'hyperagent', version },
    {
      capabilities: { elicitation: { form: {} } },
      versionNegotiation: { mode: isLegacy ? 'legacy' : 'auto', probe: { timeoutMs: probeMs } },
      jsonSchemaValidator: { getValidator: boundedValidator },
    },
  );
  client.setRequestHandler('elicitation/create', ({ params }) => {
    const answering = asking();
    const isForm = params.mode === undefined || params.mode === 'form';
    if (answering === null || !isForm) return { action: 'cancel' as const };
    log('message', `asks: ${params.message.slice(0, 200)}`);
    return answering.answer(params);
  });
  client.onerror = (error) => log('problem', error.message.slice(0, 500));
  for (const change of LIST_CHANGES) client.setNotificationHandler(change, onListChanged);
  client.setNotificationHandler('notifications/message', ({ params }) => {
    const text = typeof params.data === 'string' ? params.data : JSON.stringify(params.data);
    log('message', `${params.level}: ${(text ?? '').slice(0, 500)}`);
  });
  return client;
}
