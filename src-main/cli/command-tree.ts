import type { Argument, Command, Help, Option } from 'commander';

/** What a value may be: one of these words, a path, or anything. */
export type Suggestion =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'files' | 'folders' | 'anything' };

export interface ValueNode {
  /** It may be left out. */
  readonly isOptional: boolean;
  /** Several may follow one another. */
  readonly isVariadic: boolean;
  readonly suggestion: Suggestion;
}

export interface ArgumentNode extends ValueNode {
  /** Such as `<file>` or `[paths...]`. */
  readonly term: string;
  readonly description: string;
  /** The description with choices and default, as the help text shows it. */
  readonly details: string;
}

export interface OptionNode {
  /** Such as `-o` and `--output`. */
  readonly names: readonly string[];
  /** Such as `-o, --output <file>`. */
  readonly term: string;
  readonly description: string;
  /** The description with choices and default, as the help text shows it. */
  readonly details: string;
  /** Null for an option without a value. */
  readonly value: ValueNode | null;
  /** It comes with every command: `--help`. */
  readonly isHelp: boolean;
}

export interface CommandNode {
  /** The names from the first command on; empty for the program itself. */
  readonly path: readonly string[];
  /** The name, then the aliases. */
  readonly names: readonly string[];
  readonly description: string;
  /** Arguments and options in short, such as `[options] <run>`. */
  readonly usage: string;
  /** What the help text says after the options, or nothing. */
  readonly after: string;
  readonly arguments: readonly ArgumentNode[];
  readonly options: readonly OptionNode[];
  readonly commands: readonly CommandNode[];
  /** It comes with every command that has subcommands: `help`. */
  readonly isHelp: boolean;
}

/** The commands, options and arguments that the help text of `program` shows, as data. */
export function describeProgram(program: Command): CommandNode {
  return describeCommand(program, [], program.createHelp());
}

/** A command and all below it, in the order of the help text. */
export function allCommands(command: CommandNode): CommandNode[] {
  return [command, ...command.commands.flatMap(allCommands)];
}

/** A text without line breaks and other control characters. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}

function describeCommand(command: Command, path: readonly string[], help: Help): CommandNode {
  const visible = help.visibleCommands(command);
  const commands = visible.map((one) => {
    const node = describeCommand(one, [...path, one.name()], help);
    return command.commands.includes(one) ? node : helpCommand(node, visible);
  });
  return {
    path,
    names: [command.name(), ...command.aliases()],
    description: command.description(),
    usage: command.usage(),
    after: textAfterHelp(command),
    arguments: command.registeredArguments.map((one) => describeArgument(one, help)),
    options: help
      .visibleOptions(command)
      .map((one) => describeOption(one, help, !command.options.includes(one))),
    commands,
    isHelp: false,
  };
}

/** Commander declares its `help` without choices: they are the commands beside it. */
function helpCommand(node: CommandNode, siblings: readonly Command[]): CommandNode {
  const words = siblings.map((one) => one.name()).filter((name) => name !== node.names[0]);
  const choices: Suggestion = { kind: 'words', words };
  const [first, ...others] = node.arguments;
  const args = first === undefined ? [] : [{ ...first, suggestion: choices }, ...others];
  return { ...node, arguments: args, isHelp: true };
}

function describeArgument(argument: Argument, help: Help): ArgumentNode {
  const { required, variadic, argChoices, description } = argument;
  const shown = `${argument.name()}${variadic ? '...' : ''}`;
  return {
    term: required ? `<${shown}>` : `[${shown}]`,
    description,
    details: help.argumentDescription(argument),
    isOptional: !required,
    isVariadic: variadic,
    suggestion: suggest(argChoices, argument.name()),
  };
}

function describeOption(option: Option, help: Help, isHelp: boolean): OptionNode {
  const [, name = ''] = /[<[](.+?)(?:\.\.\.)?[>\]]/.exec(option.flags) ?? [];
  const value: ValueNode = {
    isOptional: option.optional,
    isVariadic: option.variadic,
    suggestion: suggest(option.argChoices, name),
  };
  return {
    names: [option.short, option.long].filter((one) => one !== undefined),
    term: help.optionTerm(option),
    description: option.description,
    details: help.optionDescription(option),
    value: option.required || option.optional ? value : null,
    isHelp,
  };
}

/** What takes a path says so by the name of its value. */
function suggest(choices: readonly string[] | undefined, name: string): Suggestion {
  if (choices !== undefined) return { kind: 'words', words: choices };
  if (/^(?:file|path)s?$/.test(name)) return { kind: 'files' };
  if (/^(?:dir|folder)s?$/.test(name)) return { kind: 'folders' };
  return { kind: 'anything' };
}

/** Commander has no getter for it: `outputHelp` writes the help text, then this. */
function textAfterHelp(command: Command): string {
  const output = command.configureOutput();
  const written: string[] = [];
  command.configureOutput({ ...output, writeOut: (text) => written.push(text) });
  command.outputHelp();
  command.configureOutput(output);
  return written.slice(1).join('').trim();
}
