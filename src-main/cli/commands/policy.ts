import type { PolicyDocument } from '#contract/policy.ts';
import { dataFolderFor } from '../../policy/data-folder.ts';
import { systemPolicy } from '../../policy/read-policy.ts';
import { systemSources } from '../../policy/sources.ts';
import type { Policy, PolicyState } from '../../policy/types.ts';
import type { CliEnvironment } from '../environment.ts';
import { EXIT } from '../exit-codes.ts';
import { jsonLine, print } from '../output.ts';
import { type Style, styleFor } from '../style.ts';
import { showControls } from '../visible-text.ts';

/**
 * `hyperagent doctor --policy`: what the policy of this computer holds, or what is wrong with it, by line. Returns the exit
 * code: 1 if it is invalid.
 */
export function showPolicy(
  { json }: { readonly json?: boolean },
  { policy = systemPolicy() }: Pick<CliEnvironment, 'policy'>,
): number {
  const style = styleFor(process.stdout, process.env);
  const lines = json === true ? [jsonLine(asJson(policy)).trimEnd()] : describe(policy, style);
  print(`${lines.join('\n')}\n`);
  return policy.state === 'invalid' ? EXIT.failed : EXIT.complete;
}

function asJson(state: PolicyState): unknown {
  if (state.state !== 'holds') return state;
  const { document, locked, defaults } = state.policy;
  return { state: 'holds', source: state.source, ...document, settings: locked, defaults };
}

function describe(state: PolicyState, style: Style): string[] {
  switch (state.state) {
    case 'none':
      return [
        'This computer has no policy: nothing is limited.',
        'It would be read from:',
        ...systemSources().map(({ name }) => `  ${name}`),
      ];
    case 'invalid':
      return [
        `${style.red('✗')} The policy is invalid: nothing can be changed or started until it is corrected.`,
        ...state.problems.map(({ line, text }) => {
          const place = line === null ? state.source : `${state.source}:${line}`;
          return `  ${shown(place)}: ${shown(text)}`;
        }),
      ];
    case 'holds':
      return describePolicy(state.policy, state.source, style);
  }
}

function describePolicy(
  { document, locked, defaults }: Policy,
  source: string,
  style: Style,
): string[] {
  const { organization, contact } = document;
  const of = organization === undefined ? '' : ` of ${shown(organization)}`;
  return [
    `${style.green('✓')} The policy${of} holds: ${shown(source)}`,
    ...(contact === undefined ? [] : [`  Contact: ${shown(contact)}`]),
    ...part('Settings that cannot be changed', settingLines(locked), style),
    ...part('Settings until the user changes them', settingLines(defaults), style),
    ...part('Limits', limitLines(document), style),
  ];
}

function part(title: string, lines: readonly string[], style: Style): string[] {
  return lines.length === 0 ? [] : ['', style.bold(title), ...lines];
}

function settingLines(settings: Policy['locked']): string[] {
  const entries = Object.entries(settings);
  const width = Math.max(...entries.map(([name]) => name.length)) + 2;
  return entries.map(([name, value]) => `  ${name.padEnd(width)}${shown(JSON.stringify(value))}`);
}

function limitLines(document: PolicyDocument): string[] {
  const { hosts, modelHosts, sandboxes, skills, connectors, dataFolder } = document;
  const rows: (readonly [string, string])[] = [];
  if (hosts?.allow !== undefined) rows.push(['hosts', listOf(hosts.allow)]);
  if (hosts !== undefined && hosts.deny.length > 0) rows.push(['never', listOf(hosts.deny)]);
  if (modelHosts !== undefined) rows.push(['models at', listOf(modelHosts)]);
  if (sandboxes !== undefined) rows.push(['sandboxes', listOf(sandboxes)]);
  if (skills?.from === 'shipped') rows.push(['skills', 'those that come with the app']);
  if (skills !== undefined && skills.block.length > 0)
    rows.push(['no skills', listOf(skills.block)]);
  if (connectors?.allow !== undefined) {
    const allowed = connectors.allow.map((one) =>
      'url' in one ? one.url : [one.command, ...one.args].join(' '),
    );
    rows.push(['connectors', listOf(allowed)]);
  }
  if (dataFolder !== undefined) rows.push(['data folder', dataFolderFor(dataFolder)]);
  return rows.map(([label, text]) => `  ${label.padEnd(13)}${shown(text)}`);
}

function listOf(items: readonly string[]): string {
  return items.length === 0 ? 'none' : items.join(', ');
}

function shown(text: string): string {
  return showControls(text);
}
