import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MarkdownCatalogue } from '#main/skills/markdown/markdown-catalogue.ts';
import { SkillRegistry } from '#main/skills/skill-registry.ts';
import { putFiles } from '../fakes/markdown-skill.ts';
import { openData } from '../fakes/open-data.ts';

/**
 * What folders of Markdown skills cost, with 1,000 of them, each with instructions of 100 kB and a file of 1 MB:
 *
 *   npm run bench skill-folders [FOLDERS]
 *
 * What is done at a start, the first list and what it reads, lists after that, and one skill as it is opened.
 */
const count = Number(process.argv[2] ?? 1_000);
const BODY = 'Do it well.\n'.repeat(8_000);
const DATA = Buffer.alloc(1024 * 1024, 'x');

const report = (what: string, figure: string): void => {
  process.stdout.write(`${what.padEnd(60)} ${figure}\n`);
};
const timed = async (what: string, work: () => unknown): Promise<void> => {
  const [bytes, began, cpu] = [bytesRead(), performance.now(), process.cpuUsage()];
  await work();
  const took = performance.now() - began;
  const { user, system } = process.cpuUsage(cpu);
  const read = (bytesRead() - bytes) / 1024;
  report(
    what,
    `${took.toFixed(1)} ms (${Math.round((user + system) / 1000)} of the processor), ${Math.round(read)} kB read`,
  );
};

/** What this process has read so far; 0 where the system does not count it. */
function bytesRead(): number {
  try {
    return Number(/rchar: (\d+)/.exec(readFileSync('/proc/self/io', 'utf8'))?.[1] ?? 0);
  } catch {
    // Linux only.
    return 0;
  }
}

const dir = realpathSync(mkdtempSync(join(tmpdir(), 'hyperagent-bench-')));
try {
  const skills = join(dir, 'skills');
  for (let i = 0; i < count; i += 1) {
    const name = `skill-${i}`;
    const head = `---\nname: ${name}\ndescription: Does the work of number ${i}.\nmetadata:\n  category: code\n---\n`;
    putFiles(join(skills, name), { 'SKILL.md': head + BODY, 'data.txt': DATA });
  }
  const stores = openData(join(dir, 'data'));
  report('folders', String(count));
  let catalogue: MarkdownCatalogue | null = null;
  let registry: SkillRegistry | null = null;
  await timed('at a start', () => {
    catalogue = new MarkdownCatalogue({
      store: stores.skills,
      sources: () => [{ dir: skills, isShipped: false }],
      onStale: () => undefined,
      readOnly: false,
    });
    registry = new SkillRegistry({
      store: stores.skills,
      catalogues: [catalogue],
      toolRisk: () => 'low',
    });
  });
  const [at, all] = [catalogue as MarkdownCatalogue | null, registry as SkillRegistry | null];
  if (at === null || all === null) throw new Error('There is nothing to measure');
  await timed('first list, with the YAML library loaded for it', () => all.list());
  await timed('a list after that', () => all.list());
  await timed('a list after the folders were looked through again', () => {
    all.changed();
    all.list();
  });
  await timed('ten skills approved, each hashed', async () => {
    for (let i = 0; i < 10; i += 1) {
      await at.approve(`skill-${i}`, (await at.review(`skill-${i}`)).sha256);
    }
  });
  await timed('a list again, with ten of them approved', () => {
    all.changed();
    all.list();
  });
  await timed('one skill opened: read, hashed and looked at', () => at.open('skill-1'));
  stores.close();
} finally {
  rmSync(dir, { recursive: true, force: true });
}
