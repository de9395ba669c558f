import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seedOfCommit } from '../test/setup/sampling.ts';
import { ROOT } from './build-state.ts';

/**
 * `npm run broken [-- AREA…]`: in a clone of the current commit, breaks one line of the product in each
 * area and runs the tests of that area with the samples of this commit. Each must fail. If one passes, the
 * tests have a gap, and this exits with 1.
 */
interface BrokenLine {
  readonly area: string;
  readonly file: string;
  readonly line: string;
  readonly broken: string;
  /** The test files that cover the area. */
  readonly tests: readonly string[];
}

const BROKEN: readonly BrokenLine[] = [
  {
    area: 'kills',
    file: 'src-main/tools/durable-ledger.ts',
    line: "if (entry?.state === 'done' && !isMadeAgain(entry.output)) {",
    broken: "if (entry?.state === 'done' && isMadeAgain(entry.output)) {",
    tests: ['test/integration/kills.test.ts'],
  },
  {
    area: 'egress',
    file: 'src-main/base/special-purpose.ts',
    line: "  ['169.254.0.0/16', 'link local'],\n",
    broken: '',
    tests: ['test/main/base/', 'test/main/egress/'],
  },
  {
    area: 'approvals',
    file: 'src-main/hitl/answer-checks.ts',
    line: 'if (response.edited === undefined && response.argumentsSha256 !== question.argumentsSha256)',
    broken: 'if (response.edited === question.argumentsSha256)',
    tests: ['test/main/hitl/', 'test/main/tools/'],
  },
  {
    area: 'sandbox',
    file: 'src-main/sandbox/os-provider/bubblewrap-arguments.ts',
    line: "'--unshare-pid', '--unshare-net',",
    broken: "'--unshare-pid',",
    tests: ['test/conformance/sandbox-provider.bubblewrap', 'test/integration/escapes.bubblewrap'],
  },
  {
    area: 'reducers',
    file: 'src-renderer/store/reducers/planning.ts',
    line: "known === undefined || known.status === 'failed'",
    broken: 'known === undefined',
    tests: ['test/renderer/'],
  },
  {
    area: 'xss',
    file: 'src-renderer/components/markdown/safe-url.ts',
    line: "    case 'mailto:':\n",
    broken: "    case 'javascript:':\n    case 'mailto:':\n",
    tests: ['test/e2e/xss.test.ts', 'test/e2e/renderer-safety.test.ts'],
  },
  {
    area: 'accessibility',
    file: 'src-renderer/panels/composer/growing-textarea.tsx',
    line: 'aria-label={label}',
    broken: 'data-label={label}',
    tests: ['test/e2e/renderer-skills-accessibility.test.ts', 'test/e2e/renderer-accessibility'],
  },
  {
    area: 'migrations',
    file: 'src-main/storage/migrate.ts',
    line: 'connection.transaction(() => {\n      connection.exec(step.sql);',
    broken: '[0].forEach(() => {\n      connection.exec(step.sql);',
    tests: ['test/main/storage/migration-kills.test.ts'],
  },
  {
    area: 'research',
    file: 'src-main/agents/research/render-report.ts',
    line: 'const supported = held[at] ?? false;',
    broken: 'const supported = held[at] !== null;',
    tests: ['test/main/agents/research/', 'test/integration/research.test.ts'],
  },
  {
    area: 'skills',
    file: 'src-main/skills/dynamic/bridge.ts',
    line: 'if (granted.includes(capability) && asked.includes(capability)) return;',
    broken: 'if (granted !== null && asked.includes(capability)) return;',
    tests: ['test/main/skills/dynamic/', 'test/integration/dynamic-skills.test.ts'],
  },
];

function run(command: string, args: readonly string[], cwd: string) {
  return spawnSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 });
}

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !BROKEN.some(({ area }) => area === name));
if (unknown.length > 0) {
  const areas = BROKEN.map(({ area }) => area).join(', ');
  process.stderr.write(`There is no area ${unknown.join(', ')}. Use one of: ${areas}\n`);
  process.exit(2);
}
const seed = String(seedOfCommit());
const folder = mkdtempSync(join(tmpdir(), 'hyperagent-broken-'));
const clone = join(folder, 'app');
try {
  const cloned = run('git', ['clone', '--quiet', ROOT, clone], folder);
  if (cloned.status !== 0) throw new Error(cloned.stderr);
  for (const shared of ['node_modules', '.embedded']) {
    symlinkSync(join(ROOT, shared), join(clone, shared));
  }
  for (const { area, file, line, broken, tests } of BROKEN) {
    if (wanted.length > 0 && !wanted.includes(area)) continue;
    const whole = readFileSync(join(clone, file), 'utf8');
    if (whole.split(line).length !== 2)
      throw new Error(`${file} must contain this line exactly once: ${line}`);
    writeFileSync(
      join(clone, file),
      whole.replace(line, () => broken),
    );
    const args = ['scripts/test.ts', '--seed', seed, ...tests];
    const { status, stdout, stderr } = run(process.execPath, args, clone);
    writeFileSync(join(clone, file), whole);
    const counts = /^\d+ passed, [1-9]\d* failed, .*$/m.exec(stdout)?.[0];
    if (status === 0 || counts === undefined) {
      process.exitCode = 1;
      process.stdout.write(`NOT NOTICED: ${area}, ${file}\n${stdout.slice(-2000)}${stderr}\n`);
    } else {
      process.stdout.write(`red: ${area}, ${file} (seed ${seed}): ${counts}\n`);
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
