// Valid JSON, wrong protocol: ids, versions, shapes.
import { NOTHING, RpcError, sleep, text, VERSION } from '../wire.mjs';

const work = (s, run = () => text('done')) => s.tool('work', {}, run);
const asIs = (s, method, make) => s.bend(method, (msg, body) => s.send(make(msg, body)));

export const cases = {
  'answers-twice': (s) => {
    work(s);
    s.bend('tools/call', async (msg, body, honest) => {
      await honest(msg, { result: text('first answer') });
      await honest(msg, { result: text(`second answer ${s.mark}`) });
      await sleep(200);
      await honest(msg, { error: { code: -32000, message: `third answer ${s.mark}` } });
    });
  },

  'answers-unknown-id': (s) => {
    work(s);
    s.bend('tools/call', async (msg, body, honest) => {
      for (const id of [999_999, 'nobody', -1, 1.5, ''])
        await s.send({ jsonrpc: '2.0', id, result: text(s.mark) });
      await honest(msg, body);
    });
  },

  // Two calls pending: the answer of one is sent under the id of the other first.
  'answers-other-pending-id': (s) => {
    const pending = [];
    const both = async (args, msg) => {
      pending.push(msg);
      if (pending.length === 2) {
        const [a, b] = pending;
        await s.reply(b, { result: text(`answer for ${a.params.name}`) });
        await s.reply(b, { result: text(`answer for ${b.params.name}`) });
        await s.reply(a, { result: text(`answer for ${b.params.name}`) });
        pending.length = 0;
      }
      return NOTHING;
    };
    s.tool('first', {}, both);
    s.tool('second', {}, both);
  },

  // Answers a call under the id of the tools/list that came before, and the reverse.
  'answers-call-as-list': (s) => {
    work(s);
    asIs(s, 'tools/call', (msg) => ({
      jsonrpc: '2.0',
      id: msg.id,
      result: { tools: [{ name: s.mark, inputSchema: { type: 'object' } }] },
    }));
  },

  'answers-before-asked': (s) => {
    work(s);
    for (let id = 0; id < 200; id += 1) {
      const result = {
        ...text(s.mark),
        protocolVersion: VERSION,
        capabilities: { tools: {} },
        serverInfo: { name: s.mark, version: '1' },
        tools: [],
      };
      s.send({ jsonrpc: '2.0', id, result });
    }
  },

  'id-of-another-type': (s) => {
    work(s);
    asIs(s, 'tools/call', (msg, body) => ({
      jsonrpc: '2.0',
      id: typeof msg.id === 'number' ? String(msg.id) : [msg.id],
      ...body,
    }));
  },

  'id-null': (s) => {
    work(s);
    asIs(s, 'tools/call', () => ({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32700, message: 'Parse error' },
    }));
  },

  'wrong-jsonrpc-version': (s) => {
    work(s);
    asIs(s, 'tools/call', (msg, body) => ({ jsonrpc: '1.0', id: msg.id, ...body }));
  },

  'no-jsonrpc-field': (s) => {
    work(s);
    asIs(s, 'tools/call', (msg, body) => ({ id: msg.id, ...body }));
  },

  'result-and-error': (s) => {
    work(s);
    asIs(s, 'tools/call', (msg) => ({
      jsonrpc: '2.0',
      id: msg.id,
      result: text(`fine ${s.mark}`),
      error: { code: -32000, message: 'not fine' },
    }));
  },

  'neither-result-nor-error': (s) => {
    work(s);
    asIs(s, 'tools/call', (msg) => ({ jsonrpc: '2.0', id: msg.id }));
  },

  'error-of-wrong-shape': (s) => {
    const shapes = [
      'boom',
      null,
      7,
      [],
      { code: 'E_BAD', message: { a: 1 } },
      { message: null },
      { code: 1e308, message: 'x'.repeat(1_000_000) },
    ];
    let n = 0;
    work(s);
    asIs(s, 'tools/call', (msg) => ({
      jsonrpc: '2.0',
      id: msg.id,
      error: shapes[n++ % shapes.length],
    }));
  },

  'result-of-wrong-type': (s) => {
    const shapes = [
      'text',
      null,
      [],
      7,
      { content: 'text' },
      { content: null },
      { content: [null, 7, 'x', [], {}] },
      { content: { length: 1e9 } },
      {
        content: [
          { type: 'text' },
          { type: 'text', text: 7 },
          { type: 7 },
          { type: 'image' },
          { type: 'resource' },
        ],
      },
      { isError: 'no', content: [] },
    ];
    let n = 0;
    work(s);
    asIs(s, 'tools/call', (msg) => ({
      jsonrpc: '2.0',
      id: msg.id,
      result: shapes[n++ % shapes.length],
    }));
  },

  'list-of-wrong-shape': (s) => {
    const ok = work(s);
    s.on('tools/list', () => ({
      tools: [
        null,
        7,
        'x',
        [],
        {},
        { name: 7 },
        { name: null, inputSchema: {} },
        { name: 'no_schema' },
        {
          name: 'odd',
          description: { a: 1 },
          title: [],
          annotations: 'yes',
          inputSchema: { type: 'object' },
        },
        ok,
      ],
    }));
  },

  'list-is-no-array': (s) => {
    s.on('tools/list', () => ({ tools: { length: 4e9, 0: { name: 'x' } } }));
  },
  'list-is-an-error': (s) => {
    s.on('tools/list', () => {
      throw new RpcError(-32601, 'Method not found');
    });
  },
  'list-odd-cursor': (s) => {
    work(s);
    const odd = [0, '', null, {}, ['a'], false];
    let n = 0;
    s.on('tools/list', () => ({ tools: s.tools, nextCursor: odd[n++ % odd.length] }));
  },

  'unknown-protocol-version': (s) => {
    work(s);
    s.bend('initialize', (msg, body, honest) =>
      honest(msg, { result: { ...body.result, protocolVersion: '1999-01-01' } }),
    );
  },

  'protocol-version-is-no-text': (s) => {
    work(s);
    s.bend('initialize', (msg, body, honest) =>
      honest(msg, { result: { ...body.result, protocolVersion: { toString: 'x' } } }),
    );
  },

  'initialize-empty': (s) => {
    work(s);
    s.on('initialize', () => ({}));
  },
  'initialize-error': (s) => {
    s.on('initialize', () => {
      throw new RpcError(-32603, `cannot start ${s.mark}`, { secret: 'x' });
    });
  },

  'capabilities-of-wrong-type': (s) => {
    work(s);
    s.on('initialize', () => ({
      protocolVersion: VERSION,
      capabilities: ['tools'],
      serverInfo: 'notes',
      instructions: { a: 1 },
    }));
  },

  'no-tools-capability': (s) => {
    work(s);
    s.capabilities = {};
  },

  'requests-before-initialize': (s) => {
    work(s);
    s.request('ping', {});
    s.request('roots/list', {});
    s.notify('notifications/tools/list_changed');
    s.request('elicitation/create', {
      message: s.mark,
      requestedSchema: { type: 'object', properties: { a: { type: 'string' } } },
    });
  },

  // The server's own request carries the id of the client's pending call.
  'request-with-pending-id': (s) => {
    work(s, async (args, msg) => {
      await s.send({ jsonrpc: '2.0', id: msg.id, method: 'ping' });
      await s.send({ jsonrpc: '2.0', id: msg.id, method: 'no/such/method', params: {} });
      await sleep(300);
      return text('done');
    });
  },

  // Every request of the server uses one and the same id.
  'same-request-id-again': (s) => {
    work(s, async () => {
      for (let n = 0; n < 50; n += 1) await s.send({ jsonrpc: '2.0', id: 'same', method: 'ping' });
      return text('done');
    });
  },

  // Answers each error of the client with the next wrong message.
  'error-ping-pong': (s) => {
    work(s);
    let n = 0;
    const again = () => s.send({ jsonrpc: '2.0', id: `p${n++}`, method: 'no/such/method' });
    const take = s.take.bind(s);
    s.take = (msg) => (msg.error ? again() : take(msg));
    s.notices['notifications/initialized'] = again;
  },

  'calls-the-client': (s) => {
    work(s, async () => {
      const tries = [
        'tools/call',
        'tools/list',
        'initialize',
        'resources/read',
        'prompts/get',
        'shell/exec',
        '__proto__',
        'constructor',
        'toString',
      ];
      const got = [];
      for (const method of tries) {
        const id = `c-${method}`;
        const answer = s.request(
          method,
          { name: 'execute_code', arguments: { code: 'print(1)' }, uri: 'file:///etc/passwd' },
          id,
        );
        const reply = await Promise.race([answer, sleep(1000).then(() => ({ silent: true }))]);
        got.push(
          `${method}: ${reply.silent ? 'no answer' : (reply.error?.code ?? `RESULT ${JSON.stringify(reply.result)}`)}`,
        );
      }
      return text(got.join('\n'));
    });
  },

  // A task that the client did not ask for, and that never ends.
  'task-nobody-asked-for': (s) => {
    work(s, () => ({
      task: {
        taskId: s.mark,
        status: 'working',
        createdAt: '2025-11-25T00:00:00Z',
        lastUpdatedAt: '2025-11-25T00:00:00Z',
        ttl: null,
        pollInterval: 0,
      },
    }));
    s.capabilities = {
      tools: {},
      tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
    };
    s.tools[0].execution = { taskSupport: 'optional' };
    s.on('tasks/get', () => ({ taskId: s.mark, status: 'working', ttl: null, pollInterval: 0 }));
  },

  'answers-after-cancel': (s) => {
    let pending;
    work(s, (args, msg) => {
      pending = msg;
      return NOTHING;
    });
    s.notices['notifications/cancelled'] = async () => {
      await sleep(200);
      await s.reply(pending, { result: text(`too late ${s.mark}`) });
      await s.notify('notifications/progress', {
        progressToken: pending.params?._meta?.progressToken ?? 0,
        progress: 1,
        message: s.mark,
      });
    };
  },

  'ignores-cancel': (s) => {
    // goes on working after the cancel and says so on stderr
    work(s, () => NOTHING);
    s.notices['notifications/cancelled'] = () =>
      setInterval(() => process.stderr.write('still working\n'), 500);
  },

  'cancels-what-was-never-sent': (s) => {
    work(s, async () => {
      for (const requestId of [999_999, 'nobody', null, {}, '__proto__'])
        await s.notify('notifications/cancelled', { requestId, reason: s.mark });
      return text('done');
    });
  },

  // The server may only cancel its own requests; here it names the client's ids.
  'cancels-the-clients-call': (s) => {
    work(s, async (args, msg) => {
      for (let id = 0; id < 50; id += 1)
        await s.notify('notifications/cancelled', { requestId: id, reason: s.mark });
      await s.notify('notifications/cancelled', { requestId: msg.id, reason: s.mark });
      await sleep(300);
      return text('done after all');
    });
  },

  'progress-unknown-token': (s) => {
    work(s, async () => {
      for (const progressToken of [999_999, 'nobody', null, {}, '__proto__'])
        await s.notify('notifications/progress', { progressToken, progress: 1, message: s.mark });
      await s.notify('notifications/progress');
      return text('done');
    });
  },

  'progress-backwards': (s) => {
    work(s, async (args, msg) => {
      const progressToken = msg.params?._meta?.progressToken ?? msg.id;
      for (const progress of [90, 50, 10, -5, 1e308, '7', null])
        await s.notify('notifications/progress', {
          progressToken,
          progress,
          total: progress === 10 ? 0 : 1,
        });
      return text('done');
    });
  },

  // Never answers, but keeps the call alive with progress.
  'progress-instead-of-answer': (s) => {
    work(s, (args, msg) => {
      const progressToken = msg.params?._meta?.progressToken ?? msg.id;
      s.forever((n) => s.notify('notifications/progress', { progressToken, progress: n }), 500);
      return NOTHING;
    });
  },
};
