import type { ToolCategory } from './vocabulary.ts';

/** What a call does, before it is allowed, while it runs, and afterwards; one text where that does not matter. */
export type ToolTitle = string | Readonly<Record<'wants' | 'runs' | 'ran', string>>;

/** What the app knows of a tool everywhere: who may use it, and how the window shows its calls. */
export interface ToolFacts {
  /** Decides which agents have it. */
  readonly category: ToolCategory;
  readonly icon: 'code' | 'terminal' | 'file' | 'search' | 'page' | 'question' | 'skill' | 'tool';
  /** A title, or the argument that it depends on with a title for each of its values. */
  readonly title:
    | ToolTitle
    | { readonly argument: string; readonly titles: Readonly<Record<string, ToolTitle>> };
  /** The argument that is shown beside the title. */
  readonly subject: string;
  /** Only in runs that were started with `codeact`. */
  readonly onlyCodeact?: boolean;
  /** Called by the app itself; no agent has it. */
  readonly onlyApp?: boolean;
  /** No skill can take it away: needed to follow a skill, or to reach the user. */
  readonly alwaysAllowed?: boolean;
}

const running = (what: string): ToolTitle => ({
  wants: `Wants to run ${what}`,
  runs: `Running ${what}`,
  ran: `Ran ${what}`,
});

/** The tools of this version, in the order in which models see them. */
export const TOOLS = {
  execute_code: {
    category: 'code_exec',
    icon: 'code',
    title: {
      argument: 'language',
      titles: {
        python: running('Python'),
        javascript: running('JavaScript'),
        typescript: running('TypeScript'),
        bash: running('a command'),
      },
    },
    subject: 'code',
  },
  shell_command: {
    category: 'code_exec',
    icon: 'terminal',
    title: running('a command'),
    subject: 'command',
  },
  execute_script: {
    category: 'code_exec',
    icon: 'code',
    title: running('a script that calls tools'),
    subject: 'script',
    onlyCodeact: true,
  },
  run_tests: {
    category: 'code_exec',
    icon: 'terminal',
    title: { wants: 'Wants to run the tests', runs: 'Running the tests', ran: 'Ran the tests' },
    subject: 'runner',
    onlyApp: true,
  },
  sandbox_file: {
    category: 'data',
    icon: 'file',
    title: {
      argument: 'operation',
      titles: {
        read: { wants: 'Wants to read a file', runs: 'Read a file', ran: 'Read a file' },
        write: { wants: 'Wants to write a file', runs: 'Wrote a file', ran: 'Wrote a file' },
        list: { wants: 'Wants to list files', runs: 'Listed files', ran: 'Listed files' },
        delete: { wants: 'Wants to delete a file', runs: 'Deleted a file', ran: 'Deleted a file' },
        move: { wants: 'Wants to move a file', runs: 'Moved a file', ran: 'Moved a file' },
      },
    },
    subject: 'path',
  },
  analyze_image: {
    category: 'image',
    icon: 'file',
    title: {
      wants: 'Wants to look at a picture',
      runs: 'Looking at a picture',
      ran: 'Looked at a picture',
    },
    subject: 'path',
  },
  web_search: {
    category: 'search',
    icon: 'search',
    title: { wants: 'Wants to search', runs: 'Searching', ran: 'Searched' },
    subject: 'query',
  },
  fetch_page: {
    category: 'search',
    icon: 'page',
    title: { wants: 'Wants to read a page', runs: 'Reading a page', ran: 'Read a page' },
    subject: 'url',
  },
  invoke_skill: {
    category: 'skill',
    icon: 'skill',
    title: { wants: 'Wants to use a skill', runs: 'Using a skill', ran: 'Used a skill' },
    subject: 'skill_id',
  },
  list_skills: {
    category: 'skill',
    icon: 'skill',
    title: 'Listed the skills',
    subject: 'search',
    alwaysAllowed: true,
  },
  load_skill: {
    category: 'skill',
    icon: 'skill',
    title: 'Loaded a skill',
    subject: 'name',
    alwaysAllowed: true,
  },
  read_file: {
    category: 'skill',
    icon: 'file',
    title: 'Read a skill file',
    subject: 'path',
    alwaysAllowed: true,
  },
  complete_skill_step: {
    category: 'skill',
    icon: 'skill',
    title: 'Completed a step',
    subject: 'summary',
    alwaysAllowed: true,
  },
  ask_user: {
    category: 'hitl',
    icon: 'question',
    title: 'Asked you a question',
    subject: 'question',
    alwaysAllowed: true,
  },
  request_human_approval: {
    category: 'hitl',
    icon: 'question',
    title: 'Asked for approval',
    subject: 'checkpoint',
    alwaysAllowed: true,
  },
  delegate_to_research: {
    category: 'handoff',
    icon: 'tool',
    title: {
      wants: 'Wants to hand over to research',
      runs: 'Handed over to research',
      ran: 'Handed over to research',
    },
    subject: 'task',
  },
  make_plan: {
    category: 'handoff',
    icon: 'tool',
    // A call that is refused makes none.
    title: 'A plan for the task',
    subject: 'steps',
  },
} as const satisfies Readonly<Record<string, ToolFacts>>;

export type ToolName = keyof typeof TOOLS;
export const TOOL_NAMES = Object.keys(TOOLS) as readonly ToolName[];

/** What is known of a tool; null for a name that this version does not have. */
export function toolFacts(name: string): ToolFacts | null {
  return Object.hasOwn(TOOLS, name) ? TOOLS[name as ToolName] : null;
}
