import {
  allCommands,
  type CommandNode,
  oneLine,
  type Suggestion,
  type ValueNode,
} from '../command-tree.ts';

/** A name to complete, with its description on one line. */
export interface Choice {
  readonly name: string;
  readonly description: string;
}

/** What a command offers at the cursor. */
export interface Offer {
  /** The path of the command, such as `runs export`; empty for the program. */
  readonly command: string;
  readonly commands: readonly Choice[];
  readonly options: readonly Choice[];
}

/** How many values follow an option, or stand at the place of an argument. */
export type Count = 'one' | 'maybe' | 'many';

/** What a value may be, with all places where it may be that. */
export interface Slot {
  /** `COMMAND OPTION`, or `COMMAND NUMBER` for an argument, counted from 1. */
  readonly keys: readonly string[];
  readonly count: Count;
  readonly suggestion: Suggestion;
}

/** All that a completion script knows; the same for every shell. */
export interface Tables {
  readonly offers: readonly Offer[];
  readonly slots: readonly Slot[];
}

/** The tables of all commands. Aliases are commands of their own. */
export function tablesOf(program: CommandNode): Tables {
  const commands = allCommands(program).flatMap((node) =>
    pathsOf(program, node.path).map((command) => ({ node, command })),
  );
  const offers = commands.map(({ node, command }) => ({
    command,
    commands: choices(node.commands),
    options: choices(node.options),
  }));
  return { offers, slots: groupSlots(commands.flatMap(slotsOf)) };
}

/** All ways to write a path: each of its commands may have aliases. */
function pathsOf(program: CommandNode, path: readonly string[]): string[] {
  let parent: CommandNode | undefined = program;
  let paths = [''];
  for (const name of path) {
    parent = parent?.commands.find((one) => one.names[0] === name);
    const names = parent?.names ?? [name];
    paths = paths.flatMap((before) => names.map((one) => `${before} ${one}`.trim()));
  }
  return paths;
}

function choices(
  nodes: readonly { readonly names: readonly string[]; readonly description: string }[],
): Choice[] {
  return nodes.flatMap(({ names, description }) =>
    names.map((name) => ({ name, description: oneLine(description) })),
  );
}

interface Place {
  readonly key: string;
  readonly count: Count;
  readonly suggestion: Suggestion;
}

function slotsOf({ node, command }: { node: CommandNode; command: string }): Place[] {
  const place = (key: string, value: ValueNode, count: Count): Place => ({
    key: `${command} ${key}`,
    count,
    suggestion: value.suggestion,
  });
  const args = node.arguments.map((one, index) =>
    place(String(index + 1), one, one.isVariadic ? 'many' : 'one'),
  );
  const options = node.options.flatMap(({ names, value }) =>
    value === null ? [] : names.map((name) => place(name, value, countOf(value))),
  );
  return [...args, ...options];
}

function countOf({ isOptional, isVariadic }: ValueNode): Count {
  if (isVariadic) return 'many';
  return isOptional ? 'maybe' : 'one';
}

/** Most commands share a few options: their places make one entry. */
function groupSlots(places: readonly Place[]): Slot[] {
  const groups = Map.groupBy(places, ({ count, suggestion }) =>
    JSON.stringify([count, suggestion]),
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { count, suggestion } = first;
    return [{ keys: group.map(({ key }) => key), count, suggestion }];
  });
}
