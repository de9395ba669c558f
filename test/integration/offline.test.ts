import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { EgressConnection } from '#contract/egress.ts';
import { ROOT } from '../../scripts/build-state.ts';
import { openData } from '../fakes/open-data.ts';
import { CLI, ensureBuilt } from '../setup/built-app.ts';
import { osSandboxNote, osSandboxReady } from '../setup/os-sandbox.ts';

/**
 * A machine without a network: a namespace of its own in which only loopback is there, and a record of
 * every address that the app asked the kernel for.
 */
/** Root has a network namespace of its own without another user, which the sandbox could not be in. */
const NAMESPACE = process.getuid?.() === 0 ? '-n' : '-rn';
const canTrace =
  process.platform === 'linux' &&
  spawnSync('unshare', [NAMESPACE, 'strace', '-f', '-o', '/dev/null', 'true']).status === 0;
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

/** Addresses that anything was asked to go to, and how often a name server was. */
function readTrace(trace: string): { addresses: string[]; nameServers: number } {
  const found = [...trace.matchAll(/inet_(?:addr|pton)\((?:AF_INET6, )?"([^"]+)"/g)];
  const ports = [...trace.matchAll(/sin6?_port=htons\((\d+)\)/g)].map(([, port]) => port);
  return {
    addresses: [...new Set(found.map(([, address]) => address ?? ''))].sort(),
    nameServers: ports.filter((port) => port === '53').length,
  };
}

/**
 * Everything that the terminal can do which would go out, with the switch off: pages, programs in the
 * sandbox over their proxy, scripts, searches, a model in a cloud, a server of another computer, a pull, lists,
 * the check-up. The wall was proved before; its probes knock at every port on purpose.
 */
const EVERYTHING = `
ip link set lo up 2>/dev/null
"$NODE" "$SERVER" --port 18434 --script "$TURNS" > "$DIR/server.txt" &
server=$!
until [ -s "$DIR/server.txt" ]; do sleep 0.05; done
common="--data-dir $DIR/data --json"
model="--model ollama:x --base-url http://127.0.0.1:18434"
"$NODE" "$CLI" run "prove the wall" $model --approve all --sandbox os $common > "$DIR/0.out" 2>&1
n=0
traced() {
  n=$((n + 1))
  strace -f -qq -e trace=connect,sendto,sendmsg,sendmmsg -o "$DIR/$n.trace" "$NODE" "$CLI" "$@" $common > "$DIR/$n.out" 2>&1
  echo "$?" >> "$DIR/codes.txt"
}
traced run "go everywhere" $model --approve all --sandbox os --network open --execution-mode codeact
OPENAI_API_KEY=sk-0 traced run "hello" --model openai:gpt-x
traced run "hello" --model openai-compatible:x --base-url http://models.example:8080/v1
traced models pull ollama:qwen3:8b --base-url http://127.0.0.1:18434
traced models list
traced models recommend
traced doctor
traced runs list
BRAVE_API_KEY=key-0 traced search "what leaves"
# What the tracer would have seen: the same page, with the switch on.
common="--data-dir $DIR/control --json"
traced run "go there" $model --approve all --network open
kill $server
"$NODE" "$CLI" egress list --data-dir "$DIR/data" --json > "$DIR/egress.jsonl"
"$NODE" "$CLI" egress list --data-dir "$DIR/data" > "$DIR/egress.txt"
`;
/** A tracer slows what it follows; what takes longer than this hangs. */
const HANG_MS = 280_000;
/** Its place among the traced. */
const DOCTOR = 6;

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
    const { status, stderr } = spawnSync('unshare', [NAMESPACE, 'bash', '-c', SCRIPT], {
      env: {
        ...process.env,
        ...{ NODE: process.execPath, CLI, DIR: dir, TURNS: turns },
        SERVER: join(ROOT, 'test/fakes/model-server/main.ts'),
      },
      encoding: 'utf8',
      timeout: HANG_MS,
    });
    const { addresses, nameServers } = readTrace(readFileSync(join(dir, 'trace.txt'), 'utf8'));
    expect({
      status,
      stderr: stderr.trim(),
      addresses,
      nameServers,
      completed: readFileSync(join(dir, 'out.jsonl'), 'utf8').includes('"complete"'),
    }).toEqual({
      status: 0,
      stderr: '',
      addresses: ['127.0.0.1'],
      nameServers: 0,
      completed: true,
    });
  });

  it.skipIf(!osSandboxReady)(
    `with the switch off nothing is even tried, whatever is asked for${osSandboxNote}`,
    () => {
      const dir = mkdtempSync(join(homedir(), '.hyperagent-test-'));
      onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
      const call = (name: string, given: Record<string, unknown>) => ({
        steps: [{ call: { name, arguments: given } }],
      });
      const script =
        'import hyperagent\ntry: hyperagent.browse("https://example.com/")\nexcept hyperagent.HyperagentError as error: print("refused:", error)';
      writeFileSync(
        join(dir, 'turns.json'),
        JSON.stringify({
          models: [{ name: 'x', capabilities: ['completion', 'tools'] }],
          turns: [
            call('execute_code', { language: 'bash', code: 'echo proved' }),
            { steps: [{ text: 'Proved.' }] },
            call('fetch_page', { url: 'https://example.com/' }),
            call('fetch_page', { url: 'http://93.184.215.14/' }),
            call('web_search', { query: 'what leaves' }),
            call('execute_code', {
              language: 'bash',
              code: 'curl -s https://example.com/; echo "curl $?"; curl -s http://1.1.1.1/; echo; python3 -c "import urllib.request as u; u.urlopen(\'http://example.com/\')" 2>&1 | tail -1',
            }),
            call('execute_script', { script }),
            { steps: [{ text: 'Nowhere.' }] },
            call('fetch_page', { url: 'https://example.com/' }),
            { steps: [{ text: 'Not there.' }] },
          ],
        }),
      );
      const data = openData(join(dir, 'data'));
      data.settings.update({ egress: 'offline' });
      data.close();
      spawnSync('unshare', [NAMESPACE, 'bash', '-c', EVERYTHING], {
        env: {
          ...process.env,
          ...{ NODE: process.execPath, CLI, DIR: dir, TURNS: join(dir, 'turns.json') },
          SERVER: join(ROOT, 'test/fakes/model-server/main.ts'),
        },
        timeout: HANG_MS,
      });
      const codes = readFileSync(join(dir, 'codes.txt'), 'utf8').trim().split('\n');
      const traces = codes.map((_, index) =>
        readTrace(readFileSync(join(dir, `${index + 1}.trace`), 'utf8')),
      );
      const outputs = codes.map((_, index) => readFileSync(join(dir, `${index + 1}.out`), 'utf8'));
      const control = traces.pop();
      codes.pop();
      const [doctor] = traces.splice(DOCTOR, 1);
      expect({
        codes,
        addresses: [...new Set(traces.flatMap(({ addresses }) => addresses))],
        nameServers: traces.reduce((sum, { nameServers }) => sum + nameServers, 0),
      }).toEqual({
        // No model is chosen, so the doctor exits with 1.
        codes: ['0', '1', '1', '1', '0', '0', '1', '0', '1'],
        addresses: ['127.0.0.1'],
        nameServers: 0,
      });
      // The check-up probes the wall anew: from inside, at addresses that documentation has.
      expect(doctor?.addresses).toEqual(['127.0.0.1', '2001:db8::1', '203.0.113.1']);
      expect(control?.nameServers).toBeGreaterThan(0);
      // Each is on the list, with who it was and why not.
      const listed = readFileSync(join(dir, 'egress.jsonl'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => EgressConnection.parse(JSON.parse(line)));
      expect(new Set(listed.map(({ verdict, reason }) => `${verdict} ${reason}`))).toEqual(
        new Set(['denied offline']),
      );
      const actors = listed.map(({ actor, host }) => `${actor} ${host}`);
      expect(actors).toEqual(
        expect.arrayContaining([
          ...['fetch example.com', 'fetch 93.184.215.14', 'sandbox example.com', 'sandbox 1.1.1.1'],
          ...['model api.openai.com', 'model models.example'],
        ]),
      );
      expect(readFileSync(join(dir, 'egress.txt'), 'utf8')).toMatch(
        /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}fetch {3}denied \(offline\) +example\.com:443 {2}run_/m,
      );
      // They were asked for, and told why not.
      const refusals = outputs[0]?.match(/the network is switched off/g) ?? [];
      expect(refusals.length).toBeGreaterThanOrEqual(4);
      for (const output of outputs.slice(1, 4)) expect(output).toContain('switched off');
    },
    120_000,
  );
});
