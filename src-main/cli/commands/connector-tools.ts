import type { ConnectorTool } from '#contract/connectors.ts';
import { AppError } from '#contract/errors.ts';
import { makeVisible } from '#contract/visible-text.ts';
import { isConfirmed } from '../confirm.ts';
import type { CliEnvironment } from '../environment.ts';
import { EXIT, UsageError } from '../exit-codes.ts';
import { openApp } from '../open-app.ts';
import { jsonLine, print, printError } from '../output.ts';
import { plainTerminalText } from '../visible-text.ts';
import { AT_TERMINAL, connectorNamed } from './connectors.ts';
import type { ReadFlags } from './runs.ts';

interface ToolFlags extends ReadFlags {
  readonly approve?: true | readonly string[];
  readonly on?: readonly string[];
  readonly off?: readonly string[];
  readonly repeatable?: readonly string[];
  readonly yes?: boolean;
}

const STATES: Readonly<Record<ConnectorTool['state'], string>> = {
  new: 'waits for your review',
  approved: 'approved',
  changed: 'CHANGED since you approved it: off until you review it',
  gone: 'no longer offered',
  unusable: 'cannot be used',
};

/** Starts a server, shows its tools, and changes what the flags say. */
export async function showConnectorTools(
  name: string,
  flags: ToolFlags,
  environment: CliEnvironment,
): Promise<number> {
  const { dataDir, json } = flags;
  await using app = await openApp(environment, { dataDir, attended: false, readOnly: false });
  const { id: connectorId } = connectorNamed(app, name);
  const { tools } = await app.api['connectors.tools']({ connectorId, refresh: true }, AT_TERMINAL);
  const all = new Map(tools.map((tool) => [tool.name, tool]));
  for (const given of [flags.on, flags.off, flags.repeatable, flags.approve]) {
    if (given === true) continue;
    const unknown = given?.find((tool) => !all.has(tool));
    if (unknown !== undefined) {
      throw new AppError('NOT_FOUND', `"${name}" has no tool ${makeVisible(unknown)}.`);
    }
  }
  const change = (tool: string, changes: { isEnabled?: boolean; isRepeatable?: boolean }): void => {
    app.api['connectors.changeTool']({ connectorId, name: tool, ...changes });
  };
  for (const tool of flags.on ?? []) change(tool, { isEnabled: true });
  for (const tool of flags.off ?? []) change(tool, { isEnabled: false });
  for (const tool of flags.repeatable ?? []) change(tool, { isRepeatable: true });
  const wanted = flags.approve;
  const reviewed = tools.filter(
    ({ name: tool, state }) =>
      (state === 'new' || state === 'changed') &&
      (wanted === true || wanted === undefined || wanted.includes(tool)),
  );
  if (!json) {
    for (const tool of tools) print(wanted === undefined ? inShort(tool) : '');
    for (const tool of wanted === undefined ? [] : reviewed) print(inFull(tool));
  }
  if (wanted !== undefined && reviewed.length > 0) {
    const question = `Approve ${reviewed.length === 1 ? 'this tool' : `these ${reviewed.length} tools`} as shown?`;
    if (flags.yes !== true && !(await isConfirmed(question))) {
      printError('Nothing was approved.\n');
      return EXIT.failed;
    }
    app.api['connectors.approve']({
      connectorId,
      tools: reviewed.map(({ name: tool, sha256 }) => ({ name: tool, sha256 })),
    });
  }
  if (json) {
    const now = await app.api['connectors.tools']({ connectorId, refresh: false }, AT_TERMINAL);
    print(jsonLine(now.tools));
  } else if (wanted !== undefined) {
    print(`Approved ${reviewed.length} ${reviewed.length === 1 ? 'tool' : 'tools'}.\n`);
  } else if (reviewed.length > 0) {
    print(`${reviewed.length} wait for your review: hyperagent mcp tools ${name} --approve\n`);
  }
  return EXIT.complete;
}

/** One call by the user. Its answer is printed without what could control the terminal. */
export async function callConnector(
  name: string,
  { tool, given }: { readonly tool: string; readonly given: string },
  { dataDir, json }: ReadFlags,
  environment: CliEnvironment,
): Promise<number> {
  const parsed = parseArguments(given);
  await using app = await openApp(environment, { dataDir, attended: false, readOnly: false });
  const { id: connectorId } = connectorNamed(app, name);
  const answer = await app.api['connectors.call'](
    { connectorId, tool, arguments: parsed },
    AT_TERMINAL,
  );
  if (json) print(jsonLine(answer));
  else print(`${plainTerminalText(answer.text)}\n`);
  return answer.isError ? EXIT.failed : EXIT.complete;
}

export async function showConnectorLog(
  name: string,
  { dataDir, json }: ReadFlags,
  environment: CliEnvironment,
): Promise<number> {
  await using app = await openApp(environment, { dataDir, attended: false, readOnly: true });
  const { id: connectorId } = connectorNamed(app, name);
  const { lines } = app.api['connectors.log']({ connectorId });
  if (lines.length === 0 && !json) print('Nothing happened yet.\n');
  for (const line of lines) {
    const { at, kind, text } = line;
    print(
      json
        ? jsonLine(line)
        : `${new Date(at).toISOString()}  ${kind.padEnd(8)}${plainTerminalText(text)}\n`,
    );
  }
  return EXIT.complete;
}

function parseArguments(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
  } catch {
    // Said below, for both.
  }
  throw new UsageError(`The arguments are one JSON object, such as '{"path": "notes.txt"}'.`);
}

function inShort(tool: ConnectorTool): string {
  const { name, state, isEnabled, problem, tokens, warnings, now } = tool;
  const off = isEnabled ? '' : ', off';
  const cost = tokens > 0 ? `, ${tokens} tokens` : '';
  const first = makeVisible(now.description).split('\n', 1)[0]?.slice(0, 100) ?? '';
  return [
    `${makeVisible(name)}  ${STATES[state]}${off}${cost}`,
    ...(problem === null ? [] : [`  ${problem}`]),
    ...(first === '' ? [] : [`  ${first}`]),
    ...warnings.map((warning) => `  ! ${warning}`),
    '',
  ].join('\n');
}

function inFull(tool: ConnectorTool): string {
  const { name, state, warnings, now, approved } = tool;
  const body = (text: string): string =>
    makeVisible(text)
      .split('\n')
      .map((line) => `    ${line}`)
      .join('\n');
  return [
    `${makeVisible(name)}  ${STATES[state]}`,
    ...warnings.map((warning) => `  ! ${warning}`),
    ...(approved === null
      ? []
      : ['  Approved before:', body(approved.description), body(approved.inputSchema)]),
    '  It says:',
    body(now.description),
    '  Its arguments:',
    body(now.inputSchema),
    ...(now.more === '' ? [] : ['  Its answers, and how it is called:', body(now.more)]),
    ...(now.annotations === '' ? [] : ['  It claims (never believed):', body(now.annotations)]),
    '',
  ].join('\n');
}
