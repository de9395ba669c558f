import { describe, expect, test } from 'vitest';
import { ERROR_CODES } from '#contract/errors.ts';
import { RunEvent } from '#contract/events/run-event.ts';
import {
  ATTACHMENT_LIMIT_BYTES,
  EVENT_PAGE_SIZE,
  PushMessage,
  REQUESTS,
} from '#contract/requests.ts';
import { TOOL_NAMES } from '#contract/tools.ts';
import {
  AgentName,
  ApprovalPolicy,
  CodeLanguage,
  ExecutionOutcome,
  InterruptKind,
  ModelTier,
  NetworkPolicy,
  PolicyLevel,
  RiskLevel,
  RuleDecision,
  RuleMatch,
  RunMode,
  RunStatus,
  SandboxChoice,
  SandboxKind,
  SandboxLevel,
  ToolCallMeans,
  ToolCategory,
  ToolEffect,
} from '#contract/vocabulary.ts';

/**
 * Names that stored runs, scripts and models see. Add new names here. Changing or removing one breaks
 * stored data.
 */

test('event types', () => {
  expect(RunEvent.options.map(({ shape }) => shape.type.value)).toEqual([
    'stage',
    'complete',
    'error',
    'usage',
    'token',
    'reasoning',
    'image',
    'code_result',
    'tool_call',
    'tool_result',
    'source',
    'routing',
    'handoff',
    'search_plan',
    'knowledge_update',
    'report',
    'browser_stream',
    'browser_action',
    'workspace_update',
    'terminal_command',
    'terminal_output',
    'terminal_error',
    'terminal_complete',
    'skill_output',
    'skill_walk',
    'plan_step',
    'interrupt',
    'interrupt_response',
    'plan_overview',
    'plan_step_completed',
    'todo_update',
    'verification',
    'parallel_start',
    'parallel_task',
    'parallel_complete',
  ]);
});

test('every event has its run, number, time and type, and refuses unknown fields', () => {
  for (const event of RunEvent.options) {
    const issues = event.safeParse({ surprise: true }).error?.issues ?? [];
    const found = issues.map(({ code, path }) => (code === 'unrecognized_keys' ? code : path[0]));
    expect(found).toEqual(
      expect.arrayContaining(['runId', 'seq', 'at', 'type', 'unrecognized_keys']),
    );
  }
});

test('requests, and which of them may be repeated', () => {
  const requests = Object.entries(REQUESTS).map(([name, { effect }]) => `${name}: ${effect}`);
  expect(requests).toEqual([
    'skills.list: read',
    'skills.get: read',
    'skills.setEnabled: once',
    'skills.executions: read',
    'skills.check: read',
    'skills.save: once',
    'skills.versions: read',
    'skills.review: read',
    'skills.approve: once',
    'skills.remove: once',
    'skills.export: read',
    'skills.import: once',
    'skills.templates: read',
    'skills.refresh: once',
    'models.list: read',
    'models.profile: read',
    'models.check: once',
    'models.cancelCheck: read',
    'models.recommend: read',
    'models.pull: once',
    'models.cancelPull: read',
    'models.pulls: read',
    'runs.start: once',
    'runs.cancel: read',
    'runs.get: read',
    'runs.events: read',
    'runs.subscribe: read',
    'runs.unsubscribe: read',
    'runs.respond: once',
    'runs.resume: once',
    'runs.pause: once',
    'runs.retry: once',
    'runs.fork: once',
    'runs.edit: once',
    'runs.review: read',
    'runs.export: read',
    'runs.import: once',
    'runs.waiting: read',
    'plans.get: read',
    'plans.edit: once',
    'reports.export: read',
    'app.info: read',
    'setup.check: read',
    'threads.list: read',
    'threads.get: read',
    'threads.rename: once',
    'threads.delete: once',
    'attachments.add: once',
    'search.try: once',
    'settings.get: read',
    'settings.update: once',
    'secrets.set: once',
    'secrets.delete: once',
    'secrets.list: read',
    'rules.list: read',
    'rules.put: once',
    'rules.try: read',
    'rules.delete: once',
    'sandbox.status: read',
    'sandbox.build: once',
    'sandbox.programs: read',
    'sandbox.endPrograms: once',
    'egress.list: read',
    'library.list: read',
    'library.add: once',
    'library.remove: once',
    'library.refresh: once',
    'library.search: read',
    'files.list: read',
    'files.read: read',
    'snapshots.list: read',
    'snapshots.restore: once',
  ]);
  expect([ATTACHMENT_LIMIT_BYTES, EVENT_PAGE_SIZE]).toEqual([26_214_400, 500]);
});

test('every request refuses unknown fields', () => {
  for (const { input } of Object.values(REQUESTS)) {
    const issues = input.safeParse({ surprise: true }).error?.issues ?? [];
    expect(issues.map(({ code }) => code)).toContain('unrecognized_keys');
  }
});

test('pushes', () => {
  expect(PushMessage.options.map(({ shape }) => shape.kind.value)).toEqual([
    'events',
    'run_changed',
    'thread_changed',
    'thread_deleted',
    'settings_changed',
    'waiting_changed',
    'sandbox_progress',
    'model_check',
    'egress',
    'model_pull',
    'library_changed',
    'skills_changed',
    'plan_changed',
    'database_damaged',
  ]);
});

test('error codes', () => {
  expect(Object.keys(ERROR_CODES)).toEqual([
    'INTERNAL',
    'BAD_REQUEST',
    'NOT_FOUND',
    'CONFLICT',
    'UNAUTHORIZED',
    'CANCELLED',
    'DISCONNECTED',
    'DATA_DIR_IN_USE',
    'DATA_DIR_UNUSABLE',
    'DATABASE_CORRUPT',
    'DATABASE_TOO_NEW',
    'DISK_FULL',
    'STORAGE_FAILED',
    'ATTACHMENT_TOO_LARGE',
    'ATTACHMENT_UNREADABLE',
    'PICTURE_UNREADABLE',
    'PICTURE_TOO_LARGE',
    'NO_MODEL',
    'MODEL_SERVER_UNREACHABLE',
    'MODEL_NOT_FOUND',
    'MODEL_LACKS_TOOLS',
    'MODEL_LACKS_CAPABILITY',
    'MODEL_UNAUTHORIZED',
    'MODEL_BAD_REQUEST',
    'MODEL_OVERLOADED',
    'MODEL_LOAD_FAILED',
    'MODEL_CONTEXT_EXCEEDED',
    'MODEL_STREAM_BROKEN',
    'MODEL_STALLED',
    'MODEL_NOT_A_MODEL_SERVER',
    'MODEL_OUTPUT_INCOMPLETE',
    'MODEL_REPEATS_FAILURES',
    'CLOUD_MODEL_NOT_ALLOWED',
    'SCRIPT_EXHAUSTED',
    'ROUND_LIMIT',
    'RUN_TIMED_OUT',
    'RUN_INTERRUPTED',
    'SANDBOX_UNAVAILABLE',
    'SANDBOX_NOT_PROVEN',
    'SANDBOX_BUILD_FAILED',
    'SANDBOX_LOST',
    'PATH_OUTSIDE_WORKSPACE',
    'FILE_TOO_LARGE',
    'EGRESS_DENIED',
    'FETCH_FAILED',
    'SEARCH_FAILED',
    'LIBRARY_UNREADABLE',
    'SKILL_MISSING',
    'SKILL_UNKNOWN',
    'SKILL_DISABLED',
    'SKILL_NEEDS_REVIEW',
    'SKILL_TAMPERED',
    'SKILL_INPUT_INVALID',
    'SKILL_OUTPUT_INVALID',
    'SKILL_TOOL_MISSING',
    'SKILL_TIMED_OUT',
    'SKILL_ITERATION_LIMIT',
    'SKILL_TOO_DEEP',
    'SKILL_FAILED',
    'SKILL_MODEL_ANSWER',
    'SKILL_CODE_INVALID',
    'SKILL_CAPABILITY_DENIED',
    'SKILL_MEMORY_LIMIT',
    'SKILL_CALL_LIMIT',
    'SKILL_STEP_SKIPPED',
    'SKILL_FILE_REFUSED',
    'TOOL_UNKNOWN',
    'TOOL_ARGUMENTS_INVALID',
    'TOOL_FAILED',
    'TOOL_DENIED',
    'OUTCOME_UNKNOWN',
    'APPROVAL_MISMATCH',
    'ALREADY_ANSWERED',
    'GUARDRAIL_BLOCKED',
  ]);
});

describe('vocabulary', () => {
  test('tool names, in the order in which models see them', () => {
    expect(TOOL_NAMES).toEqual([
      'execute_code',
      'shell_command',
      'execute_script',
      'run_tests',
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
    ]);
  });

  test.each([
    ['RunMode', RunMode, ['task', 'research', 'data', 'app', 'image', 'slide']],
    [
      'RunStatus',
      RunStatus,
      ['queued', 'running', 'waiting', 'paused', 'completed', 'unverified', 'failed', 'cancelled'],
    ],
    ['ModelTier', ModelTier, ['max', 'pro', 'flash']],
    ['ToolCallMeans', ToolCallMeans, ['native', 'text', 'constrained', 'protocol']],
    ['AgentName', AgentName, ['orchestrator', 'planner', 'executor', 'research']],
    [
      'ToolCategory',
      ToolCategory,
      [
        'search',
        'image',
        'slides',
        'browser',
        'code_exec',
        'data',
        'app_builder',
        'skill',
        'hitl',
        'handoff',
      ],
    ],
    ['RiskLevel', RiskLevel, ['low', 'medium', 'high']],
    ['ToolEffect', ToolEffect, ['read', 'idempotent', 'probeable', 'opaque']],
    ['CodeLanguage', CodeLanguage, ['python', 'javascript', 'typescript', 'bash']],
    ['SandboxKind', SandboxKind, ['docker', 'os', 'e2b']],
    ['SandboxChoice', SandboxChoice, ['auto', 'docker', 'os', 'e2b']],
    ['SandboxLevel', SandboxLevel, ['docker', 'bubblewrap', 'seatbelt', 'e2b']],
    ['NetworkPolicy', NetworkPolicy, ['offline', 'allowlist', 'open']],
    ['ApprovalPolicy', ApprovalPolicy, ['ask', 'never', 'all']],
    ['PolicyLevel', PolicyLevel, ['ask_risky', 'ask_high', 'unattended']],
    ['RuleDecision', RuleDecision, ['approve', 'deny', 'ask']],
    ['RuleMatch', RuleMatch, ['arguments', 'path', 'host', 'argv']],
    [
      'ExecutionOutcome',
      ExecutionOutcome,
      ['completed', 'timed_out', 'out_of_memory', 'out_of_disk', 'cancelled', 'sandbox_lost'],
    ],
    ['InterruptKind', InterruptKind, ['approval', 'decision', 'input', 'confirm', 'checkpoint']],
  ])('%s', (_name, schema, values) => {
    expect(schema.options).toEqual(values);
  });
});
