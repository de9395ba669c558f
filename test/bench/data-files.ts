import { spawnSync } from 'node:child_process';
import { closeSync, cpSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * What a large CSV costs, as a profile and as rows for a program, beside Python's bare reader of CSV:
 *
 *   npm run bench data-files [MEGABYTES]
 *
 * Processor time and peak memory of a process each, for a tenth of the size and for all of it: memory is to stay the
 * same. Runs with this computer's python3, outside the sandbox, which adds nothing to either.
 */
const megabytes = Number(process.argv[2] ?? 200);
const dir = mkdtempSync(join(tmpdir(), 'hyperagent-bench-'));
const WORK: Readonly<Record<string, string>> = {
  floor: 'import csv\nfor row in csv.reader(open(path, encoding="utf-8", newline="")): pass',
  profile: 'import data_profile\ndata_profile.main([path], 100_000)',
  rows: 'from data_files import rows\nfor row in rows(path): pass',
};
const MEASURED = `
import resource, sys, time
sys.path.insert(0, ".hyperagent")
path = sys.argv[1]
%s
used = resource.getrusage(resource.RUSAGE_SELF)
unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
print("measured %%.1f %%d" %% (used.ru_utime + used.ru_stime, used.ru_maxrss // unit))
`.replaceAll('%%', '%');

try {
  mkdirSync(join(dir, '.hyperagent'));
  cpSync('resources/sandbox', join(dir, '.hyperagent'), { recursive: true });
  for (const size of [megabytes / 10, megabytes]) {
    const file = writeTable(join(dir, `table-${size}.csv`), size * 1_000_000);
    for (const [name, work] of Object.entries(WORK)) {
      const program = MEASURED.replace('%s', work);
      const done = spawnSync('python3', ['-c', program, file], { cwd: dir, encoding: 'utf8' });
      const [, seconds, memory] = /^measured (\S+) (\S+)$/m.exec(done.stdout) ?? [];
      if (seconds === undefined) throw new Error(done.stderr);
      process.stdout.write(`${size} MB, ${name}`.padEnd(24));
      process.stdout.write(`${seconds} s of the processor, peak ${memory} MB\n`);
    }
  }
} finally {
  rmSync(dir, { recursive: true, force: true });
}

/** Times with an offset, names beside ASCII, whole numbers, amounts, and texts of which few are alike. */
function writeTable(path: string, bytes: number): string {
  const file = openSync(path, 'w');
  let written = writeSync(file, 'id,at,region,customer,units,price,note\n');
  const two = (number: number): string => String(number).padStart(2, '0');
  for (let row = 1; written < bytes; ) {
    let block = '';
    for (const last = row + 10_000; row < last; row += 1) {
      const at = `2026-${two((row % 12) + 1)}-${two((row % 28) + 1)}T${two(row % 24)}:${two(row % 60)}:00+02:00`;
      const region = ['North', 'South', 'East', 'West'][row % 4];
      const price = (((row * 104_729) % 1_000_000) / 100).toFixed(2);
      block += `${row},${at},${region},Kunde Müller ${row % 5_000},${(row * 7_919) % 500},${price},note ${(row * 31) % 100_000}\n`;
    }
    written += writeSync(file, block);
  }
  closeSync(file);
  return path;
}
