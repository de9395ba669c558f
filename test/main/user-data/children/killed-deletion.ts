import { removeWorkspace } from '#main/sandbox/workspace/remove-tree.ts';
import { finishDeletion } from '#main/user-data/delete-data.ts';

/** Completes a deletion and is killed before the removal with this number: DATA_DIR NUMBER. */
const [dataDir = '', number = ''] = process.argv.slice(2);
let left = Number(number);
await finishDeletion(dataDir, {
  entryPoint: 'terminal',
  remove: async (dir) => {
    if (left === 0) process.kill(process.pid, 'SIGKILL');
    left -= 1;
    await removeWorkspace(dir);
  },
});
