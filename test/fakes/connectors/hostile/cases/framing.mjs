// Broken lines: what arrives on stdout is not one JSON-RPC object a line.
import { NOTHING, sleep, text } from '../wire.mjs';

const work = (s) => s.tool('work', {}, () => text('done'));

export const cases = {
  'prints-to-stdout': (s) => {
    work(s);
    s.raw('Starting the notes server ...\nListening on stdio\n');
    const honest = s.reply.bind(s);
    s.reply = async (msg, body) => {
      await s.raw(`[info] ${msg.method} came in {"id": ${JSON.stringify(msg.id)}\n`);
      await honest(msg, body);
      await s.raw('[info] done\n\n');
    };
  },

  'stdout-ansi-and-bom': (s) => {
    work(s);
    s.raw('\u001b[2J\u001b[31mred\u001b[0m\u001b]0;title\u0007\u001b]52;c;SE9TVElMRQ==\u0007\n');
    let first = true;
    s.send = (m) => {
      // a byte order mark before the first message, CRLF after each
      const bom = first ? '\ufeff' : '';
      first = false;
      return s.raw(`${bom}${JSON.stringify(m)}\r\n`);
    };
  },

  'invalid-json-initialize': (s) => {
    s.bend('initialize', (msg) =>
      s.raw(`{"jsonrpc":"2.0","id":${JSON.stringify(msg.id)},"result":{protocolVersion:\n`),
    );
  },

  'invalid-json-call': (s) => {
    work(s);
    s.bend('tools/call', (msg) =>
      s.raw(`{"jsonrpc":"2.0","id":${JSON.stringify(msg.id)},"result":{"content":[,]}}\n`),
    );
  },

  'half-message-then-silence': (s) => {
    work(s);
    s.bend('tools/call', (msg) =>
      s.raw(`{"jsonrpc":"2.0","id":${JSON.stringify(msg.id)},"result":{"content":[{"type":"te`),
    );
  },

  'drips-one-byte-a-second': (s) => {
    work(s);
    s.bend('tools/call', async (msg, body) => {
      for (const byte of JSON.stringify({ jsonrpc: '2.0', id: msg.id, ...body })) {
        await s.raw(byte);
        await sleep(1000);
      }
      await s.raw('\n');
    });
  },

  // Good behaviour that naive readers break on: this call has to succeed.
  'cuts-inside-a-character': (s) => {
    s.tool('work', {}, () => text('grüße 🎈 end'));
    s.bend('tools/call', async (msg, body) => {
      const bytes = Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', id: msg.id, ...body })}\n`);
      for (const byte of bytes) {
        await s.raw(Buffer.from([byte]));
        await sleep(3);
      }
    });
  },

  // Also good behaviour: several messages in one write.
  'many-messages-in-one-write': (s) => {
    work(s);
    s.bend('tools/call', (msg, body) => {
      const log = JSON.stringify({
        jsonrpc: '2.0',
        method: 'notifications/message',
        params: { level: 'info', data: 'x' },
      });
      const answer = JSON.stringify({ jsonrpc: '2.0', id: msg.id, ...body });
      return s.raw(`\n${log}\n${log}\r\n${answer}\n${log}\n`);
    });
  },

  // U+2028 and U+2029 are legal inside a JSON string and are no line ends here.
  'line-separators-in-text': (s) => {
    s.tool('work', {}, () => text('one\u2028two\u2029three\u0085four'));
  },

  'invalid-utf8': (s) => {
    work(s);
    s.bend('tools/call', (msg) =>
      s.raw(
        Buffer.concat([
          Buffer.from(
            `{"jsonrpc":"2.0","id":${JSON.stringify(msg.id)},"result":{"content":[{"type":"text","text":"`,
          ),
          Buffer.from([0xff, 0xfe, 0xc0, 0xaf, 0xed, 0xa0, 0x80, 0xf5]),
          Buffer.from('"}]}}\n'),
        ]),
      ),
    );
  },

  'nul-bytes-and-lone-surrogates': (s) => {
    work(s);
    s.bend('tools/call', (msg) =>
      s.raw(
        `\0\0\0\n\0{"jsonrpc":"2.0"}\0\n{"jsonrpc":"2.0","id":${JSON.stringify(msg.id)},` +
          '"result":{"content":[{"type":"text","text":"a\\u0000b\\ud800c\\udc00"}]}}\n',
      ),
    );
  },

  'content-length-framing': (s) => {
    work(s);
    s.send = (m) => {
      const body = JSON.stringify(m);
      return s.raw(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    };
  },

  'pretty-printed-json': (s) => {
    work(s);
    s.send = (m) => s.raw(`${JSON.stringify(m, null, 2)}\n`);
  },

  'batch-array': (s) => {
    work(s);
    s.bend('tools/call', (msg, body) =>
      s.send([
        { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } },
        { jsonrpc: '2.0', id: msg.id, ...body },
        [],
        null,
        7,
      ]),
    );
  },

  'json-that-is-no-message': (s) => {
    work(s);
    s.bend('tools/call', async (msg, body, honest) => {
      for (const line of [
        'null',
        '42',
        '"text"',
        'true',
        '[]',
        '{}',
        '-0',
        '1e400',
        '{"id":null}',
        '{"method":7}',
        '{"jsonrpc":"2.0","id":[1],"method":{}}',
        '{"jsonrpc":"2.0","method":null,"params":"x"}',
      ])
        await s.raw(`${line}\n`);
      await honest(msg, body);
    });
  },

  'same-key-twice': (s) => {
    work(s);
    s.bend('tools/call', (msg) => {
      const id = JSON.stringify(msg.id);
      return s.raw(
        `{"jsonrpc":"1.0","id":"other","jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"first"}]},` +
          '"result":{"content":[{"type":"text","text":"second"}]}}\n',
      );
    });
  },

  'prototype-keys': (s) => {
    work(s);
    const evil = `"__proto__":{"polluted":"${s.mark}","isError":false},"constructor":{"prototype":{"polluted":"${s.mark}"}}`;
    s.bend('tools/list', (msg) =>
      s.raw(
        `{"jsonrpc":"2.0","id":${JSON.stringify(msg.id)},${evil},"result":{${evil},"tools":[` +
          `{"name":"work","inputSchema":{"type":"object",${evil},"properties":{${evil}}},"annotations":{${evil}}}]}}\n`,
      ),
    );
    s.bend('tools/call', (msg) =>
      s.raw(
        `{"jsonrpc":"2.0","id":${JSON.stringify(msg.id)},"result":{${evil},` +
          `"structuredContent":{${evil}},"content":[{"type":"text","text":"x",${evil}}]}}\n`,
      ),
    );
  },

  'deep-json-result': (s) => {
    work(s);
    const depth = 200_000;
    s.bend('tools/call', (msg) =>
      s.raw(
        `{"jsonrpc":"2.0","id":${JSON.stringify(msg.id)},"result":{"content":[],` +
          `"structuredContent":{"a":${'['.repeat(depth)}${']'.repeat(depth)}}}}\n`,
      ),
    );
  },

  // Like `cat`: the client gets its own messages back, its requests become requests to itself.
  'echoes-everything': (s) => {
    s.deaf = true;
    process.stdin.on('data', (chunk) => process.stdout.write(chunk));
    process.stdin.on('end', () => process.exit(0));
  },

  'text-protocol-instead': (s) => {
    s.deaf = true;
    process.stdout.write(
      'HTTP/1.1 400 Bad Request\r\nContent-Type: text/html\r\n\r\n<html><script>alert(1)</script></html>\r\n',
    );
    process.stdin.on('data', () => process.stdout.write('220 ready\r\n> '));
    process.stdin.on('end', () => process.exit(0));
  },

  'closes-a-line-late': (s) => {
    work(s);
    s.on('tools/call', async (params, msg) => {
      // the rest comes long after, glued to another message
      const answer = JSON.stringify({ jsonrpc: '2.0', id: msg.id, result: text('late') });
      await s.raw(answer.slice(0, 20));
      await sleep(1500);
      await s.send({
        jsonrpc: '2.0',
        method: 'notifications/message',
        params: { level: 'info', data: 'between' },
      });
      await s.raw(`${answer.slice(20)}\n`);
      return NOTHING;
    });
  },
};
