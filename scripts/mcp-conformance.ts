import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './build-state.ts';

/**
 * `npm run mcp-conformance [REVISION] [SCENARIO…]`: the scenarios for clients that a revision of the Model Context
 * Protocol requires, by `@modelcontextprotocol/conformance`, against the app's own client (test/conformance/mcp). All
 * on loopback.
 */
const REVISIONS = ['2026-07-28', '2025-11-25'];
const AT_ONCE = 2;
const PROGRAM = join(ROOT, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const CLIENT = `"${process.execPath}" "${join(ROOT, 'test/conformance/mcp/client.ts')}"`;

const [first, ...rest] = process.argv.slice(2);
const isRevision = first !== undefined && REVISIONS.includes(first);
const only = isRevision || first === undefined ? rest : [first, ...rest];
const output = mkdtempSync(join(tmpdir(), 'mcp-conformance-'));

/** The scenarios for clients in the list of a revision. */
function required(revision: string): string[] {
  const { stdout } = spawnSync(process.execPath, [PROGRAM, 'list', '--requirements', revision], {
    encoding: 'utf8',
  });
  const [, clients = ''] = stdout.split(/^Client scenarios.*$/m);
  const [part = ''] = clients.split(/^\S/m);
  return [...part.matchAll(/^ {2}- (\S+)$/gm)].map(([, name = '']) => name);
}

function run(revision: string, scenario: string): Promise<{ ok: boolean; log: string }> {
  return new Promise((resolve) => {
    const given = ['--command', CLIENT, '--scenario', scenario, '--spec-version', revision];
    const child = spawn(process.execPath, [PROGRAM, 'client', ...given, '-o', output], {
      env: { ...process.env, NODE_NO_WARNINGS: '1' },
    });
    let log = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        log += chunk.toString('utf8');
      });
    }
    child.once('close', (code) => resolve({ ok: code === 0, log }));
  });
}

let failed = 0;
for (const revision of isRevision ? [first] : REVISIONS) {
  const scenarios = required(revision).filter((name) => only.length === 0 || only.includes(name));
  const missed: string[] = [];
  const next = scenarios.values();
  const work = async (): Promise<void> => {
    for (const scenario of next) {
      const { ok, log } = await run(revision, scenario);
      if (ok) continue;
      missed.push(scenario);
      const [, why = ''] = log.split('Failed Checks:');
      process.stdout.write(`missed: ${scenario}\n${why.trim() === '' ? log.slice(-600) : why}\n`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  failed += missed.length;
  process.stdout.write(
    `${revision}: ${scenarios.length - missed.length} of ${scenarios.length} required scenarios passed\n`,
  );
}
rmSync(output, { recursive: true, force: true });
process.exitCode = failed > 0 ? 1 : 0;
