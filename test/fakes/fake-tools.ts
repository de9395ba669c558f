import { z } from 'zod';
import type { ApprovalRule, RuleDraft } from '#contract/entities.ts';
import type { RunEventDraft } from '#contract/events/run-event.ts';
import type { PolicyLevel } from '#contract/vocabulary.ts';
import { parseStep } from '#main/base/step-path.ts';
import { DurableInterruptBroker, type InterruptBrokerParts } from '#main/hitl/interrupt-broker.ts';
import type { Question } from '#main/hitl/types.ts';
import type { TaskSandbox } from '#main/sandbox/types.ts';
import type { InterruptStore, StoredInterrupt } from '#main/storage/types.ts';
import { defineTool } from '#main/tools/define-tool.ts';
import type { KnownTool } from '#main/tools/prepare-call.ts';
import { type CallContext, type ToolLedger, ToolPipeline } from '#main/tools/tool-pipeline.ts';
import { toToolSchema } from '#main/tools/tool-schema.ts';
import type { ToolDefinition } from '#main/tools/types.ts';
/** No test of the pipeline may reach for it. */
import { testEgress } from './egress.ts';
import { testGuards } from './fake-guards.ts';

const noSandbox = new Proxy({} as TaskSandbox, {
  get: () => {
    throw new Error('There is no sandbox in this test');
  },
});

export interface MemoryRules {
  list(): ApprovalRule[];
  put(rule: RuleDraft): ApprovalRule;
}

export function memoryRules(): MemoryRules {
  const rules: ApprovalRule[] = [];
  return {
    list: () => rules,
    put: (rule) => {
      const made = { id: `rule_${rules.length}`, createdAt: 0, ...rule };
      rules.push(made);
      return made;
    },
  };
}

/** Questions in memory, with the promises of the store. */
export function memoryInterrupts(): InterruptStore<Question> {
  const all = new Map<string, StoredInterrupt<Question>>();
  const open = (runId?: string): StoredInterrupt<Question>[] =>
    [...all.values()].filter(
      (one) => one.response === null && (runId === undefined || one.runId === runId),
    );
  return {
    find: (runId, subject) =>
      [...all.values()].find((one) => one.runId === runId && one.subject === subject) ?? null,
    get: (id) => all.get(id) ?? null,
    openOf: open,
    open,
    put: (interrupt) => void all.set(interrupt.id, { ...interrupt, askedAt: 0, response: null }),
    answer: (id, response) => {
      const known = all.get(id);
      if (known === undefined || known.response !== null) return false;
      all.set(id, { ...known, response });
      return true;
    },
  };
}

export function memoryBroker(
  rules: MemoryRules,
  more: Partial<InterruptBrokerParts> = {},
): DurableInterruptBroker {
  return new DurableInterruptBroker({
    interrupts: memoryInterrupts(),
    isAttended: () => true,
    onTimeout: () => 'park',
    review: () => {
      throw new Error('No arguments are changed in this test');
    },
    remember: (rule) => void rules.put(rule),
    threadOf: () => 'thr_1',
    onChange: () => undefined,
    ...more,
  });
}

/** A ledger that remembers nothing. */
export const noLedger: ToolLedger = {
  resultOf: () => null,
  around: async (_call, _context, run) => ({ output: await run(null) }),
  record: () => undefined,
};

/** What a call needs of its run, with nothing behind it. */
export function callParts(): Pick<
  CallContext,
  | 'pause'
  | 'persist'
  | 'commit'
  | 'taint'
  | 'delegate'
  | 'skillAgents'
  | 'resumed'
  | 'secondOpinion'
> {
  const sources = new Set<string>();
  return {
    pause: new AbortController().signal,
    persist: (work) => work(),
    commit: (work) => work(),
    delegate: null,
    skillAgents: null,
    secondOpinion: null,
    resumed: false,
    taint: { sources: () => [...sources], add: (source) => void sources.add(source) },
  };
}

/** A tool that records what it was run with. */
export function recordingTool(
  name: string,
  log: unknown[],
  options: Partial<
    Pick<
      ToolDefinition,
      | 'description'
      | 'risk'
      | 'effect'
      | 'run'
      | 'maxResultChars'
      | 'subjects'
      | 'preview'
      | 'probe'
      | 'input'
    >
  > = {},
): ToolDefinition {
  return defineTool({
    name,
    category: 'data',
    description: `The tool ${name}`,
    input: z.looseObject({ n: z.number().optional() }),
    risk: 'low',
    effect: 'read',
    run: async (input) => {
      log.push([name, input]);
      return { content: `${name} done` };
    },
    ...options,
  });
}

export function knownTools(tools: readonly ToolDefinition[]): ReadonlyMap<string, KnownTool> {
  return new Map(
    tools.map((definition) => [definition.name, { definition, schema: toToolSchema(definition) }]),
  );
}

/** A bench for one run: its broker, its events, its context. */
export function toolBench({
  attended = true,
  approve = 'ask' as CallContext['approve'],
  level = null as PolicyLevel | null | (() => PolicyLevel | null),
  ledger = noLedger,
  broker: brokerParts = {} as Partial<InterruptBrokerParts>,
  guards = testGuards(),
} = {}) {
  const events: RunEventDraft[] = [];
  const rules = memoryRules();
  const broker = memoryBroker(rules, { isAttended: () => attended, ...brokerParts });
  const abort = new AbortController();
  const emit = (event: RunEventDraft): void => void events.push(event);
  const egress = testEgress().egress.forRun({
    ...{ runId: 'run_1', threadId: 'thr_1', network: 'offline', allowHosts: [] },
  });
  const context: CallContext = {
    runId: 'run_1',
    threadId: 'thr_1',
    agent: 'executor',
    approve,
    sandbox: noSandbox,
    egress,
    broker,
    signal: abort.signal,
    emit,
    answer: parseStep('1'),
    ...callParts(),
  };
  const pipeline = new ToolPipeline({
    guards,
    standing: { rules: rules.list, level: typeof level === 'function' ? level : () => level },
    ledger,
  });
  const openQuestion = async () => {
    for (;;) {
      const event = events.findLast((candidate) => candidate.type === 'interrupt');
      if (event?.type === 'interrupt') return event;
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { events, rules, broker, abort, context, pipeline, openQuestion };
}
