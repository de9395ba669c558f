import net from 'node:net';

/**
 * Runs before every test file: no API key of the machine is seen, and nothing but loopback and
 * local sockets can be connected to from the test process.
 */
for (const name of Object.keys(process.env)) {
  if (/(_API_KEY|_TOKEN|_SECRET)$/.test(name)) delete process.env[name];
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '::1', '[::1]']);
const connect = net.Socket.prototype.connect;

net.Socket.prototype.connect = function connectLoopbackOnly(
  this: net.Socket,
  ...args: unknown[]
): net.Socket {
  // Node hands over either the caller's arguments or one array of [options, callback].
  const first = Array.isArray(args[0]) ? (args[0] as unknown[])[0] : args[0];
  const options =
    typeof first === 'object' && first !== null ? first : { port: first, host: args[1] };
  const { host, path } = options as { host?: unknown; path?: unknown };
  const isLocal = typeof path === 'string' || host === undefined || LOOPBACK.has(String(host));
  if (!isLocal && !String(host).startsWith('127.')) {
    throw new Error(`Tests may reach loopback only; something connects to ${String(host)}`);
  }
  return Reflect.apply(connect, this, args) as net.Socket;
};
