import { EventEmitter } from 'node:events';

/**
 * Loaded with `--import` before a program that Electron would start as a utility process: it gets
 * `process.parentPort` and, as there, nothing of Node's own channel.
 */
const send = process.send?.bind(process);

class ParentPort extends EventEmitter {
  postMessage(message: unknown): void {
    send?.(message);
  }
}

const port = new ParentPort();
process.on('message', (data) => port.emit('message', { data }));
// The app is gone, and its utility processes with it.
process.on('disconnect', () => process.exit(0));
Object.defineProperty(process, 'parentPort', { value: port });
Object.defineProperty(process, 'send', { value: undefined });
