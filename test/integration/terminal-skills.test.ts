import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { SkillSummary } from '#contract/skills.ts';
import { CLI, ensureBuilt, runTerminal } from '../setup/built-app.ts';

/** Skills of the built app, at the terminal and over the web UI. */

beforeAll(ensureBuilt);

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hyperagent-skills-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The web UI as a process of its own: where it is, and its token. */
async function serve(dataDir: string): Promise<{ origin: string; token: string }> {
  const entryPoint: ChildProcess = spawn(
    process.execPath,
    [CLI, 'serve', '--no-open', '--data-dir', dataDir],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  onTestFinished(async () => {
    const ended = once(entryPoint, 'close');
    entryPoint.kill('SIGTERM');
    await ended;
  });
  let said = '';
  for await (const piece of entryPoint.stdout ?? []) {
    said += String(piece);
    const found = /running at (http:\/\/[^/]+)\/#token=(\S+)\n/.exec(said);
    if (found !== null) return { origin: found[1] ?? '', token: found[2] ?? '' };
  }
  throw new Error(`The web UI did not open: ${said}`);
}

test('a folder is validated without data, by file and line, and by the exit code', async () => {
  const dir = temporaryFolder();
  const dataDir = join(dir, 'data');
  const skill = (name: string, text: string): string => {
    mkdirSync(join(dir, name));
    writeFileSync(join(dir, name, 'SKILL.md'), text);
    return join(dir, name);
  };
  const good = skill(
    'greeting',
    '---\nname: greeting\ndescription: Greets people.\n---\nSay hi.\n',
  );
  const bad = skill('parting', '---\nname: parting\n---\nSay bye.\n');
  const env = { HYPERAGENT_DATA_DIR: dataDir };
  const valid = await runTerminal(['skills', 'validate', good], { env });
  const invalid = await runTerminal(['skills', 'validate', bad, '--json'], { env });

  expect([valid.code, valid.stdout]).toEqual([0, 'The skill greeting is valid.\n']);
  expect(invalid.code).toBe(1);
  expect(JSON.parse(invalid.stdout)).toMatchObject({
    valid: false,
    findings: [
      {
        severity: 'error',
        rule: 'description_missing',
        file: 'SKILL.md',
        line: expect.any(Number),
      },
    ],
  });
  expect(existsSync(dataDir)).toBe(false);
});

test('the list of the terminal is that of the web UI, beside which it looks', async () => {
  const dataDir = temporaryFolder();
  const { origin, token } = await serve(dataDir);
  const ask = (path: string, headers: Record<string, string>): Promise<Response> =>
    fetch(`${origin}${path}`, { headers });
  const authorization = `Bearer ${token}`;
  const listed = await runTerminal(['skills', 'list', '--json', '--data-dir', dataDir]);
  const code = await runTerminal([
    ...['skills', 'list', '--category', 'code', '--json', '--data-dir', dataDir],
  ]);
  const all = await ask('/api/v1/skills', { authorization });
  const ofCode = await ask('/api/v1/skills?category=code', { authorization });
  const missing = await ask('/api/v1/skills/nobody-made-this', { authorization });
  const refused = await ask('/api/v1/skills', {});
  const shown = await runTerminal(['skills', 'show', 'nobody-made-this', '--data-dir', dataDir]);

  const rows = (text: string) =>
    SkillSummary.array()
      .parse(JSON.parse(text))
      .map(({ id, name, state, risk }) => ({ id, name, state, risk_level: risk }));
  const [here, hereOfCode] = [rows(listed.stdout), rows(code.stdout)];
  expect(await all.json()).toMatchObject({ skills: here, count: here.length, category: null });
  expect(await ofCode.json()).toMatchObject({
    ...{ skills: hereOfCode, count: hereOfCode.length, category: 'code' },
  });
  expect([missing.status, await missing.json()]).toMatchObject([
    404,
    { error: { code: 'SKILL_UNKNOWN' } },
  ]);
  expect([refused.status, (await refused.text()).includes(token)]).toEqual([401, false]);
  expect([shown.code, shown.stdout]).toEqual([2, '']);
  for (const { id } of here) {
    const detail = await ask(`/api/v1/skills/${id}`, { authorization });
    expect([detail.status, await detail.json()]).toMatchObject([200, { id }]);
  }
});
