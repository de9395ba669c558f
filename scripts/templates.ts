import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppTemplate } from '#contract/apps.ts';
import { writeTemplatePack } from '#main/apps/template-packs.ts';
import { ROOT } from './build-state.ts';

/**
 * `npm run templates`: copies the packages of each app template from `node_modules` to `resources/packs`, for an
 * installer of this platform. No script of a package runs. In a clone, the app does the same at first use.
 */
const packs = join(ROOT, 'resources', 'packs');
await rm(packs, { recursive: true, force: true });
for (const template of AppTemplate.options) {
  const dir = join(packs, template);
  await writeTemplatePack(template, { root: ROOT, dir });
  const { files, bytes } = await sizeOf(dir);
  const megabytes = (bytes / 1e6).toFixed(1);
  process.stdout.write(`${template.padEnd(8)} ${files} files, ${megabytes} MB\n`);
}

async function sizeOf(dir: string): Promise<{ readonly files: number; readonly bytes: number }> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size),
  );
  return { files: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}
