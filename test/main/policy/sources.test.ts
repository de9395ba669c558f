import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readPolicy } from '#main/policy/read-policy.ts';
import { file, registryValue, systemSources } from '#main/policy/sources.ts';

let dir: string;
let path: string;
const own = process.getuid?.() ?? 0;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'hyperagent-policy-'));
  path = join(dir, 'policy.json');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** The problem of the file at `path`; null where it holds or is not there. */
function problem(owners: readonly number[] | null = [own]): string | null {
  const state = readPolicy([file(path, { owners })]);
  return state.state === 'invalid' ? (state.problems[0]?.text ?? '') : null;
}

function write(mode: number): void {
  writeFileSync(path, '{}');
  chmodSync(path, mode);
}

describe('the file of a policy', () => {
  it('is none where it is missing, or its folder is', () => {
    expect(readPolicy([file(path)])).toEqual({ state: 'none' });
    expect(readPolicy([file(join(dir, 'no', 'policy.json'))])).toEqual({ state: 'none' });
    writeFileSync(join(dir, 'etc'), '');
    expect(readPolicy([file(join(dir, 'etc', 'policy.json'))])).toEqual({ state: 'none' });
  });

  it.each([0o644, 0o444, 0o600, 0o755])('holds with the mode %o', (mode) => {
    write(mode);
    expect(readPolicy([file(path, { owners: [own] })])).toMatchObject({ state: 'holds' });
  });

  it.each([0o664, 0o646, 0o666, 0o777])('is invalid with the mode %o', (mode) => {
    write(mode);
    expect(problem()).toContain('chmod 644');
    // Where the system has no such modes, they are not looked at.
    expect(problem(null)).toBeNull();
  });

  it('is invalid if others can change its folder: they could put another in its place', () => {
    write(0o644);
    chmodSync(dir, 0o777);
    expect(problem()).toContain('chmod 755');
    chmodSync(dir, 0o755);
    expect(problem()).toBeNull();
  });

  it('is invalid if it belongs to another user', () => {
    write(0o644);
    expect(problem([own + 1])).toContain(`the user ${own}`);
  });

  it('is invalid where something else is in its place', () => {
    mkdirSync(path);
    expect(problem()).toBe('It is not a regular file.');
    rmSync(path, { recursive: true });
    symlinkSync(join(dir, 'nowhere'), path);
    expect(problem()).toBe('It is a link that leads nowhere.');
    rmSync(path);
    symlinkSync(path, path);
    expect(problem()).toContain('ELOOP');
    rmSync(path);
    symlinkSync('/dev/zero', path);
    expect(problem()).toBe('It is not a regular file.');
  });

  it.skipIf(process.platform === 'win32')('is invalid, and not waited for, if it is a pipe', () => {
    expect(spawnSync('mkfifo', [path]).status).toBe(0);
    expect(problem()).toBe('It is not a regular file.');
  });

  it('may have 256 kB and no more', () => {
    const fill = (bytes: number): void => writeFileSync(path, '{}'.padEnd(bytes), { mode: 0o644 });
    fill(256 * 1024);
    expect(problem()).toBeNull();
    fill(256 * 1024 + 1);
    expect(problem()).toBe('It has more than 256 kB.');
  });

  it('has to be UTF-8', () => {
    writeFileSync(path, Buffer.from('{}', 'utf16le'));
    expect(problem()).not.toBeNull();
    writeFileSync(path, Buffer.from([0x7b, 0xff, 0x7d]));
    expect(problem()).toBe('It is not UTF-8. Save it in that encoding.');
  });
});

it('takes the first source that has one, as a whole', () => {
  const second = join(dir, 'second.json');
  writeFileSync(path, '{ "organization": "One" }');
  writeFileSync(second, '{ "organization": "Two", "sandboxes": ["os"] }');
  const found = () => readPolicy([file(path), file(second)]);
  expect(found()).toMatchObject({ state: 'holds', source: path });
  expect(found()).not.toHaveProperty('policy.document.sandboxes');
  // An invalid one is not passed over: what it forbids is not known.
  writeFileSync(path, '{');
  expect(found()).toMatchObject({ state: 'invalid', source: path });
  rmSync(path);
  expect(found()).toMatchObject({ state: 'holds', source: second });
});

describe('the sources of each system', () => {
  it.each([
    ['linux', ['/etc/hyperagent/policy.json']],
    [
      'darwin',
      [
        '/Library/Managed Preferences/dev.hyperagent.desktop.plist',
        '/Library/Application Support/HyperAgent/policy.json',
      ],
    ],
    ['win32', ['HKLM\\SOFTWARE\\Policies\\HyperAgent', 'C:\\ProgramData\\HyperAgent\\policy.json']],
  ] as const)('of %s', (platform, names) => {
    expect(systemSources(platform).map(({ name }) => name)).toEqual(names);
  });
});

describe('what reg query prints', () => {
  const printed = (line: string): string =>
    `\r\nHKEY_LOCAL_MACHINE\\SOFTWARE\\Policies\\HyperAgent\r\n${line}\r\n\r\n`;

  it('gives the text of the value', () => {
    const text = '{ "organization": "Example    Ltd", "hosts": { "allow": [] } }';
    expect(registryValue(printed(`    Policy    REG_SZ    ${text}`))).toBe(text);
  });

  it.each([
    ['of another type', '    Policy    REG_DWORD    0x1'],
    ['of many lines', '    Policy    REG_MULTI_SZ    {}\\0{}'],
    ['that expands', '    Policy    REG_EXPAND_SZ    %USERPROFILE%'],
    ['of another name', '    PolicyOfAnother    REG_SZ    {}'],
    ['that is missing', ''],
  ])('throws for a value %s', (_, line) => {
    expect(() => registryValue(printed(line))).toThrow('has to be a text (REG_SZ)');
  });
});
