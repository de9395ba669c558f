import type { CheckItem, ModelServer, SandboxReport, SetupReport } from '#contract/entities.ts';
import type { TextCleaner } from './text-cleaner.ts';

/** What `hyperagent doctor` shows: model servers, sandboxes with their isolation, browser, search and disk. */
export function setupSection(report: SetupReport, cleaner: TextCleaner): string[] {
  const { verdict, servers, sandboxes, items } = report;
  const item = (status: CheckItem['status'], text: string, remedy: string | null): string[] => [
    `  ${status}: ${text}`,
    ...(remedy === null ? [] : [`    to do: ${cleaner.line(remedy)}`]),
  ];
  return [
    cleaner.line(verdict.text),
    'Models',
    ...servers.flatMap((server) =>
      item(server.reachable ? 'ok' : 'missing', serverText(server, cleaner), server.problem),
    ),
    'Sandboxes',
    ...sandboxes.flatMap((sandbox) => [
      ...item(
        statusOf(sandbox),
        `${sandbox.kind}: ${cleaner.line(sandbox.detail)}`,
        sandbox.remedy,
      ),
      ...probeLines(sandbox, cleaner),
    ]),
    'This computer',
    ...items.flatMap(({ status, label, detail, remedy }) =>
      item(status, `${cleaner.constant(label)}: ${cleaner.line(detail)}`, remedy),
    ),
  ];
}

function serverText(
  { label, baseUrl, reachable, models }: ModelServer,
  cleaner: TextCleaner,
): string {
  const address = baseUrl === '' ? '' : ` at ${cleaner.address(baseUrl)}`;
  const names = models.map(({ name, cloud }) => `${cleaner.line(name)}${cloud ? ' (cloud)' : ''}`);
  const found = names.length === 0 ? 'no models' : names.join(', ');
  return `${cleaner.line(label)}${address}${reachable ? `: ${found}` : ''}`;
}

function statusOf({ available, probes }: SandboxReport): CheckItem['status'] {
  if (!available) return 'missing';
  return probes.every(({ held }) => held) ? 'ok' : 'failed';
}

function probeLines({ probes }: SandboxReport, cleaner: TextCleaner): string[] {
  const blocked = probes.filter(({ held }) => held).map(({ name }) => name);
  const gotThrough = probes.filter(({ held }) => !held);
  return [
    ...(blocked.length === 0 ? [] : [`    blocked: ${cleaner.line(blocked.join(', '))}`]),
    ...gotThrough.map(
      ({ name, detail }) => `    got through: ${cleaner.line(`${name} (${detail})`)}`,
    ),
  ];
}
