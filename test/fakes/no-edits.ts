import type { ToolParts } from '#main/tools/define-tool.ts';

/** For tests in which nobody changes files beside the model. */
export const noEdits: ToolParts['edits'] = { find: () => [], seen: () => undefined };
