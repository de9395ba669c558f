import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Run } from '#contract/entities.ts';
import { startAnswering } from '../fakes/model-server/answering.ts';
import type { WireStepInput } from '../fakes/model-server/options.ts';
import type { FakeModelServer } from '../fakes/model-server/server.ts';
import { ensureBuilt, runTerminal } from '../setup/built-app.ts';
import { osSandboxNote, osSandboxReady } from '../setup/os-sandbox.ts';

/** A folder of the user in a task of the built CLI: copied, changed by programs, reviewed, applied, undone. */
describe.skipIf(!osSandboxReady)(`the user's own folder, at the terminal${osSandboxNote}`, () => {
  let base: string;
  let mine: string;
  let dataDir: string;
  let server: FakeModelServer | null = null;

  beforeAll(() => ensureBuilt());
  beforeEach(() => {
    base = realpathSync(mkdtempSync(join(tmpdir(), 'hyperagent-folder-')));
    mine = join(base, 'project');
    dataDir = join(base, 'data');
    mkdirSync(join(mine, '.git'), { recursive: true });
    writeFileSync(join(mine, '.git/config'), 'token');
    writeFileSync(join(mine, 'plan.md'), 'one\ntwo\n');
    writeFileSync(join(mine, 'old.txt'), 'old');
  });
  afterEach(async () => {
    await server?.close();
    server = null;
    rmSync(base, { recursive: true, force: true });
  });

  const answering = async (...answers: readonly WireStepInput[][]): Promise<void> => {
    server = await startAnswering(dataDir, answers);
  };
  const command = (line: string): WireStepInput => ({
    call: { name: 'shell_command', arguments: { command: line } },
  });
  const terminal = (...args: readonly string[]) =>
    runTerminal([...args, '--data-dir', dataDir], { env: { OLLAMA_HOST: server?.url ?? '' } });
  const start = (...flags: readonly string[]) =>
    terminal(
      ...['run', 'Change my folder', '--model', 'ollama:x', '--sandbox', 'os', '--approve', 'all'],
      ...flags,
    );
  const threadOf = async (): Promise<string> => {
    const [run] = JSON.parse((await terminal('runs', 'list', '--json')).stdout) as Run[];
    if (run === undefined) throw new Error('There is no run.');
    return run.threadId;
  };

  const CHANGES =
    'cd project && ls -a > seen.txt && sed -i s/two/2/ plan.md && rm old.txt && mkdir .git && echo x > .git/hook';

  it('is read and changed as a copy, and only what the user applies reaches it', async () => {
    await answering([command(CHANGES)], [{ text: 'The plan is changed.' }]);
    const ran = await start('--folder', mine);
    const thread = await threadOf();
    expect(ran.stderr).toContain(`hyperagent folder show ${thread}`);
    const asked = JSON.stringify(server?.recording.to('/api/chat').at(0)?.json);
    expect(asked).toContain("- /workspace/project/ (a copy of the user's own folder");
    expect(readFileSync(join(mine, 'plan.md'), 'utf8')).toBe('one\ntwo\n');
    const shown = await terminal('folder', 'show', thread);
    expect(shown.stdout.split('\n').slice(2)).toEqual([
      ...['not copied: .git', '- old.txt', '~ plan.md', '+ seen.txt', ''],
    ]);
    const diff = await terminal('folder', 'diff', thread, 'plan.md');
    expect(diff.stdout).toBe('  one\n- two\n+ 2\n');
    const unasked = await terminal('folder', 'apply', thread);
    expect([unasked.code, unasked.stderr.includes('--yes')]).toEqual([2, true]);
    expect(existsSync(join(mine, 'old.txt'))).toBe(true);
    writeFileSync(join(mine, 'old.txt'), 'edited by the user');
    const applied = await terminal('folder', 'apply', thread, '--yes');
    expect(applied.stderr).toContain('not applied: - old.txt  (edited in your folder');
    expect(readFileSync(join(mine, 'plan.md'), 'utf8')).toBe('one\n2\n');
    expect(readFileSync(join(mine, 'old.txt'), 'utf8')).toBe('edited by the user');
    // The program saw the folder without its repository, and made one that stays where it is.
    expect(readFileSync(join(mine, 'seen.txt'), 'utf8')).toBe(
      '.\n..\nold.txt\nplan.md\nseen.txt\n',
    );
    expect(readdirSync(join(mine, '.git'))).toEqual(['config']);
    const undone = await terminal('folder', 'undo', thread);
    expect(undone.stdout).toBe('Restored 2 files.\n');
    expect(readdirSync(mine).sort()).toEqual(['.git', 'old.txt', 'plan.md']);
    expect(readFileSync(join(mine, 'plan.md'), 'utf8')).toBe('one\ntwo\n');
  });

  it('that is given to be read stays as it is, and a bad one starts nothing', async () => {
    await answering([command(CHANGES)], [{ text: 'The plan is changed.' }]);
    await start('--folder', mine, '--folder-access', 'read');
    const thread = await threadOf();
    const refused = await terminal('folder', 'apply', thread, '--yes');
    expect([refused.code, refused.stderr.includes('read only')]).toEqual([2, true]);
    expect(readFileSync(join(mine, 'plan.md'), 'utf8')).toBe('one\ntwo\n');
    for (const bad of [join(base, 'none'), dataDir, base]) {
      const { code, stderr } = await start('--folder', bad);
      expect([bad, code, stderr.includes(bad)]).toEqual([bad, code, true]);
      expect(code).not.toBe(0);
    }
    expect(JSON.parse((await terminal('runs', 'list', '--json')).stdout)).toHaveLength(1);
  });

  it('goes with a copy of the task', async () => {
    await answering([command(CHANGES)], [{ text: 'The plan is changed.' }]);
    await start('--folder', mine);
    const [run] = JSON.parse((await terminal('runs', 'list', '--json')).stdout) as Run[];
    const forked = await terminal('runs', 'fork', run?.id ?? '', '--json');
    const { thread } = JSON.parse(forked.stdout) as { thread: { id: string } };
    const shown = JSON.parse((await terminal('folder', 'show', thread.id, '--json')).stdout);
    expect(shown).toMatchObject({ folder: { path: mine, name: 'project' }, count: 3 });
  });
});
