import {
  type ArgumentNode,
  allCommands,
  type CommandNode,
  type OptionNode,
  oneLine,
} from './command-tree.ts';

export interface ManPageParts {
  readonly version: string;
  readonly exitCodes: readonly { readonly code: number; readonly meaning: string }[];
  /** What help texts say about exit codes: the page has a section for them. */
  readonly exitCodesText: string;
}

/**
 * The manual page of section 1, in the macros of man(7). It has a version and no date: the same program makes
 * the same bytes. Reads well in groff and mandoc.
 */
export function manPage(program: CommandNode, parts: ManPageParts): string {
  const [name = ''] = program.names;
  const lines = [
    `.TH ${escapeRoff(name.toUpperCase())} 1 "" ${quoted(`${name} ${parts.version}`)} "User Commands"`,
    // Words that are typed must not be broken at the end of a line.
    '.nh',
    '.ad l',
    '.SH NAME',
    ...paragraph(`${name} - ${program.description}`),
    '.SH SYNOPSIS',
    `.B ${escapeRoff(name)}`,
    markTerm(program.usage),
    '.SH DESCRIPTION',
    ...paragraph(`${program.description}. "${name} help COMMAND" shows the part of one command.`),
    '.SH OPTIONS',
    ...program.options.flatMap(item),
    '.SH COMMANDS',
    ...allCommands(program)
      .filter(({ path, isHelp }) => path.length > 0 && !isHelp)
      .flatMap((command) => commandLines(name, command, parts.exitCodesText.trim())),
    '.SH EXIT STATUS',
    ...parts.exitCodes.flatMap(({ code, meaning }) => ['.TP', `.B ${code}`, ...paragraph(meaning)]),
  ];
  return `${lines.join('\n')}\n`;
}

function commandLines(name: string, command: CommandNode, exitCodesText: string): string[] {
  const { path, usage, description, after } = command;
  const options = command.options.filter(({ isHelp }) => !isHelp);
  return [
    `.SS ${escapeRoff(oneLine([name, ...path, usage].join(' ')))}`,
    ...paragraph(description),
    ...command.arguments.flatMap(item),
    ...options.flatMap(item),
    ...(after === '' || after === exitCodesText ? [] : afterLines(after)),
  ];
}

function item({ term, details }: ArgumentNode | OptionNode): string[] {
  return ['.TP', markTerm(term), ...paragraph(details)];
}

/** Text after the options: one line is a paragraph, several keep their lines. */
function afterLines(text: string): string[] {
  if (!text.includes('\n')) return ['.PP', ...paragraph(text)];
  return ['.PP', '.nf', ...text.split('\n').map(verbatim), '.fi'];
}

/** Options in bold, names of values in italics. */
function markTerm(term: string): string {
  const marked = oneLine(term).replace(
    /(--?[\w-]+)|[<[]([^\]>]+)[>\]]|[^-<[]+|./gu,
    (text: string, option?: string, value?: string) => {
      if (option !== undefined) return `\\fB${escapeRoff(option)}\\fR`;
      if (value === undefined) return escapeRoff(text);
      return `${escapeRoff(text.slice(0, 1))}\\fI${escapeRoff(value)}\\fR${escapeRoff(text.slice(-1))}`;
    },
  );
  return guardLine(marked);
}

/** Longest line of the source, in bytes: mandoc's style. */
const LINE_LENGTH = 80;

/** Lines of text that no macro can be read from. An empty paragraph would be a fault of the page. */
function paragraph(text: string): string[] {
  const lines: string[] = [];
  for (const word of escapeRoff(oneLine(text)).split(' ')) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && longer.length <= LINE_LENGTH) lines.splice(-1, 1, longer);
    else lines.push(word);
  }
  return lines.map(guardLine);
}

/** A line that keeps its spaces. */
function verbatim(line: string): string {
  return guardLine(escapeRoff(line.replace(/\p{Cc}/gu, ' ')));
}

function guardLine(line: string): string {
  return line === '' || line.startsWith('.') ? `\\&${line}` : line;
}

function quoted(text: string): string {
  return `"${escapeRoff(oneLine(text))}"`;
}

/** What roff would read as something else: typographic quotes, hyphens that are not minus signs. */
const NAMED: Readonly<Record<string, string>> = {
  '\\': '\\(rs',
  '-': '\\-',
  "'": '\\(aq',
  '"': '\\(dq',
  '`': '\\(ga',
  '^': '\\(ha',
  '~': '\\(ti',
};

function escapeRoff(text: string): string {
  return text.replace(/[\\\-'"`^~]|[^ -~]/gu, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return NAMED[character] ?? `\\[u${code}]`;
  });
}
