import { once } from 'node:events';
import { dataDirFor } from '../../data-dir.ts';
import { PushHub } from '../../transport/push-hub.ts';
import { RequestRouter } from '../../transport/request-router.ts';
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

/** `hyperagent serve`: runs the web UI until a signal stops it. */
export async function serve(flags: ServeFlags, environment: CliEnvironment): Promise<number> {
  const compose = await environment.loadCompose();
  const interruption = new Interruption();
  try {
    await using app = await compose({
      dataDir: dataDirFor(flags.dataDir, process.env),
      entryPoint: 'browser',
      attended: true,
      readOnly: false,
      ownsProcess: true,
      seal: null,
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
    if (!interruption.signal.aborted) await once(interruption.signal, 'abort');
    hub.dispose();
    return EXIT.complete;
  } finally {
    interruption.dispose();
  }
}
