/** Limits that both sides keep. Apart from the schemas, so that a window need not load zod for them. */

/** Files larger than this many bytes are refused as attachments. */
export const ATTACHMENT_LIMIT_BYTES = 25 * 1024 * 1024;
/** Most attachments of one message. */
export const ATTACHMENT_LIMIT_COUNT = 20;
/** Most events that one answer or one push carries. */
export const EVENT_PAGE_SIZE = 500;

/** Characters of an exported run that passes through a window. */
export const RUN_FILE_LIMIT_CHARS = 64 * 1024 * 1024;
