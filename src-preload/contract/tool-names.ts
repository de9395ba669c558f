/** Tool names of this version, in the order in which models see them. */
export const TOOL_NAMES = [
  'execute_code',
  'shell_command',
  'execute_script',
  'sandbox_file',
  'web_search',
  'fetch_page',
  'invoke_skill',
  'list_skills',
  'load_skill',
  'read_file',
  'complete_skill_step',
  'ask_user',
  'request_human_approval',
  'delegate_to_research',
] as const;
export type ToolName = (typeof TOOL_NAMES)[number];
