import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeProgram } from '#main/cli/command-tree.ts';
import { exitCodes } from '#main/cli/exit-codes.ts';
import { manPage } from '#main/cli/man-page.ts';
import { EXIT_CODES } from '#main/cli/program/run-options.ts';
import { HOSTILE_TEXT, helpOf, hostileProgram, realProgram } from './completion/expected.ts';
import { testFolder } from './completion/shells.ts';
import { runCli } from './run-cli.ts';

const run = (command: string, args: readonly string[], input = '', width = '200') =>
  spawnSync(command, args, {
    input,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, LANG: 'C.UTF-8', MANWIDTH: width },
  });
const mandocIsHere = run('mandoc', ['-Tascii']).status === 0;
const manIsHere = run('man', ['--version']).status === 0;
const note = mandocIsHere && manIsHere ? '' : ' (skipped: no mandoc and man here)';

const parts = { version: '1.2.3', exitCodes: exitCodes(), exitCodesText: EXIT_CODES };
const realPage = (): string => manPage(describeProgram(realProgram()), parts);
const hostilePage = (): string => manPage(describeProgram(hostileProgram()), parts);

/** What a reader sees, on one line, without bold and underlined characters. */
const seen = (output: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a backspace writes bold characters twice
  output.replace(/.\u0008/g, '').replace(/\s+/g, ' ');
const asMandoc = (page: string): string =>
  seen(run('mandoc', ['-Tutf8', '-O', 'width=200'], page).stdout);
const asMan = (page: string): string => seen(run('man', ['-E', 'UTF-8', '-l', '-'], page).stdout);

describe.skipIf(!mandocIsHere || !manIsHere)(`the manual page${note}`, () => {
  it.each([
    ['of the real commands', realPage],
    ['of hostile ones', hostilePage],
  ])('%s has no fault that mandoc or man name, but that it has no date', (_, page) => {
    const lint = run('mandoc', ['-Tlint'], page()).stdout.trim().split('\n');
    // The version dates the page: the same program must print the same bytes.
    expect(lint).toEqual(['mandoc: <stdin>:1:18: WARNING: missing date, using "": TH']);
    const file = join(testFolder(), 'page.1');
    writeFileSync(file, page());
    const { stderr } = run('man', ['--warnings', '-E', 'UTF-8', '-l', '-Tutf8', '-Z', file]);
    expect(stderr).toBe('');
  });

  it.each([
    ['man', asMan],
    ['mandoc', asMandoc],
  ])('%s shows every command, argument and option with its description', (_, show) => {
    const page = show(realPage());
    const commands = helpOf(realProgram()).filter(({ line }) => !/ help$/.test(line));
    const missing = commands.flatMap(({ line, options }) => {
      const isOwn = ({ name }: { name: string }): boolean =>
        line === 'hyperagent' || (name !== '-h' && name !== '--help');
      const from = page.indexOf(` ${line} [options]`);
      const section =
        page.slice(from).split(/ hyperagent [a-z-]+(?: [a-z-]+)? \[options\]/, 2)[1] ?? '';
      if (from === -1) return [line];
      return options
        .filter(isOwn)
        .filter(({ name, description }) => {
          const text = line === 'hyperagent' ? page : section;
          return !text.includes(name) || !text.includes(description);
        })
        .map(({ name }) => `${line} ${name}`);
    });
    expect(missing).toEqual([]);
    expect(page).toContain('<run> id of the run');
    expect(page).toContain('EXIT STATUS 0 complete 1 failed 2 usage error 3 waiting');
    expect(page).toMatch(/hyperagent 1\.2\.3 HYPERAGENT\(1\)/);
  });

  it('breaks no word at the end of a line', () => {
    const { stdout } = run('man', ['-E', 'UTF-8', '-l', '-'], realPage(), '40');
    expect(stdout.split('\n').length).toBeGreaterThan(1000);
    expect(stdout.split('\n').filter((line) => /[\u2010\u00ad]$/.test(line))).toEqual([]);
  });

  it.each([
    ['man', asMan],
    ['mandoc', asMandoc],
  ])('%s shows hostile texts as they are', (_, show) => {
    const page = show(hostilePage());
    const text = HOSTILE_TEXT.replaceAll('\n', ' ');
    for (const word of ['', 'pick ', 'many ', 'perhaps ']) expect(page).toContain(`${word}${text}`);
    expect(page).not.toContain('root:');
    expect(page).not.toContain('secret');
  });
});

describe('the source of the manual page', () => {
  it('has no character that a formatter changes: each would be copied as another one', () => {
    for (const page of [realPage(), hostilePage()]) {
      const text = page.split('\n').filter((line) => !line.startsWith('.'));
      const plain = text.map((line) => line.replace(/\\(?:\(..|[-&]|f[BIR]|\[u[0-9A-F]+\])/g, ''));
      expect(plain.filter((line) => /[-'"`^~\\]|[^ -~]/.test(line))).toEqual([]);
    }
    expect(realPage()).toContain('\n\\fB\\-\\-data\\-dir\\fR <\\fIdir\\fR>\n');
  });
});

describe('hyperagent man', () => {
  it('prints the page, and touches no data folder', async () => {
    const dataDir = join(testFolder(), 'data');
    const { code, stdout, stderr } = await runCli(['man'], {
      env: { HYPERAGENT_DATA_DIR: dataDir },
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(realPage());
    expect(existsSync(dataDir)).toBe(false);
  });
});
