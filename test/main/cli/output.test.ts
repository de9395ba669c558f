import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, globSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonLine } from '#main/cli/output.ts';

const ROOT = join(import.meta.dirname, '../../..');
/** All that may drive a terminal, or turn the direction of writing. */
const DRIVING =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

/** A program over the CLI's output, in a process of its own. */
function program(lines: string, stdout: 'pipe' | number = 'pipe'): ChildProcess {
  const source = `import { print, watchOutput } from '#main/cli/output.ts'; watchOutput(); ${lines}`;
  return spawn(process.execPath, ['--input-type=module', '-e', source], {
    cwd: ROOT,
    stdio: ['ignore', stdout, 'pipe'],
  });
}

async function endOf(child: ChildProcess): Promise<{ code: number | null; stderr: string }> {
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  const stderr = child.stderr === null ? '' : await text(child.stderr);
  return { code: await closed, stderr };
}

describe('what the CLI prints', () => {
  it('is made visible if a caller forgot it, except colours and the clear-line sequence', async () => {
    const raw = 'a\u001b]0;title\u0007b\u001b[2Jc\u009bd\u202ee\rf\n\tg';
    const concealed = '\u001b[8mz\r\u001b[K';
    const own = '\r\u001b[K\u001b[31mred\u001b[39m';
    const child = program(`print(${JSON.stringify(own + raw + concealed)})`);
    const said = child.stdout === null ? '' : await text(child.stdout);
    expect(said).toBe(
      `${own}a⟨U+001B⟩]0;title⟨U+0007⟩b⟨U+001B⟩[2Jc⟨U+009B⟩d⟨U+202E⟩e⟨U+000D⟩f\n\tg⟨U+001B⟩[8mz⟨U+000D⟩⟨U+001B⟩[K`,
    );
  });

  it('is JSON without control characters that parses to the same value', () => {
    const value = fc.jsonValue({ noUnicodeString: false });
    fc.assert(
      fc.property(value, fc.string({ unit: 'binary' }), (json, string) => {
        const line = jsonLine({ json, string });
        expect(DRIVING.test(line.slice(0, -1))).toBe(false);
        expect(JSON.parse(line)).toEqual(JSON.parse(JSON.stringify({ json, string })));
      }),
    );
  });

  it('ends without an error if its reader closes the pipe', async () => {
    const child = program(`
      for (let i = 0; i < 20_000; i += 1) print('a line of some length\\n');
      process.exitCode ||= 0;
    `);
    child.stdout?.once('data', () => child.stdout?.destroy());
    expect(await endOf(child)).toEqual({ code: 0, stderr: '' });
  });

  it.skipIf(!existsSync('/dev/full'))('says so where the disk is full', async () => {
    const full = openSync('/dev/full', 'w');
    const lines = "for (let i = 0; i < 9; i += 1) print('a line\\n'); process.exitCode ||= 0;";
    const child = program(lines, full);
    closeSync(full);
    const { code, stderr } = await endOf(child);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^hyperagent: cannot write output: .*\n$/),
    ]);
  });

  it('has no other way to the terminal', () => {
    const files = globSync('src-main/cli/**/*.ts', { cwd: ROOT });
    const others = files.filter((file) =>
      /process\.std(out|err)\.write|console\./.test(readFileSync(join(ROOT, file), 'utf8')),
    );
    expect(others).toEqual([join('src-main/cli', 'output.ts')]);
  });
});
