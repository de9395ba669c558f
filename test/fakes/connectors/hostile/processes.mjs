// Processes that outlast their welcome, and the limit that ends them all.
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

export const LIFETIME = Number(process.env.HOSTILE_LIFETIME_MS) || 120_000;

// A thread of its own, so that a blocked write or a busy loop cannot hold it up.
export function watchdog() {
  const code = `setTimeout(() => process.kill(${process.pid}, 'SIGKILL'), ${LIFETIME})`;
  new Worker(code, { eval: true }).unref();
}

export function notePid(pid) {
  if (!process.env.HOSTILE_PIDFILE) return;
  try {
    appendFileSync(process.env.HOSTILE_PIDFILE, `${pid}\n`);
  } catch {
    /* the sandbox may forbid it */
  }
}

// Starts a process in a session of its own that ignores polite signals.
export function leaveBehind(stdio) {
  const code = `for (const s of ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGPIPE']) process.on(s, () => {});
    setInterval(() => {}, 1000);
    setTimeout(() => process.exit(0), ${LIFETIME});`;
  const args = ['-e', code, 'hostile-grandchild', process.env.HOSTILE_TAG ?? ''];
  const child = spawn(process.execPath, args, { detached: true, stdio });
  child.on('error', () => {});
  child.unref();
  if (child.pid) notePid(child.pid);
  return child.pid;
}
