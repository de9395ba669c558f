/**
 * Every code an error may carry across a boundary (request envelope, `error` event, terminal).
 * Callers branch on the code, never on the message. The value says when it is used.
 */
export const ERROR_CODES = {
  INTERNAL: 'A bug: nothing the person did; the log has the cause',
  BAD_REQUEST: 'A request, option or file that does not have the asked-for shape',
  NOT_FOUND: 'The named thing does not exist',
  CONFLICT: 'The thing is not in a state that allows this',
  UNAUTHORIZED: 'Wrong sender, origin, host or token',
  CANCELLED: 'The person stopped it',
  DISCONNECTED: 'A window lost its way to the app before the answer came',
  DATA_DIR_IN_USE: 'Another process works on the same data folder',
  DATA_DIR_UNUSABLE: 'The data folder cannot be created, read or written',
  DATABASE_CORRUPT: 'The database does not pass its own check',
  DATABASE_TOO_NEW: 'The database was written by a later version',
  DISK_FULL: 'No space left where the data lies',
  STORAGE_FAILED: 'The disk refused a read or write',
  ATTACHMENT_TOO_LARGE: 'A file is over the limit for attachments',
  ATTACHMENT_UNREADABLE: 'A file cannot be opened',
  NO_MODEL: 'No model was named and none is set',
  MODEL_SERVER_UNREACHABLE: 'Nothing answers at the address of the model server',
  MODEL_NOT_FOUND: 'The server does not have that model',
  MODEL_LACKS_TOOLS: 'The model cannot call tools',
  MODEL_LACKS_CAPABILITY: 'The model cannot do what was asked (vision, chat, thinking)',
  MODEL_UNAUTHORIZED: 'The server wants a key or a sign-in',
  MODEL_BAD_REQUEST: 'The server refused the request',
  MODEL_OVERLOADED: 'The server is busy or limits the rate',
  MODEL_LOAD_FAILED: 'The server could not load the model, mostly for lack of memory',
  MODEL_CONTEXT_EXCEEDED: 'The prompt does not fit the window of the model',
  MODEL_STREAM_BROKEN: 'The answer broke off: reset, cut, malformed, or an error in mid-stream',
  MODEL_STALLED: 'The server sent nothing for longer than the limit',
  MODEL_NOT_A_MODEL_SERVER: 'Something answers there, but it does not speak the protocol',
  MODEL_OUTPUT_INCOMPLETE: 'The model ran into its output limit before it was done',
  MODEL_REPEATS_FAILURES: 'The model keeps making calls that cannot be run',
  CLOUD_MODEL_NOT_ALLOWED:
    'The local server would forward this model to a cloud, and nobody agreed',
  SCRIPT_EXHAUSTED: 'The demonstration script has no answer for this',
  ROUND_LIMIT: 'The run reached its limit of rounds',
  RUN_TIMED_OUT: 'The run reached its time limit',
  RUN_INTERRUPTED: 'The app ended while the run was going on, and nothing carries it on',
  SANDBOX_UNAVAILABLE: 'No sandbox can be had; nothing is run without one',
  SANDBOX_NOT_PROVEN: 'A probe got through the wall; nothing is run',
  SANDBOX_BUILD_FAILED: 'The sandbox image could not be built',
  SANDBOX_LOST: 'The sandbox died or its engine went away',
  PATH_OUTSIDE_WORKSPACE: 'A path leads out of the workspace',
  FILE_TOO_LARGE: 'A file is over the limit for reading',
  EGRESS_DENIED: 'The network is off, the host is on no list, or its address is not a public one',
  FETCH_FAILED: 'A page could not be read: nobody answered, or not in time',
  SEARCH_FAILED: 'No search provider gave an answer',
  LIBRARY_UNREADABLE: 'A folder or a document of the library cannot be read',
  SKILL_MISSING: 'The mode or the person named a skill that is not there',
  SKILL_UNKNOWN: 'There is no skill of that name',
  SKILL_DISABLED: 'The person switched the skill off',
  SKILL_NEEDS_REVIEW: 'The skill is new or was changed, and nobody looked at it since',
  SKILL_TAMPERED: 'The source of the skill is not the one that was stored',
  SKILL_INPUT_INVALID: 'The parameters do not fit the skill',
  SKILL_OUTPUT_INVALID: 'What the skill gave does not fit its output schema',
  SKILL_TOOL_MISSING: 'The skill needs a tool that is not there',
  SKILL_TIMED_OUT: 'The skill reached its time limit',
  SKILL_ITERATION_LIMIT: 'The skill reached its limit of steps',
  SKILL_TOO_DEEP: 'Skills call skills more than three deep, or in a circle',
  SKILL_FAILED: 'The skill failed in its own work',
  SKILL_MODEL_ANSWER: 'The model gave no answer that the skill could use',
  SKILL_CODE_INVALID: 'The source does not parse, or says what it may not',
  SKILL_CAPABILITY_DENIED: 'The skill asked for what it was not granted',
  SKILL_MEMORY_LIMIT: 'The skill took more memory than it may',
  SKILL_CALL_LIMIT: 'The skill made more calls to the app than it may',
  SKILL_STEP_SKIPPED: 'A step of the skill, its file or its checkpoint was passed over',
  SKILL_FILE_REFUSED: 'A file is not one of the skill, or is a link',
  TOOL_UNKNOWN: 'The model named a tool that does not exist',
  TOOL_ARGUMENTS_INVALID: 'The arguments of a call do not fit the schema, or are not JSON',
  TOOL_FAILED: 'A tool threw',
  TOOL_DENIED: 'A person or a rule said no',
  OUTCOME_UNKNOWN:
    'A call may or may not have happened when the app ended, and the person stopped the run',
  APPROVAL_MISMATCH: 'The call is not the one that was approved',
  ALREADY_ANSWERED: 'Somebody answered first',
  GUARDRAIL_BLOCKED: 'A guardrail found something that is not let through, or could not look',
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;

export interface AppErrorOptions {
  /** Facts for the caller that are safe to show: names, limits, addresses; never secrets. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** An expected failure. `message` is for the person and says what to do. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.details = options.details ?? {};
  }
}

/** What crosses a boundary in place of an exception. */
export interface ErrorEnvelope {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** The envelope of any thrown value; what is not an `AppError` is a bug and becomes `INTERNAL`. */
export function toErrorEnvelope(error: unknown): ErrorEnvelope {
  if (error instanceof AppError) {
    return { code: error.code, message: error.message, details: error.details };
  }
  const text = error instanceof Error ? error.message : String(error);
  return {
    code: 'INTERNAL',
    message: `Something went wrong inside the app: ${text}. The log in the data folder has more.`,
    details: {},
  };
}
