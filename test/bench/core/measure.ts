import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type Endpoint, monotonicMs } from './endpoint.ts';

/** One child process, from its start to its end, as the endpoint and the kernel saw it. */
export interface Measured {
  /** Process start to first model request, ms. */
  readonly firstRequestMs: number;
  /** First model request to last, ms. */
  readonly loopMs: number;
  /** Largest proportional set size seen, in MB; null where the kernel does not say. */
  readonly peakMb: number | null;
  readonly bodies: readonly string[];
}

/** Runs `node ARGS` against the endpoint; throws with its standard error when it fails. */
export async function measure(endpoint: Endpoint, args: readonly string[]): Promise<Measured> {
  const started = monotonicMs();
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  let peakMb: number | null = null;
  const sampler = setInterval(() => {
    const now = proportionalMb(child.pid);
    if (now !== null) peakMb = Math.max(peakMb ?? 0, now);
  }, 20);
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  clearInterval(sampler);
  const [first] = endpoint.arrivals;
  const last = endpoint.arrivals.at(-1);
  if (code !== 0 || first === undefined || last === undefined) {
    throw new Error(`node ${args.join(' ')} ended with ${code}\n${stderr}`);
  }
  return {
    firstRequestMs: first.at - started,
    loopMs: last.at - first.at,
    peakMb,
    bodies: endpoint.arrivals.map((arrival) => arrival.body),
  };
}

/** The share of memory that is the process's own, in MB; null where the kernel does not say. */
export function proportionalMb(pid: number | undefined): number | null {
  try {
    const match = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'));
    return match === null ? null : Number(match[1]) / 1024;
  } catch {
    // Not Linux, or the process is gone: the figure is left out.
    return null;
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/**
 * Share of requests whose earlier messages, and all that stands before them, are byte-identical to
 * the request before: the closing brackets of the earlier body aside, it is a prefix of the later.
 */
export function prefixShare(bodies: readonly string[]): number {
  let hits = 0;
  for (let i = 1; i < bodies.length; i += 1) {
    const earlier = (bodies[i - 1] ?? '').replace(/[\]}]+$/, '');
    if ((bodies[i] ?? '').startsWith(earlier)) hits += 1;
  }
  return bodies.length < 2 ? 1 : hits / (bodies.length - 1);
}
