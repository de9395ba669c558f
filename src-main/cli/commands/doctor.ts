import type { CheckItem, ModelServer, SandboxReport, SetupReport } from '#contract/entities.ts';
import type { CliEnvironment } from '../environment.ts';
import { EXIT } from '../exit-codes.ts';
import { Interruption } from '../interruption.ts';
import { openApp } from '../open-app.ts';
import { jsonLine, print } from '../output.ts';
import { type Style, styleFor } from '../style.ts';
import { showControls } from '../visible-text.ts';
import type { ReadFlags } from './runs.ts';

/**
 * `hyperagent doctor`: whether a task could run, what is available, and how to fix each thing that is not.
 * Resolves to the exit code: 1 if a task could not run.
 */
export async function runDoctor(flags: ReadFlags, environment: CliEnvironment): Promise<number> {
  const interruption = new Interruption();
  try {
    await using app = await openApp(environment, {
      dataDir: flags.dataDir,
      attended: false,
      readOnly: true,
    });
    const report = await app.api['setup.check']({}, { closed: interruption.signal });
    const text = flags.json
      ? jsonLine(report)
      : `${describeReport(report, styleFor(process.stdout, process.env))}\n`;
    print(text);
    return report.verdict.ready ? EXIT.complete : EXIT.failed;
  } finally {
    interruption.dispose();
  }
}

interface Line {
  readonly status: CheckItem['status'];
  readonly text: string;
  readonly remedy: string | null;
}

function describeReport(report: SetupReport, style: Style): string {
  const { ready, text } = report.verdict;
  const paint = ready ? style.green : style.red;
  return [
    paint(showControls(text)),
    '',
    style.bold(`HyperAgent ${report.version}`),
    '',
    style.bold('Models'),
    ...report.servers.flatMap((server) => describe(serverLine(server), style)),
    '',
    style.bold('Sandboxes'),
    ...report.sandboxes.flatMap((sandbox) => [
      ...describe(sandboxLine(sandbox), style),
      ...probeLines(sandbox).flatMap((line) => describe(line, style, '    ')),
    ]),
    '',
    style.bold('This machine'),
    ...report.items.flatMap((item) =>
      describe(
        { status: item.status, text: `${item.label}: ${item.detail}`, remedy: item.remedy },
        style,
      ),
    ),
  ].join('\n');
}

function serverLine(server: ModelServer): Line {
  const names = server.models.map((model) => `${model.name}${model.cloud ? ' (cloud)' : ''}`);
  const address = server.baseUrl === '' ? '' : ` at ${server.baseUrl}`;
  const models = names.length === 0 ? 'no models' : names.join(', ');
  return {
    status: server.reachable ? 'ok' : 'missing',
    text: `${server.label}${address}${server.reachable ? `: ${models}` : ''}`,
    remedy: server.problem,
  };
}

function sandboxLine(sandbox: SandboxReport): Line {
  const isIsolated = sandbox.probes.every((probe) => probe.held);
  return {
    status: !sandbox.available ? 'missing' : isIsolated ? 'ok' : 'failed',
    text: `${sandbox.kind}: ${sandbox.detail}`,
    remedy: sandbox.remedy,
  };
}

/** Blocked probes on one line; each probe that got through on its own, with what it reached. */
function probeLines({ probes }: SandboxReport): Line[] {
  const blocked = probes.filter((probe) => probe.held).map((probe) => probe.name);
  const gotThrough = probes.filter((probe) => !probe.held);
  return [
    ...(blocked.length === 0
      ? []
      : [{ status: 'ok' as const, text: `blocked: ${blocked.join(', ')}`, remedy: null }]),
    ...gotThrough.map(({ name, detail }) => ({
      status: 'failed' as const,
      text: `got through: ${name} (${detail})`,
      remedy: null,
    })),
  ];
}

function describe({ status, text, remedy }: Line, style: Style, indent = '  '): string[] {
  const mark = { ok: style.green('✓'), missing: style.yellow('–'), failed: style.red('✗') }[status];
  const lines = [`${indent}${mark} ${showControls(text)}`];
  return remedy === null ? lines : [...lines, `${indent}  → ${showControls(remedy)}`];
}
