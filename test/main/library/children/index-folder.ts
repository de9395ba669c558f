import { IndexThread } from '#main/library/index-thread.ts';
import { keepPages } from '../../../fakes/read-scans.ts';

/** Indexes a folder until it is killed: `index-folder.ts DATA_DIR FOLDER`. */
const [dataDir = '', folder = ''] = process.argv.slice(2);
const index = new IndexThread({
  ...{ file: `${dataDir}/library.db`, dataDir, readOnly: false, root: process.cwd() },
  onUnread: () => undefined,
  readScans: keepPages,
});
const asked = {
  folder: { path: folder, real: folder },
  except: new Set<string>(),
  maxFiles: 1_000,
};
await index.call('indexFolder', asked, { signal: new AbortController().signal });
// Stays alive until it is killed.
setInterval(() => undefined, 60_000);
