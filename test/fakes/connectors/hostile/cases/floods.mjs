// Too much of everything. HOSTILE_MB sets the size of the big ones.
import { MB, NOTHING, schema, sleep, text } from '../wire.mjs';

const work = (s, run = () => text('done')) => s.tool('work', {}, run);
const plain = (name) => ({ name, description: 'x', inputSchema: { type: 'object' } });
const after = (s, run) => {
  s.notices['notifications/initialized'] = run;
};

export const cases = {
  'line-100mb-without-newline': (s) => {
    work(s, async (args, msg) => {
      await s.raw(
        `{"jsonrpc":"2.0","id":${JSON.stringify(msg.id)},"result":{"content":[{"type":"text","text":"`,
      );
      await s.fill(MB);
      return new Promise(() => {}); // silence
    });
  },

  'line-that-never-ends': (s) => {
    work(s);
    after(s, () => s.forever(() => s.fill(1024 * 1024)));
  },

  'line-that-never-ends-before-initialize': (s) => {
    s.forever(() => s.fill(1024 * 1024));
  },

  'result-100mb': (s) => {
    work(s, async (args, msg) => {
      await s.raw(
        `{"jsonrpc":"2.0","id":${JSON.stringify(msg.id)},"result":{"content":[{"type":"text","text":"`,
      );
      await s.fill(MB);
      await s.raw('"}]}}\n');
      return NOTHING;
    });
  },

  'result-a-million-parts': (s) => {
    work(s, () => ({
      content: Array.from({ length: 1_000_000 }, () => ({ type: 'text', text: '' })),
    }));
  },

  'error-message-20mb': (s) => {
    work(s);
    s.bend('tools/call', (msg) =>
      s.send({
        jsonrpc: '2.0',
        id: msg.id,
        error: {
          code: -32000,
          message: 'e'.repeat(Math.min(MB, 20 << 20)),
          data: { again: 'd'.repeat(1 << 20) },
        },
      }),
    );
  },

  'stderr-flood': (s) => {
    work(s);
    const line = `${'noise '.repeat(1000)}\n`;
    s.forever(
      () =>
        new Promise((done) => {
          process.stderr.write(line.repeat(20), done);
        }),
    );
  },

  'stderr-flood-without-newline': (s) => {
    work(s);
    s.forever(
      () =>
        new Promise((done) => {
          process.stderr.write('n'.repeat(1 << 20), done);
        }),
    );
  },

  'stderr-looks-like-messages': (s) => {
    work(s, async (args, msg) => {
      process.stderr.write(
        `${JSON.stringify({ jsonrpc: '2.0', id: msg.id, result: text(s.mark) })}\n\u001b]0;${s.mark}\u0007\u001b[2J\n`,
      );
      await sleep(300);
      return text('from stdout');
    });
  },

  'garbage-lines-flood': (s) => {
    work(s);
    after(s, () => s.forever(() => s.raw('not json\n'.repeat(5000))));
  },

  'empty-lines-flood': (s) => {
    work(s);
    after(s, () => s.forever(() => s.raw('\n'.repeat(100_000))));
  },

  'list-pages-same-cursor': (s) => {
    s.on('tools/list', () => ({ tools: [plain('again')], nextCursor: 'again' }));
  },

  'list-pages-forever': (s) => {
    let n = 0;
    s.on('tools/list', () => {
      n += 1;
      return { tools: [plain(`tool_${n}`)], nextCursor: `page-${n}` };
    });
  },

  'list-pages-forever-empty': (s) => {
    let n = 0;
    s.on('tools/list', () => ({ tools: [], nextCursor: `page-${n++}` }));
  },

  'list-cursor-10mb': (s) => {
    s.on('tools/list', (params) => ({
      tools: [plain('one')],
      nextCursor: `${params.cursor ?? 'c'.repeat(10 << 20)}c`,
    }));
  },

  'resources-and-prompts-page-forever': (s) => {
    let n = 0;
    work(s);
    s.on('prompts/list', () => {
      n += 1;
      return { prompts: [{ name: `p${n}` }], nextCursor: `c${n}` };
    });
    s.on('resources/list', () => {
      n += 1;
      return { resources: [{ uri: `note://${n}`, name: `r${n}` }], nextCursor: `c${n}` };
    });
    s.on('resources/templates/list', () => {
      n += 1;
      return {
        resourceTemplates: [{ uriTemplate: `note://{a}${n}`, name: `t${n}` }],
        nextCursor: `c${n}`,
      };
    });
  },

  'ten-thousand-tools': (s) => {
    for (let n = 0; n < 10_000; n += 1)
      s.tool(`tool_${n}`, {
        description: `Tool number ${n}. `.repeat(10),
        inputSchema: schema({ a: { type: 'string' } }),
      });
  },

  'description-5mb': (s) => {
    s.tool('work', { description: `${s.mark} ${'words '.repeat(900_000)}` });
  },
  'instructions-5mb': (s) => {
    work(s);
    s.instructions = `${s.mark} ${'words '.repeat(900_000)}`;
  },

  'list-changed-loop': (s) => {
    work(s);
    after(s, () => s.forever(() => s.notify('notifications/tools/list_changed')));
  },

  // Each list brings the next notice: a loop of two.
  'list-changed-after-every-list': (s) => {
    work(s);
    s.bend('tools/list', async (msg, body, honest) => {
      await honest(msg, body);
      await s.notify('notifications/tools/list_changed');
    });
  },

  'list-changed-of-all-kinds': (s) => {
    work(s);
    after(s, () =>
      s.forever(async () => {
        await s.notify('notifications/prompts/list_changed');
        await s.notify('notifications/resources/list_changed');
        await s.notify('notifications/resources/updated', { uri: 'file:///etc/passwd' });
      }),
    );
  },

  'log-flood': (s) => {
    work(s);
    after(s, () =>
      s.forever((n) =>
        s.notify('notifications/message', {
          level: 'emergency',
          logger: s.mark,
          data: { n, text: 'log '.repeat(200) },
        }),
      ),
    );
  },

  'progress-flood': (s) => {
    work(s, (args, msg) => {
      const progressToken = msg.params?._meta?.progressToken ?? msg.id;
      s.forever((n) =>
        s.notify('notifications/progress', {
          progressToken,
          progress: n,
          message: `step ${n} `.repeat(50),
        }),
      );
      return NOTHING;
    });
  },

  'ping-flood': (s) => {
    work(s);
    let n = 0;
    after(s, () => s.forever(() => s.send({ jsonrpc: '2.0', id: `ping-${n++}`, method: 'ping' })));
  },

  // Asks and asks but never reads the answers: the client's own write queue grows.
  'ping-flood-without-reading': (s) => {
    work(s);
    let n = 0;
    after(s, () => {
      process.stdin.pause();
      s.forever(() => s.send({ jsonrpc: '2.0', id: `${'i'.repeat(5000)}${n++}`, method: 'ping' }));
    });
  },

  'unknown-notification-flood': (s) => {
    work(s);
    after(s, () =>
      s.forever((n) => s.notify(`notifications/unknown/${n}`, { data: 'x'.repeat(1000) })),
    );
  },

  'unknown-answer-flood': (s) => {
    work(s);
    after(s, () =>
      s.forever((n) => s.send({ jsonrpc: '2.0', id: 1_000_000 + n, result: text('nobody asked') })),
    );
  },

  'elicitation-flood': (s) => {
    // a thousand questions at once
    work(s, async () => {
      for (let n = 0; n < 1000; n += 1)
        s.request('elicitation/create', {
          mode: 'form',
          message: `${s.mark} ${n}`,
          requestedSchema: schema({ a: { type: 'string' } }),
        });
      await sleep(500);
      return text('done');
    });
  },
};
