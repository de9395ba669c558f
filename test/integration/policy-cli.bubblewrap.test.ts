import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLI, ensureBuilt } from '../setup/built-app.ts';
import { osSandboxNote, osSandboxReady } from '../setup/os-sandbox.ts';

/** The built CLI on a computer that has a policy: `/etc` is a folder of our own, with the file where the app looks. */

let dir: string;
beforeAll(() => {
  ensureBuilt();
  dir = mkdtempSync(join(tmpdir(), 'hyperagent-policy-cli-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** What programs need of `/etc`. */
const NEEDED = ['passwd', 'group', 'nsswitch.conf', 'hosts', 'ld.so.cache', 'alternatives', 'ssl'];

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

function cli(policy: string | null, args: readonly string[], env = {}): Promise<Ended> {
  const file = join(mkdtempSync(join(dir, 'etc-')), 'policy.json');
  if (policy !== null) writeFileSync(file, policy, { mode: 0o644 });
  const needed = NEEDED.map((name) => `/etc/${name}`).filter((path) => existsSync(path));
  const wall = [
    ...['--bind', '/', '/', '--dev-bind', '/dev', '/dev', '--tmpfs', '/etc'],
    ...needed.flatMap((path) => ['--ro-bind', path, path]),
    ...(policy === null ? [] : ['--ro-bind', file, '/etc/hyperagent/policy.json']),
    // The user of the test is root there, and so the owner of the file.
    ...['--unshare-user', '--uid', '0', '--gid', '0', '--die-with-parent'],
  ];
  return new Promise((resolve) => {
    const options = { env: { ...process.env, NO_COLOR: '1', ...env } };
    execFile('bwrap', [...wall, process.execPath, CLI, ...args], options, (error, out, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, error: stderr }),
    );
  });
}

const POLICY = `{
  // For everyone.
  "organization": "Example Ltd",
  "contact": "it@example.com",
  "settings": { "policyLevel": "ask_every_time", "network": "offline" },
  "defaults": { "fontSize": 18 },
  "hosts": { "allow": ["*.example.com"], "deny": [] },
  "modelHosts": ["127.0.0.1:*"],
  "sandboxes": ["os"],
  "skills": { "from": "shipped", "block": ["deep_research"] },
  "connectors": { "allow": [{ "command": "npx", "args": ["-y", "@a/mcp"] }, { "url": "https://mcp.example.com/" }] },
}
`;
const INVALID = '{\n  "sandboxes": ["os"],\n  "setings": {}\n}\n';

describe.skipIf(!osSandboxReady)(`the command line under a policy${osSandboxNote}`, () => {
  it('shows what holds', async () => {
    expect(await cli(POLICY, ['doctor', '--policy'])).toEqual({
      code: 0,
      error: '',
      out: `✓ The policy of Example Ltd holds: /etc/hyperagent/policy.json
  Contact: it@example.com

Settings that cannot be changed
  policyLevel  "ask_every_time"
  network      "offline"

Settings until the user changes them
  fontSize  18

Limits
  hosts        *.example.com
  models at    127.0.0.1:*
  sandboxes    os
  skills       those that come with the app
  no skills    deep_research
  connectors   npx -y @a/mcp, https://mcp.example.com/
`,
    });
    const { out } = await cli(POLICY, ['doctor', '--policy', '--json']);
    expect(JSON.parse(out)).toMatchObject({
      ...{ state: 'holds', source: '/etc/hyperagent/policy.json', sandboxes: ['os'] },
      settings: { network: 'offline' },
    });
  });

  it('says that there is none, and where it would be', async () => {
    expect(await cli(null, ['doctor', '--policy'])).toEqual({
      code: 0,
      error: '',
      out: 'This computer has no policy: nothing is limited.\nIt would be read from:\n  /etc/hyperagent/policy.json\n',
    });
  });

  it('names each mistake by its line', async () => {
    expect(await cli(INVALID, ['doctor', '--policy'])).toEqual({
      code: 1,
      error: '',
      out: '✗ The policy is invalid: nothing can be changed or started until it is corrected.\n  /etc/hyperagent/policy.json:3: setings: this version does not know it.\n',
    });
    const data = join(dir, 'doctor');
    const doctor = await cli(INVALID, ['doctor', '--data-dir', data]);
    expect(doctor.code).toBe(1);
    expect(doctor.out).toContain(
      'Not ready: the policy of this computer is invalid (/etc/hyperagent/policy.json, line 3), do: ask the people who manage this computer',
    );
    expect(existsSync(join(data, 'hyperagent.db'))).toBe(false);
  });

  it('starts and changes nothing while it is invalid', async () => {
    const data = join(dir, 'invalid');
    const message =
      /^hyperagent: The policy of this computer is invalid.* \/etc\/hyperagent\/policy\.json: line 3: setings: this version does not know it\.\n$/;
    for (const args of [
      ['run', 'Hello', '--model', 'demo'],
      ['approvals', '--level', 'unattended'],
      ['restore', '--fresh', '--yes'],
      ['data', 'delete', '--yes'],
      ['models', 'pull', 'ollama:x'],
    ]) {
      const ended = await cli(INVALID, [...args, '--data-dir', data]);
      expect(ended.error, args.join(' ')).toMatch(message);
      expect(ended.code, args.join(' ')).toBe(1);
    }
    expect(existsSync(data)).toBe(false);
    // What only reads works.
    expect(await cli(INVALID, ['runs', 'list', '--data-dir', data])).toMatchObject({ code: 0 });
  });

  it('refuses what is locked, and says who locks it', async () => {
    const data = ['--data-dir', join(dir, 'locked')];
    const level = await cli(POLICY, ['approvals', '--level', 'unattended', ...data]);
    expect(level).toEqual({
      code: 1,
      out: '',
      error:
        'hyperagent: The setting "policyLevel" cannot be changed: the policy of Example Ltd says so. Contact: it@example.com\n',
    });
    const network = await cli(POLICY, [
      'run',
      'x',
      '--model',
      'demo',
      '--network',
      'open',
      ...data,
    ]);
    expect(network).toMatchObject({
      code: 1,
      error: expect.stringContaining('A task cannot have another network access'),
    });
  });

  it('keeps data where the policy says', async () => {
    const folder = join(dir, 'held');
    const policy = JSON.stringify({ dataFolder: folder });
    const args = ['approvals', '--level', 'ask_on_exit'];
    const other = { HYPERAGENT_DATA_DIR: join(dir, 'other') };
    expect(await cli(policy, args, { HYPERAGENT_DATA_DIR: '' })).toMatchObject({ code: 0 });
    expect(existsSync(join(folder, 'hyperagent.db'))).toBe(true);
    const refused = { code: 1, error: expect.stringContaining(`sets the data folder: ${folder}.`) };
    expect(await cli(policy, args, other)).toMatchObject(refused);
    expect(await cli(policy, [...args, '--data-dir', join(dir, 'other')])).toMatchObject(refused);
    expect(existsSync(join(dir, 'other'))).toBe(false);
  });
});
