import type { ToolCategory } from './vocabulary.ts';

/** What a call does, before it is allowed, while it runs, and afterwards; one text where that does not matter. */
export type ToolTitle = string | Readonly<Record<'wants' | 'runs' | 'ran', string>>;

/** Tools that come together, and are sent to models only where a task needs them. */
export const TOOL_FAMILIES = ['browser', 'app', 'slides', 'images'] as const;
export type ToolFamily = (typeof TOOL_FAMILIES)[number];

/** What the app knows of a tool everywhere: who may use it, and how the window shows its calls. */
export interface ToolFacts {
  /** Decides which agents have it. */
  readonly category: ToolCategory;
  readonly icon: 'code' | 'terminal' | 'file' | 'search' | 'page' | 'question' | 'skill' | 'tool';
  /** A title, or the argument that it depends on with a title for each of its values. */
  readonly title:
    | ToolTitle
    | { readonly argument: string; readonly titles: Readonly<Record<string, ToolTitle>> };
  /** The argument that is shown beside the title; empty for none. */
  readonly subject: string;
  /** Only once this family is loaded for the task. */
  readonly family?: ToolFamily;
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

const ofBrowser = { category: 'browser', family: 'browser' } as const;
const ofApp = { category: 'app_builder', family: 'app' } as const;

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
  load_tools: {
    category: 'handoff',
    icon: 'tool',
    title: 'Loaded more tools',
    subject: 'family',
    alwaysAllowed: true,
  },
  search_tools: {
    category: 'connector',
    icon: 'tool',
    title: {
      wants: 'Wants to look for a tool',
      runs: 'Looking for a tool',
      ran: 'Looked for a tool',
    },
    subject: 'query',
  },
  call_tool: {
    category: 'connector',
    icon: 'tool',
    title: { wants: 'Wants to call a tool', runs: 'Calling a tool', ran: 'Called a tool' },
    subject: 'name',
  },
  browser_navigate: {
    ...ofBrowser,
    icon: 'page',
    title: { wants: 'Wants to open a page', runs: 'Opening a page', ran: 'Opened a page' },
    subject: 'url',
  },
  browser_back: {
    ...ofBrowser,
    icon: 'page',
    title: 'Went back a page',
    subject: '',
  },
  browser_snapshot: {
    ...ofBrowser,
    icon: 'page',
    title: 'Looked at the page',
    subject: 'ref',
  },
  browser_find: {
    ...ofBrowser,
    icon: 'search',
    title: 'Searched the page',
    subject: 'text',
  },
  browser_click: {
    ...ofBrowser,
    icon: 'page',
    title: { wants: 'Wants to click', runs: 'Clicking', ran: 'Clicked' },
    subject: 'ref',
  },
  browser_hover: {
    ...ofBrowser,
    icon: 'page',
    title: 'Moved the mouse',
    subject: 'ref',
  },
  browser_type: {
    ...ofBrowser,
    icon: 'page',
    title: { wants: 'Wants to type', runs: 'Typing', ran: 'Typed' },
    subject: 'text',
  },
  browser_press_key: {
    ...ofBrowser,
    icon: 'page',
    title: { wants: 'Wants to press a key', runs: 'Pressing a key', ran: 'Pressed a key' },
    subject: 'key',
  },
  browser_select: {
    ...ofBrowser,
    icon: 'page',
    title: {
      wants: 'Wants to choose an option',
      runs: 'Choosing an option',
      ran: 'Chose an option',
    },
    subject: 'ref',
  },
  browser_drag: {
    ...ofBrowser,
    icon: 'page',
    title: { wants: 'Wants to drag', runs: 'Dragging', ran: 'Dragged' },
    subject: 'from',
  },
  browser_scroll: {
    ...ofBrowser,
    icon: 'page',
    title: 'Scrolled the page',
    subject: 'ref',
  },
  browser_upload: {
    ...ofBrowser,
    icon: 'page',
    title: { wants: 'Wants to upload files', runs: 'Uploading files', ran: 'Uploaded files' },
    subject: 'ref',
  },
  browser_tabs: {
    ...ofBrowser,
    icon: 'page',
    title: 'Used the tabs',
    subject: 'tab',
  },
  browser_dialog: {
    ...ofBrowser,
    icon: 'page',
    title: {
      wants: 'Wants to answer a dialog',
      runs: 'Answering a dialog',
      ran: 'Answered a dialog',
    },
    subject: 'text',
  },
  browser_wait: {
    ...ofBrowser,
    icon: 'page',
    title: 'Waited for the page',
    subject: 'text',
  },
  browser_screenshot: {
    ...ofBrowser,
    icon: 'page',
    title: 'Took a picture of the page',
    subject: 'whole_page',
  },
  browser_get_stream_url: {
    ...ofBrowser,
    icon: 'page',
    title: 'Named where to watch the browser',
    subject: '',
  },
  create_app_project: {
    ...ofApp,
    icon: 'file',
    title: { wants: 'Wants to create an app', runs: 'Creating an app', ran: 'Created an app' },
    subject: 'name',
  },
  app_write_file: {
    ...ofApp,
    icon: 'file',
    title: { wants: 'Wants to write a file', runs: 'Wrote a file', ran: 'Wrote a file' },
    subject: 'path',
  },
  app_start_server: {
    ...ofApp,
    icon: 'terminal',
    title: { wants: 'Wants to start the app', runs: 'Starting the app', ran: 'Started the app' },
    subject: 'command',
  },
  app_run_command: {
    ...ofApp,
    icon: 'terminal',
    title: running('a command'),
    subject: 'command',
  },
  app_install_packages: {
    ...ofApp,
    icon: 'terminal',
    title: {
      wants: 'Wants to install packages',
      runs: 'Installing packages',
      ran: 'Installed packages',
    },
    subject: 'packages',
  },
  app_get_preview_url: {
    ...ofApp,
    icon: 'page',
    title: 'Named where the app is shown',
    subject: '',
  },
  app_read_log: {
    ...ofApp,
    icon: 'terminal',
    title: 'Read what the server printed',
    subject: '',
  },
  app_check: {
    ...ofApp,
    icon: 'page',
    title: { wants: 'Wants to check the app', runs: 'Checking the app', ran: 'Checked the app' },
    subject: '',
  },
  generate_slides: {
    category: 'slides',
    family: 'slides',
    icon: 'file',
    title: { wants: 'Wants to make slides', runs: 'Making slides', ran: 'Made slides' },
    subject: 'title',
  },
  generate_image: {
    category: 'image',
    family: 'images',
    icon: 'file',
    title: { wants: 'Wants to make a picture', runs: 'Making a picture', ran: 'Made a picture' },
    subject: 'prompt',
  },
} as const satisfies Readonly<Record<string, ToolFacts>>;

export type ToolName = keyof typeof TOOLS;
export const TOOL_NAMES = Object.keys(TOOLS) as readonly ToolName[];

/** What is known of a tool; null for a name that this version does not have. */
export function toolFacts(name: string): ToolFacts | null {
  return Object.hasOwn(TOOLS, name) ? TOOLS[name as ToolName] : null;
}

/** The tools of a family, in their order. */
export function toolsOfFamily(family: ToolFamily): ToolName[] {
  return TOOL_NAMES.filter((name) => toolFacts(name)?.family === family);
}
