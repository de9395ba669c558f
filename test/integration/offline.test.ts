import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ROOT } from '../../scripts/build-state.ts';
import { CLI, ensureBuilt } from '../setup/built-app.ts';

/**
 * A machine without a network: a namespace of its own in which only loopback is there, and a record of
 * every address that the app asked the kernel for.
 */
const canTrace =
  process.platform === 'linux' &&
  spawnSync('unshare', ['-rn', 'strace', '-f', '-o', '/dev/null', 'true']).status === 0;
const note = canTrace ? '' : ' (skipped: no unshare and strace here)';

const SCRIPT = `
ip link set lo up 2>/dev/null
"$NODE" "$SERVER" --port 18433 --script "$TURNS" > "$DIR/server.txt" &
server=$!
until [ -s "$DIR/server.txt" ]; do sleep 0.05; done
strace -f -qq -e trace=connect,sendto -o "$DIR/trace.txt" \\
  "$NODE" "$CLI" run "hello" --model ollama:x --base-url http://127.0.0.1:18433 --json --approve all --data-dir "$DIR/data" > "$DIR/out.jsonl"
code=$?
kill $server
exit $code
`;

describe.skipIf(!canTrace)(`offline${note}`, () => {
  beforeAll(() => ensureBuilt());

  it('a run looks nothing up and connects to nothing but loopback', () => {
    const dir = mkdtempSync(join(tmpdir(), 'hyperagent-offline-'));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    const turns = join(dir, 'turns.json');
    writeFileSync(
      turns,
      JSON.stringify({
        models: [{ name: 'x' }],
        turns: [{ steps: [{ text: 'Hello from '.repeat(200) }] }],
      }),
    );
    const { status, stderr } = spawnSync('unshare', ['-rn', 'bash', '-c', SCRIPT], {
      env: {
        ...process.env,
        ...{ NODE: process.execPath, CLI, DIR: dir, TURNS: turns },
        SERVER: join(ROOT, 'test/fakes/model-server/main.ts'),
      },
      encoding: 'utf8',
      timeout: 60_000,
    });
    const trace = readFileSync(join(dir, 'trace.txt'), 'utf8');
    const addresses = [...trace.matchAll(/inet_(?:addr|pton)\((?:AF_INET6, )?"([^"]+)"/g)].map(
      ([, address]) => address,
    );
    const ports = [...trace.matchAll(/sin6?_port=htons\((\d+)\)/g)].map(([, port]) => port);
    expect({
      status,
      stderr: stderr.trim(),
      addresses: [...new Set(addresses)],
      nameServers: ports.filter((port) => port === '53').length,
      completed: readFileSync(join(dir, 'out.jsonl'), 'utf8').includes('"complete"'),
    }).toEqual({
      status: 0,
      stderr: '',
      addresses: ['127.0.0.1'],
      nameServers: 0,
      completed: true,
    });
  });
});
