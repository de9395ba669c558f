// The protocol by hand: one JSON object a line on stdin and stdout.
// A case gets a Server that behaves well and bends what it needs.
import { Buffer } from 'node:buffer';

export const NOTHING = Symbol('no answer');
export const VERSION = '2025-11-25';
export const MB = (Number(process.env.HOSTILE_MB) || 100) * 1024 * 1024;

export const sleep = (ms) =>
  new Promise((done) => {
    setTimeout(done, ms);
  });
export const text = (t, more = {}) => ({ content: [{ type: 'text', text: t }], ...more });
export const schema = (properties = {}, more = {}) => ({ type: 'object', properties, ...more });

export class RpcError extends Error {
  constructor(code, message, data) {
    super(message);
    Object.assign(this, { code, data });
  }
}

export class Server {
  constructor(id) {
    this.id = id;
    this.mark = `HOSTILE-MARK-${id}`;
    this.info = { name: 'notes', title: 'Notes', version: '1.0.0' };
    this.capabilities = { tools: { listChanged: true }, prompts: {}, resources: {}, logging: {} };
    this.instructions = undefined;
    this.tools = [];
    this.calls = {};
    this.prompts = [];
    this.resources = [];
    this.templates = [];
    this.lists = 0; // how often tools/list was asked
    this.nextId = 1;
    this.waiting = new Map(); // our own requests to the client
    this.notices = {}; // notification from the client -> function
    this.stayOnEnd = false; // true: go on when stdin ends
    this.handlers = {
      initialize: () => ({
        protocolVersion: VERSION,
        capabilities: this.capabilities,
        serverInfo: this.info,
        ...(this.instructions === undefined ? {} : { instructions: this.instructions }),
      }),
      ping: () => ({}),
      'tools/list': () => {
        this.lists += 1;
        return { tools: this.tools };
      },
      'tools/call': (params, msg) => {
        const run = this.calls[params?.name];
        if (!run) throw new RpcError(-32602, `Unknown tool: ${String(params?.name).slice(0, 100)}`);
        return run(params.arguments ?? {}, msg);
      },
      'prompts/list': () => ({ prompts: this.prompts }),
      'resources/list': () => ({ resources: this.resources }),
      'resources/templates/list': () => ({ resourceTemplates: this.templates }),
      'logging/setLevel': () => ({}),
    };
  }

  // Adds a tool. run(args, msg) gives the result.
  tool(name, more = {}, run = () => text('ok')) {
    const made = {
      name,
      description: 'Keeps a note.',
      inputSchema: schema({ note: { type: 'string' } }),
      ...more,
    };
    this.tools.push(made);
    this.calls[name] = run;
    return made;
  }

  on(method, handler) {
    this.handlers[method] = handler;
  }

  raw(chunk) {
    return new Promise((done) => {
      process.stdout.write(chunk, done);
    });
  }
  send(message) {
    return this.raw(`${JSON.stringify(message)}\n`);
  }
  notify(method, params) {
    return this.send({ jsonrpc: '2.0', method, params });
  }
  // Cases replace this to answer in a wrong way. body is { result } or { error }.
  reply(msg, body) {
    return this.send({ jsonrpc: '2.0', id: msg.id, ...body });
  }

  request(method, params, id = `srv-${this.nextId++}`) {
    return new Promise((done) => {
      this.waiting.set(id, done);
      this.send({ jsonrpc: '2.0', id, method, params });
    });
  }

  // Bends the answers to one method only; honest(msg, body) sends the usual one.
  bend(method, bend) {
    const honest = this.reply.bind(this);
    this.reply = (msg, body) =>
      msg.method === method ? bend(msg, body, honest) : honest(msg, body);
  }

  async take(msg) {
    if (msg === null || typeof msg !== 'object') return;
    if (msg.method === undefined) {
      this.waiting.get(msg.id)?.(msg);
      this.waiting.delete(msg.id);
      return;
    }
    if (msg.id === undefined) {
      await this.notices[msg.method]?.(msg.params ?? {});
      return;
    }
    const handler = this.handlers[msg.method];
    try {
      if (!handler) throw new RpcError(-32601, `Method not found: ${msg.method}`);
      const result = await handler(msg.params ?? {}, msg);
      if (result !== NOTHING) await this.reply(msg, { result });
    } catch (error) {
      const { code = -32603, message, data } = error;
      await this.reply(msg, { error: { code, message, ...(data === undefined ? {} : { data }) } });
    }
  }

  start() {
    process.stdout.on('error', () => {
      if (!this.stayOnEnd) process.exit(0);
    });
    process.stderr.on('error', () => {});
    process.stdin.on('error', () => {});
    if (this.deaf) return; // the case handles stdin itself
    let rest = Buffer.alloc(0);
    process.stdin.on('data', (chunk) => {
      rest = rest.length ? Buffer.concat([rest, chunk]) : chunk;
      for (let at = rest.indexOf(10); at >= 0; at = rest.indexOf(10)) {
        const line = rest.subarray(0, at).toString('utf8').trim();
        rest = rest.subarray(at + 1);
        if (!line) continue;
        let msg;
        try {
          msg = JSON.parse(line);
        } catch {
          continue;
        }
        this.take(msg);
      }
    });
    process.stdin.on('end', () => {
      if (!this.stayOnEnd) process.exit(0);
    });
  }

  // Runs step() again and again, letting stdin have its turn in between.
  async forever(step, pause = 0) {
    for (let n = 0; ; n += 1) {
      await step(n);
      if (pause) await sleep(pause);
      else
        await new Promise((done) => {
          setImmediate(done);
        });
    }
  }

  // Writes `bytes` bytes of a filler, piece by piece.
  async fill(bytes, letter = 'A') {
    const piece = letter.repeat(1024 * 1024);
    for (let left = bytes; left > 0; left -= piece.length) {
      await this.raw(left >= piece.length ? piece : piece.slice(0, left));
      await new Promise((done) => {
        setImmediate(done);
      });
    }
  }
}
