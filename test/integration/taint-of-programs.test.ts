import { createServer } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { closeServer, listen } from '../fakes/addresses/listeners.ts';
import { openAppBench } from '../fakes/app-bench.ts';
import type { DirectedReply } from '../fakes/directed-model.ts';

/** What a program fetched came from somebody else: rules that approve reach no high risk after it. */

const ELSEWHERE = '127.0.0.2';
const write = (path: string): DirectedReply => ({
  calls: [{ name: 'sandbox_file', arguments: { operation: 'write', path, content: 'x' } }],
});
const remove = (path: string): DirectedReply => ({
  calls: [{ name: 'sandbox_file', arguments: { operation: 'delete', path } }],
});
const run = (code: string): DirectedReply => ({
  calls: [{ name: 'execute_code', arguments: { language: 'python', code } }],
});

it('a program that fetched something taints its task, one that did not does not', async () => {
  const server = createServer((_request, response) => response.end('words of others'));
  const port = await listen(server, ELSEWHERE);
  onTestFinished(() => closeServer(server));
  const fetchIt = `import urllib.request as r
web = r.build_opener(r.ProxyHandler({"http": "http://127.0.0.1:8118"}))
print(web.open("http://${ELSEWHERE}:${port}/", timeout=20).read().decode())`;
  const plan: DirectedReply[] = [
    ...[write('a'), write('b'), run('print(1)'), remove('a'), run(fetchIt), remove('b')],
    { content: 'Done.' },
  ];
  const bench = await openAppBench(({ results }) => plan[results.length] ?? { content: 'Done.' }, {
    egressPrivateHosts: [`${ELSEWHERE}:*`],
  });
  const { api } = bench.app;
  for (const [toolName, match, pattern] of [
    ['sandbox_file', 'path', '**'],
    ['execute_code', 'arguments', '*'],
  ] as const) {
    api['rules.put']({
      rule: { toolName, match, pattern, decision: 'approve', threadId: null },
      ruleId: null,
    });
  }
  const started = await bench.start('Make a and b, and take them away.', {
    ...{ approve: 'ask', network: 'open' },
  });
  await expect.poll(() => api['runs.waiting']().questions.length, { timeout: 60_000 }).toBe(1);
  const [asked] = api['runs.waiting']().questions;
  expect([asked?.toolName, asked?.argumentsText]).toEqual([
    'sandbox_file',
    '{"operation":"delete","path":"b"}',
  ]);
  expect(asked?.reasons.join()).toContain(`the task holds what others wrote (${ELSEWHERE})`);
  expect(await bench.file(started.threadId, 'a')).toBeNull();
  await api['runs.cancel']({ runId: started.id });
  await bench.settled(started.id);
});

it('with the network open, a program of a tainted task reaches the hosts that its text names, and no other', async () => {
  const reached: string[] = [];
  const [listed, evil] = [ELSEWHERE, '127.0.0.3'];
  const other = createServer((request, response) => {
    reached.push(request.url ?? '');
    response.end('thanks');
  });
  const otherPort = await listen(other, evil);
  const server = createServer((_request, response) => response.end(`${evil}:${otherPort}`));
  const port = await listen(server, listed);
  onTestFinished(async () => void (await Promise.all([closeServer(server), closeServer(other)])));
  const web = `import urllib.request as r
web = r.build_opener(r.ProxyHandler({"http": "http://127.0.0.1:8118"}))
get = lambda url: web.open(url, timeout=20).read().decode()
`;
  const plan: DirectedReply[] = [
    // Does what the page says.
    run(`${web}
where = get("http://${listed}:${port}")
try:
    print(get("http://" + where + "/told"))
except Exception as error:
    print("refused", error.read().decode())`),
    run(`${web}print(get("http://${evil}:${otherPort}/named"))`),
    { content: 'Done.' },
  ];
  const bench = await openAppBench(({ results }) => plan[results.length] ?? { content: 'Done.' }, {
    egressPrivateHosts: [`${listed}:*`, `${evil}:*`],
  });
  const { api } = bench.app;
  const started = await bench.start('Get it.', { approve: 'ask', network: 'open' });
  for (const asked of [1, 2]) {
    await expect.poll(() => api['runs.waiting']().questions.length, { timeout: 60_000 }).toBe(1);
    const [question] = api['runs.waiting']().questions;
    if (question === undefined) throw new Error(`Question ${asked} is gone`);
    // A yes is told what it reaches: anything before others' words came, and afterwards what is in view.
    const reach = asked === 1 ? 'anything public' : 'the hosts named in its text';
    expect(question.message).toContain(reach);
    const argumentsSha256 = question.argumentsSha256 ?? '';
    const yes = { action: 'approve', argumentsSha256, always: false } as const;
    await api['runs.respond']({
      runId: started.id,
      interruptId: question.interruptId,
      response: yes,
    });
    await expect.poll(() => api['runs.waiting']().questions.length, { timeout: 60_000 }).toBe(0);
  }
  const played = await bench.settled(started.id);
  expect([played.run.status, reached]).toEqual(['completed', ['/named']]);
  const [first] = played.of('tool_result');
  expect(first?.content).toContain(
    'neither the user nor a program that they approved names this host',
  );
});
