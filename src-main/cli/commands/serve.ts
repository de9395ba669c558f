import { once } from 'node:events';
import { dataDirFor } from '../../data-dir.ts';
import { systemPolicy } from '../../policy/read-policy.ts';
import type { PolicyState } from '../../policy/types.ts';
import { PushHub } from '../../transport/push-hub.ts';
import { RequestRouter } from '../../transport/request-router.ts';
import { completeDeletion } from '../../user-data/delete-data.ts';
import { openBrowser } from '../../web/open-browser.ts';
import { startWebServer } from '../../web/web-server.ts';
import type { CliEnvironment } from '../environment.ts';
import { EXIT } from '../exit-codes.ts';
import { Interruption } from '../interruption.ts';
import { print } from '../output.ts';

export interface ServeFlags {
  readonly port: number;
  readonly open: boolean;
  readonly dataDir?: string;
}

/** `hyperagent serve`: runs the web UI until a signal stops it, or its window deletes all data. */
export async function serve(flags: ServeFlags, environment: CliEnvironment): Promise<number> {
  const interruption = new Interruption();
  const { policy = systemPolicy() } = environment;
  const dataDir = dataDirFor(flags.dataDir, process.env, policy);
  try {
    await serveUntil(interruption.signal, { ...flags, dataDir }, { ...environment, policy });
    // A signal may have come in between: what was decided is done.
    if ((await completeDeletion({ dataDir, entryPoint: 'browser', readOnly: false })) !== null) {
      print('All data was deleted. Start HyperAgent again to begin like new.\n');
    }
    return EXIT.complete;
  } finally {
    interruption.dispose();
  }
}

async function serveUntil(
  stopped: AbortSignal,
  flags: ServeFlags & { readonly dataDir: string },
  environment: CliEnvironment & { readonly policy: PolicyState },
): Promise<void> {
  const compose = await environment.loadCompose();
  const deletion = new AbortController();
  const ended = AbortSignal.any([stopped, deletion.signal]);
  await using app = await compose({
    policy: environment.policy,
    dataDir: flags.dataDir,
    entryPoint: 'browser',
    attended: true,
    readOnly: false,
    ownsProcess: true,
    seal: null,
    endForDeletion: { next: 'ends', end: () => deletion.abort() },
  });
  const { logger } = app;
  const hub = new PushHub(app.runs, logger);
  app.onBroadcast(hub.broadcast);
  const router = new RequestRouter(app.api, logger);
  const { rendererDir } = environment;
  await using server = await startWebServer({
    rendererDir,
    port: flags.port,
    router,
    hub,
    logger,
    takeDownload: (path) => app.dataExporter.takeDownload(path),
  });
  app.keepSecret(server.token);
  app.announce(`http://127.0.0.1:${server.port}`);
  print(`HyperAgent is running at ${server.url}\nPress Ctrl+C to stop it.\n`);
  if (flags.open && !(await openBrowser(server.oneTimeUrl()))) {
    print('Could not open a browser. Open the address yourself.\n');
  }
  if (!ended.aborted) await once(ended, 'abort');
  hub.dispose();
}
