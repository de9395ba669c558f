import type { ErrorCode } from '#contract/errors.ts';
import type { RemedyName } from '../../strings/remedies.ts';

/** What the user can do about a run that failed. The first one of a remedy is what helps most. */
export type RemedyAction =
  | 'retry'
  | 'again'
  | 'editMessage'
  | 'chooseModel'
  | 'modelSettings'
  | 'allowCloud'
  | 'setupCheck'
  | 'network'
  | 'search'
  | 'images'
  | 'library'
  | 'guardrails'
  | 'data'
  | 'connectors'
  | 'skills';

/** The buttons of each remedy; its words are in the strings. */
export const REMEDY_ACTIONS: Readonly<Record<RemedyName, readonly RemedyAction[]>> = {
  retry: ['retry', 'again'],
  report: ['retry', 'again'],
  wait: ['retry', 'again'],
  startServer: ['retry', 'modelSettings', 'setupCheck'],
  stalled: ['retry', 'chooseModel'],
  lessMemory: ['chooseModel', 'modelSettings', 'again'],
  otherModel: ['chooseModel', 'again'],
  notInstalled: ['chooseModel', 'modelSettings', 'setupCheck'],
  noModel: ['chooseModel', 'setupCheck'],
  modelKey: ['modelSettings', 'retry'],
  modelAddress: ['modelSettings', 'setupCheck'],
  allowCloud: ['allowCloud', 'chooseModel'],
  shorter: ['editMessage', 'chooseModel'],
  lessAtOnce: ['editMessage', 'retry'],
  moreRounds: ['retry', 'modelSettings'],
  change: ['editMessage'],
  demo: ['chooseModel', 'setupCheck'],
  sandbox: ['setupCheck', 'retry'],
  sandboxBroken: ['setupCheck'],
  connector: ['connectors', 'retry'],
  allowHost: ['network', 'again'],
  search: ['search', 'retry'],
  images: ['images', 'retry'],
  imageFailed: ['retry', 'images'],
  library: ['library', 'again'],
  disk: ['retry', 'data'],
  data: ['data'],
  otherApp: ['retry'],
  skill: ['skills', 'again'],
  skillFailed: ['retry', 'skills'],
  guardrails: ['editMessage', 'guardrails'],
  denied: ['editMessage', 'again'],
  askedAgain: ['retry'],
  link: [],
  managed: ['chooseModel', 'setupCheck'],
  invalidPolicy: ['setupCheck'],
};

/** The remedy of each error. */
export const REMEDIES: Readonly<Record<ErrorCode, RemedyName>> = {
  INTERNAL: 'report',
  BAD_REQUEST: 'change',
  NOT_FOUND: 'change',
  CONFLICT: 'retry',
  UNAUTHORIZED: 'link',
  CANCELLED: 'retry',
  DISCONNECTED: 'retry',
  MANAGED: 'managed',
  POLICY_INVALID: 'invalidPolicy',
  DATA_DIR_IN_USE: 'otherApp',
  DATA_DIR_UNUSABLE: 'data',
  DATABASE_CORRUPT: 'data',
  DATABASE_TOO_NEW: 'data',
  DISK_FULL: 'disk',
  STORAGE_FAILED: 'disk',
  ATTACHMENT_TOO_LARGE: 'change',
  ATTACHMENT_UNREADABLE: 'change',
  PICTURE_UNREADABLE: 'change',
  PICTURE_TOO_LARGE: 'change',
  NO_MODEL: 'noModel',
  MODEL_SERVER_UNREACHABLE: 'startServer',
  MODEL_NOT_FOUND: 'notInstalled',
  MODEL_LACKS_TOOLS: 'otherModel',
  MODEL_LACKS_CAPABILITY: 'otherModel',
  MODEL_UNAUTHORIZED: 'modelKey',
  MODEL_BAD_REQUEST: 'otherModel',
  MODEL_OVERLOADED: 'wait',
  MODEL_LOAD_FAILED: 'lessMemory',
  MODEL_CONTEXT_EXCEEDED: 'shorter',
  MODEL_STREAM_BROKEN: 'retry',
  MODEL_STALLED: 'stalled',
  MODEL_NOT_A_MODEL_SERVER: 'modelAddress',
  MODEL_OUTPUT_INCOMPLETE: 'lessAtOnce',
  MODEL_REPEATS_FAILURES: 'otherModel',
  CLOUD_MODEL_NOT_ALLOWED: 'allowCloud',
  SCRIPT_EXHAUSTED: 'demo',
  ROUND_LIMIT: 'moreRounds',
  RUN_TIMED_OUT: 'lessAtOnce',
  RUN_INTERRUPTED: 'retry',
  SANDBOX_UNAVAILABLE: 'sandbox',
  SANDBOX_NOT_PROVEN: 'sandboxBroken',
  SANDBOX_BUILD_FAILED: 'sandbox',
  SANDBOX_LOST: 'retry',
  BROWSER_UNAVAILABLE: 'sandbox',
  BROWSER_LOST: 'retry',
  APP_UNAVAILABLE: 'sandbox',
  CONNECTOR_UNAVAILABLE: 'connector',
  CONNECTOR_FAILED: 'connector',
  IMAGE_UNAVAILABLE: 'images',
  IMAGE_FAILED: 'imageFailed',
  PATH_OUTSIDE_WORKSPACE: 'change',
  FILE_TOO_LARGE: 'change',
  EGRESS_DENIED: 'allowHost',
  FETCH_FAILED: 'retry',
  SEARCH_FAILED: 'search',
  LIBRARY_UNREADABLE: 'library',
  SKILL_MISSING: 'skill',
  SKILL_UNKNOWN: 'skill',
  SKILL_DISABLED: 'skill',
  SKILL_NEEDS_REVIEW: 'skill',
  SKILL_TAMPERED: 'skill',
  SKILL_INPUT_INVALID: 'change',
  SKILL_OUTPUT_INVALID: 'skillFailed',
  SKILL_TOOL_MISSING: 'skill',
  SKILL_TIMED_OUT: 'skillFailed',
  SKILL_ITERATION_LIMIT: 'skillFailed',
  SKILL_TOO_DEEP: 'skill',
  SKILL_FAILED: 'skillFailed',
  SKILL_MODEL_ANSWER: 'otherModel',
  SKILL_CODE_INVALID: 'skill',
  SKILL_CAPABILITY_DENIED: 'skill',
  SKILL_MEMORY_LIMIT: 'skill',
  SKILL_CALL_LIMIT: 'skill',
  SKILL_STEP_SKIPPED: 'skillFailed',
  SKILL_FILE_REFUSED: 'skill',
  TOOL_UNKNOWN: 'otherModel',
  TOOL_ARGUMENTS_INVALID: 'otherModel',
  TOOL_FAILED: 'retry',
  TOOL_DENIED: 'denied',
  OUTCOME_UNKNOWN: 'denied',
  APPROVAL_MISMATCH: 'askedAgain',
  ALREADY_ANSWERED: 'askedAgain',
  GUARDRAIL_BLOCKED: 'guardrails',
};

/** The remedy of a code as it is stored: one that this version does not know is tried again. */
export function remedyOf(code: string): RemedyName {
  const known: Readonly<Record<string, RemedyName>> = REMEDIES;
  return Object.hasOwn(known, code) ? (known[code] ?? 'retry') : 'retry';
}
