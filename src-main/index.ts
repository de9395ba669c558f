import { appRoot } from './app-root.ts';
import { dataDirFor } from './data-dir.ts';
import { startDesktop } from './window/desktop.ts';

/** The desktop app. */
void startDesktop({
  compose: async () => (await import('./compose.ts')).compose,
  dataDir: () => dataDirFor(undefined, process.env),
  root: appRoot(),
});
