import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Run } from '#contract/entities.ts';
import type { PushMessage, RequestInput, RequestName } from '#contract/requests.ts';
import type { App, ComposeOptions } from '#main/compose/app.ts';
import { compose } from '#main/compose.ts';
import { PushHub } from '#main/transport/push-hub.ts';
import { RequestRouter } from '#main/transport/request-router.ts';
import { WindowClient } from '#main/window/window-client.ts';
import { findSecrets } from '../../setup/secret-hunt.ts';

/** The app with a window before it that notes everything it is told. */
export type WatchedApp = Awaited<ReturnType<typeof startWatched>>;

/** `told` gets every push and answer. */
export async function startWatched(
  dataDir: string,
  told: unknown[],
  options: Pick<ComposeOptions, 'seal'> & { overrides?: ComposeOptions['modelOverrides'] },
) {
  const { seal, overrides } = options;
  const app: App = await compose({
    ...{ dataDir, entryPoint: 'desktop', attended: true, readOnly: false, seal },
    ...(overrides === undefined ? {} : { modelOverrides: overrides }),
  });
  const hub = new PushHub(app.runs, app.logger);
  app.onBroadcast(hub.broadcast);
  const client: WindowClient = new WindowClient((message: PushMessage) => {
    told.push(message);
    client.seen();
  });
  const caller = hub.attach(client);
  const router = new RequestRouter(app.api, app.logger);
  const ask = async <Name extends RequestName>(name: Name, input: RequestInput<Name>) => {
    const answer = await router.handle(name, input, caller);
    told.push(answer);
    return answer;
  };
  /** Makes a run to its end, and everything that can be made of it afterwards. */
  const run = async (
    provider: string,
    prompt = 'Look around',
    more: Partial<RequestInput<'runs.start'>> = {},
  ): Promise<Run> => {
    const answer = await ask('runs.start', {
      ...{ prompt, attachmentIds: [], ...more },
      options: { model: { provider, name: 'x' }, approve: 'all', sandbox: 'os' },
    });
    const { run: begun } = (answer as { data: { run: Run } }).data;
    await ask('runs.subscribe', { runId: begun.id, afterSeq: 0 });
    const ended = await app.runs.settled(begun.id);
    await ask('threads.get', { threadId: ended.threadId });
    await ask('runs.events', { runId: ended.id, afterSeq: 0 });
    await ask('runs.export', { runId: ended.id });
    await ask('runs.fork', { runId: ended.id, seq: ended.lastSeq });
    await app.exportRun(ended.id, join(dataDir, `export-${ended.id}.json`));
    return ended;
  };
  return { app, ask, run };
}

/** Where a secret is, in whatever form; the one sealed place holds it in none. */
export function huntSecrets(
  { dataDir, told }: { readonly dataDir: string; readonly told: readonly unknown[] },
  secrets: readonly string[],
  others: ReadonlyMap<string, string> = new Map(),
) {
  const files = readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const sources = new Map<string, Buffer>(files.map((file) => [file, readFileSync(file)]));
  for (const [name, text] of others) sources.set(name, Buffer.from(text));
  sources.set('what the window was told', Buffer.from(JSON.stringify(told)));
  sources.set('what the window holds', Buffer.from(told.map((each) => deepText(each)).join('\n')));
  for (const [stream, text] of streamsOf(told)) sources.set(stream, Buffer.from(text));
  return { files: files.length, found: findSecrets(sources, secrets) };
}

/** Every text in a value, unescaped. */
function deepText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value)
    .map(([name, inner]) => `${name}\n${deepText(inner)}`)
    .join('\n');
}

/** What comes in pieces, as the window puts it together. */
function streamsOf(told: readonly unknown[]): ReadonlyMap<string, string> {
  const streams = new Map<string, string>();
  for (const message of told as PushMessage[]) {
    if (message.kind !== 'events') continue;
    for (const event of message.events) {
      if (!('text' in event) || typeof event.text !== 'string') continue;
      const of = 'messageId' in event ? event.messageId : 'commandId' in event && event.commandId;
      const key = `${event.type} of ${of}`;
      streams.set(key, (streams.get(key) ?? '') + event.text);
    }
  }
  return streams;
}
