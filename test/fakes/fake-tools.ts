import { z } from 'zod';
import type { RunEventDraft } from '#contract/events/run-event.ts';
import { systemClock } from '#main/base/clock.ts';
import type { ApprovalRuleStore } from '#main/hitl/approval-rules.ts';
import { InMemoryInterruptBroker } from '#main/hitl/interrupt-broker.ts';
import type { TaskSandbox } from '#main/services/sandbox/types.ts';
import { defineTool } from '#main/tools/define-tool.ts';
import type { KnownTool } from '#main/tools/prepare-call.ts';
import { type CallContext, ToolPipeline } from '#main/tools/tool-pipeline.ts';
import { toToolSchema } from '#main/tools/tool-schema.ts';
import type { ToolDefinition } from '#main/tools/types.ts';

/** No test of the pipeline may reach for it. */
const noSandbox = new Proxy({} as TaskSandbox, {
  get: () => {
    throw new Error('There is no sandbox in this test');
  },
});

export function memoryRules(): ApprovalRuleStore {
  const rules: ReturnType<ApprovalRuleStore['list']> = [];
  return {
    list: () => rules,
    add: (rule) => {
      const added = { id: `rule_${rules.length}`, createdAt: 0, ...rule };
      rules.push(added);
      return added;
    },
  };
}

/** A tool that records what it was run with. */
export function recordingTool(
  name: string,
  log: unknown[],
  options: Partial<Pick<ToolDefinition, 'risk' | 'effect' | 'run' | 'maxResultChars'>> = {},
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
export function toolBench({ attended = true, approve = 'ask' as CallContext['approve'] } = {}) {
  const events: RunEventDraft[] = [];
  const rules = memoryRules();
  const broker = new InMemoryInterruptBroker({ rules, attended });
  const abort = new AbortController();
  const emit = (event: RunEventDraft): void => void events.push(event);
  const context: CallContext = {
    runId: 'run_1',
    threadId: 'thr_1',
    agent: 'executor',
    approve,
    sandbox: noSandbox,
    broker,
    signal: abort.signal,
    emit,
    round: 1,
  };
  const pipeline = new ToolPipeline({
    ledger: { around: (_call, run) => run() },
    clock: systemClock,
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
