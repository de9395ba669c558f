import { z } from 'zod';
import type { ProbeResult } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
import type { SandboxKind } from '#contract/vocabulary.ts';
import { parseOutsideJson } from '../../base/outside-json.ts';
import type { CommandResult, SandboxRuntime } from '../types.ts';
import {
  type HostFactsForProbes,
  type InsideFacts,
  makeProbeTargets,
  type ProbeTargets,
} from './probe-targets.ts';

/** What `print_report` of `resources/sandbox/probe_kit.py` prints. */
const ProbeReport = z.record(
  z.string(),
  z.object({
    attempts: z.array(z.string()),
    breaches: z.array(z.string()),
    error: z.string().nullable(),
  }),
);

/** Every required probe; a report without one of them proves nothing. */
export const PROBE_NAMES = [
  'write_outside',
  'mounts',
  'read_secret',
  'connect_loopback',
  'connect_public',
  'resolve_names',
  'egress_proxy',
  'engine_socket',
  'host_sockets',
  'host_processes',
  'signal_and_trace',
  'host_environment',
  'namespaces',
  'raw_devices',
  'kernel_interfaces',
  'privileges',
  'descriptors',
] as const;

/**
 * Probes take a third of a second. On a computer that is busy or was just asleep, waiting long is better than
 * calling its sandbox unproven. The program's own time limit (`PATIENCE` in `isolation_probes.py`) is half of it.
 */
const TIMEOUT_MS = 120_000;

export interface IsolationProbeParts {
  /** The text of the probe program, see `readProbeProgram`. */
  readonly program: string;
  readonly inside: InsideFacts;
  readonly host: HostFactsForProbes;
  /** Whether the runtime has a channel, and so a proxy to try. */
  readonly hasChannel: boolean;
  /** Selects what the program learns about the targets; everything unless given. */
  readonly describe?: (
    targets: Readonly<Record<string, unknown>>,
  ) => Readonly<Record<string, unknown>>;
  /** Starts a fresh runtime like those that run commands; it is disposed afterwards. */
  readonly start: (signal: AbortSignal) => Promise<SandboxRuntime>;
}

/**
 * Tries to break out of a fresh runtime in every known way, and checks on the host whether anything came
 * through. A probe passes only if its attempts were really made and all of them failed.
 */
export async function runIsolationProbes(
  parts: IsolationProbeParts,
  signal: AbortSignal,
): Promise<ProbeResult[]> {
  const [targets, runtime] = await startBoth(parts, signal);
  try {
    // Isolated and without site packages: faster, and no code of the user runs before the probes.
    const described = parts.describe?.(targets.description) ?? targets.description;
    const program = `TARGETS = ${pythonJson(described)}\n${parts.program}`;
    const code = `python3 -I -S - <<'END OF PROBES'\n${program}\nEND OF PROBES\n`;
    const result = await runtime.run(
      { commandId: 'isolation-probes', language: 'bash', code, timeoutMs: TIMEOUT_MS },
      { signal, onOutput: () => undefined },
    );
    if (result.outcome === 'cancelled') signal.throwIfAborted();
    return judge(result, await targets.findBreaches());
  } finally {
    await Promise.all([targets.dispose(), runtime[Symbol.asyncDispose]()]);
  }
}

async function startBoth(
  { inside, host, start, hasChannel }: IsolationProbeParts,
  signal: AbortSignal,
): Promise<[ProbeTargets, SandboxRuntime]> {
  const [targets, runtime] = await Promise.allSettled([
    makeProbeTargets(hasChannel ? inside : { ...inside, proxyPort: null }, host),
    start(signal),
  ]);
  if (targets.status === 'fulfilled' && runtime.status === 'fulfilled') {
    return [targets.value, runtime.value];
  }
  if (targets.status === 'fulfilled') await targets.value.dispose();
  if (runtime.status === 'fulfilled') await runtime.value[Symbol.asyncDispose]();
  throw targets.status === 'rejected' ? targets.reason : (runtime as PromiseRejectedResult).reason;
}

function judge(
  result: CommandResult,
  seenFromHost: readonly { probe: string; fact: string }[],
): ProbeResult[] {
  const report = parseReport(result);
  return PROBE_NAMES.map((name) => {
    const reported = report[name];
    const breaches = [
      ...(reported?.breaches ?? []),
      ...seenFromHost.filter(({ probe }) => probe === name).map(({ fact }) => fact),
    ];
    if (breaches.length > 0) return { name, held: false, detail: breaches.join('; ') };
    if (reported === undefined || reported.error !== null || reported.attempts.length === 0) {
      const why = reported?.error ?? problemOf(result);
      return { name, held: false, detail: `could not be tried: ${why}` };
    }
    return { name, held: true, detail: reported.attempts.join('; ') };
  });
}

function parseReport(result: CommandResult): z.infer<typeof ProbeReport> {
  if (result.outcome !== 'completed' || result.exitCode !== 0) return {};
  try {
    return ProbeReport.parse(parseOutsideJson(result.stdout));
  } catch {
    // Not a report; every probe then counts as not tried.
    return {};
  }
}

function problemOf(result: CommandResult): string {
  const last = result.stderr.trim().split('\n').at(-1) ?? '';
  return `the probe program ended as ${result.outcome} with ${result.exitCode}${last === '' ? '' : `: ${last}`}`;
}

/** A Python expression for `value`: the text of a JSON string is also one of a Python string. */
function pythonJson(value: unknown): string {
  return `__import__("json").loads(${JSON.stringify(JSON.stringify(value))})`;
}

const LABELS: Readonly<Record<SandboxKind, string>> = {
  docker: 'Docker sandbox',
  os: 'sandbox of this system',
  landlock: 'Landlock sandbox',
  e2b: 'sandbox at E2B',
};

/** Throws `SANDBOX_NOT_PROVEN`, naming what got through, unless every probe held. */
export function assertProven(kind: SandboxKind, results: readonly ProbeResult[]): void {
  const failed = results.filter((result) => !result.held);
  if (results.length > 0 && failed.length === 0) return;
  const first = failed[0];
  throw new AppError(
    'SANDBOX_NOT_PROVEN',
    `The ${LABELS[kind]} failed its isolation check, so nothing runs in it: ${first === undefined ? 'no probe was run' : `${first.name} (${first.detail})`}. Run the setup check to see all probes, or choose another sandbox in the settings.`,
    { details: { kind, failed: failed.map(({ name, detail }) => ({ name, detail })) } },
  );
}
