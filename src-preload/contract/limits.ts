/** Limits that both sides enforce. Separate from the schemas, so that a window need not load zod. */

/** Characters of what the user writes for every task. */
export const INSTRUCTIONS_LIMIT_CHARS = 4_000;
/** Bounds of the text size in pixels, and the size that the window is drawn for. */
export const FONT_SIZE = { min: 12, usual: 14, max: 20 } as const;
/** Files larger than this many bytes are refused as attachments that a window sends. */
export const ATTACHMENT_LIMIT_BYTES = 25 * 1024 * 1024;
/** The same for files that the CLI names: they are copied from where they are. */
export const ATTACHED_FILE_LIMIT_BYTES = 4 * 1024 * 1024 * 1024;
/** Maximum attachments of one message. */
export const ATTACHMENT_LIMIT_COUNT = 20;
/** Bytes of a text file of a task that the user edits in a window. */
export const EDITED_FILE_BYTES = 1024 * 1024;
/** Characters of each stream that a `code_result` event keeps, from the end; the terminal has all of it. */
export const CODE_RESULT_TAIL_CHARS = 4_000;
/** Maximum saved prompts, and maximum characters of the name and the text of one. */
export const PROMPT_LIMIT_COUNT = 100;
export const PROMPT_NAME_CHARS = 80;
export const PROMPT_TEXT_CHARS = 10_000;
/** Characters of one text that a user pastes into a page of the browser, or copies out of it. */
export const BROWSER_TEXT_CHARS = 100_000;
/** Resources with longer addresses and prompts with longer names are not offered. */
export const OFFER_URI_CHARS = 2_000;
export const OFFER_NAME_CHARS = 200;
/** Maximum events in one response or push. */
export const EVENT_PAGE_SIZE = 500;

/** Maximum characters of an exported run that passes through a window. */
export const RUN_FILE_LIMIT_CHARS = 64 * 1024 * 1024;
