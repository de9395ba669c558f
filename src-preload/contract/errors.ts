/**
 * Every code an error may carry across a boundary (request envelope, `error` event, CLI). Callers
 * branch on the code, never on the message. The value says when it is used.
 */
export const ERROR_CODES = {
  INTERNAL: 'A bug, not caused by the user; the log has the cause',
  BAD_REQUEST: 'A request, option or file is invalid',
  NOT_FOUND: 'The requested object does not exist',
  CONFLICT: 'The object is not in a state that allows this',
  UNAUTHORIZED: 'Wrong sender, origin, host or token',
  CANCELLED: 'The user stopped it',
  DISCONNECTED: 'A window lost its connection to the app before the answer arrived',
  MANAGED: 'The policy of this computer sets or forbids it',
  POLICY_INVALID: 'The policy of this computer is wrong, so that nothing can be changed or started',
  DATA_DIR_IN_USE: 'Another process uses the same data folder',
  DATA_DIR_UNUSABLE: 'The data folder cannot be created, read or written',
  DATABASE_CORRUPT: 'The database failed its integrity check',
  DATABASE_TOO_NEW: 'The database was written by a later version',
  DISK_FULL: 'No space left on the disk of the data folder',
  STORAGE_FAILED: 'The disk refused a read or write',
  ATTACHMENT_TOO_LARGE: 'A file is over the limit for attachments',
  ATTACHMENT_UNREADABLE: 'A file cannot be opened',
  PICTURE_UNREADABLE: 'A file is not a picture, or a damaged one',
  PICTURE_TOO_LARGE: 'A picture is over the limit of pixels, bytes, memory or time',
  NO_MODEL: 'No model was chosen and no default is set',
  MODEL_SERVER_UNREACHABLE: 'Nothing answers at the address of the model server',
  MODEL_NOT_FOUND: 'The server does not have that model',
  MODEL_LACKS_TOOLS: 'The model cannot call tools',
  MODEL_LACKS_CAPABILITY: 'The model cannot do what was asked (vision, chat, thinking)',
  MODEL_UNAUTHORIZED: 'The server wants a key or a sign-in',
  MODEL_BAD_REQUEST: 'The server refused the request',
  MODEL_OVERLOADED: 'The server is busy or rate limited',
  MODEL_LOAD_FAILED: 'The server could not load the model, usually for lack of memory',
  MODEL_CONTEXT_EXCEEDED: 'The prompt does not fit the window of the model',
  MODEL_STREAM_BROKEN:
    'The answer broke off: reset, truncated, malformed, or an error in mid-stream',
  MODEL_STALLED: 'The server sent nothing for longer than the limit',
  MODEL_NOT_A_MODEL_SERVER: 'Something answers there, but it does not speak the protocol',
  MODEL_OUTPUT_INCOMPLETE: 'The model reached its output limit before it finished',
  MODEL_REPEATS_FAILURES: 'The model keeps making calls that cannot be run',
  CLOUD_MODEL_NOT_ALLOWED:
    'The local server would forward this model to a cloud, and the user has not allowed it',
  SCRIPT_EXHAUSTED: 'The demo script has no answer for this',
  ROUND_LIMIT: 'The run reached its limit of rounds',
  RUN_TIMED_OUT: 'The run reached its time limit',
  RUN_INTERRUPTED: 'The app ended during the run, and nothing resumes it',
  SANDBOX_UNAVAILABLE: 'No sandbox is available; nothing runs without one',
  SANDBOX_NOT_PROVEN: 'A probe broke the sandbox isolation; nothing runs',
  SANDBOX_BUILD_FAILED: 'The sandbox image could not be built',
  SANDBOX_LOST: 'The sandbox or its engine died',
  BROWSER_UNAVAILABLE: 'There is no browser that the agent can use, or it does not start',
  BROWSER_LOST: 'The browser ended while the agent used it',
  APP_UNAVAILABLE:
    'An app cannot be made or shown here: packages are missing, or the sandbox has no ports',
  CONNECTOR_UNAVAILABLE:
    'The server of a connector is off, does not start or does not answer, or its sandbox is missing',
  CONNECTOR_FAILED: 'The server of a connector answered a call with an error, or not in time',
  IMAGE_UNAVAILABLE: 'No server or service that makes pictures answers, or it has no key',
  IMAGE_FAILED: 'A server that makes pictures failed, refused, or answered with something else',
  PATH_OUTSIDE_WORKSPACE: 'A path leads out of the workspace',
  FILE_TOO_LARGE: 'A file is over the limit for reading',
  EGRESS_DENIED: 'The network is off, the host is not allowed, or its address is not public',
  FETCH_FAILED: 'A page could not be fetched: no answer, or not in time',
  SEARCH_FAILED: 'No search provider answered',
  LIBRARY_UNREADABLE: 'A folder or a document of the library cannot be read',
  SKILL_MISSING: 'The mode or the user named a skill that is not installed',
  SKILL_UNKNOWN: 'There is no skill with that name',
  SKILL_DISABLED: 'The user disabled the skill',
  SKILL_NEEDS_REVIEW: 'The skill is new or changed and has not been reviewed since',
  SKILL_TAMPERED: 'The source of the skill differs from the stored one',
  SKILL_INPUT_INVALID: 'The parameters do not fit the skill',
  SKILL_OUTPUT_INVALID: 'The output of the skill does not fit its output schema',
  SKILL_TOOL_MISSING: 'The skill needs a tool that is not available',
  SKILL_TIMED_OUT: 'The skill reached its time limit',
  SKILL_ITERATION_LIMIT: 'The skill reached its limit of steps',
  SKILL_TOO_DEEP: 'Skills call each other more than three levels deep, or in a cycle',
  SKILL_FAILED: 'The code of the skill failed',
  SKILL_MODEL_ANSWER: 'The model gave no answer that the skill could use',
  SKILL_CODE_INVALID: 'The source does not parse, or uses something forbidden',
  SKILL_CAPABILITY_DENIED: 'The skill used a capability that it was not granted',
  SKILL_MEMORY_LIMIT: 'The skill exceeded its memory limit',
  SKILL_CALL_LIMIT: 'The skill exceeded its limit of calls to the app',
  SKILL_STEP_SKIPPED: 'A step of the skill, or its file or checkpoint, was skipped',
  SKILL_FILE_REFUSED: 'A file does not belong to the skill, or is a link',
  TOOL_UNKNOWN: 'The model named a tool that does not exist',
  TOOL_ARGUMENTS_INVALID: 'The arguments of a call do not fit the schema, or are not JSON',
  TOOL_FAILED: 'A tool threw an error',
  TOOL_DENIED: 'The user or a rule denied the call',
  OUTCOME_UNKNOWN:
    'It is unknown whether a call happened before the app ended, and the user stopped the run',
  APPROVAL_MISMATCH: 'The call is not the one that was approved',
  ALREADY_ANSWERED: 'The question was already answered',
  GUARDRAIL_BLOCKED: 'A guardrail blocked the content, or could not scan it',
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;

export interface AppErrorOptions {
  /** Facts for the caller that are safe to show: names, limits, addresses; never secrets. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** An expected failure. `message` is for the user and says what to do. */
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

/** The envelope of any thrown value. Anything but an `AppError` is a bug and becomes `INTERNAL`. */
export function toErrorEnvelope(error: unknown): ErrorEnvelope {
  if (error instanceof AppError) {
    return { code: error.code, message: error.message, details: error.details };
  }
  const text = error instanceof Error ? error.message : String(error);
  return {
    code: 'INTERNAL',
    message: `Something went wrong in the app: ${text}. See the log in the data folder for details.`,
    details: {},
  };
}
