import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { RuleDraft } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
import { Settings } from '#contract/settings.ts';
import { ApprovalPolicy, NetworkPolicy, PolicyLevel } from '#contract/vocabulary.ts';
import { systemClock } from '#main/base/clock.ts';
import { KnownSecrets } from '#main/base/known-secrets.ts';
import { callStep, parseStep } from '#main/base/step-path.ts';
import { createSearch } from '#main/compose/search.ts';
import { hostsNamedIn } from '#main/egress/named-hosts.ts';
import { RunParked } from '#main/hitl/types.ts';
import { whyUncontained } from '#main/sandbox/containment.ts';
import type { TaskSandbox } from '#main/sandbox/types.ts';
import { BuiltinCatalogue } from '#main/skills/builtin-catalogue.ts';
import { SkillRegistry } from '#main/skills/skill-registry.ts';
import type { SkillStore } from '#main/storage/skill-types.ts';
import { withInRun } from '#main/tools/call-in-run.ts';
import { nestedCalls } from '#main/tools/nested-calls.ts';
import { ToolCatalogue } from '#main/tools/tool-catalogue.ts';
import type { CallContext } from '#main/tools/tool-pipeline.ts';
import { testEgress } from './egress.ts';
import { toolBench } from './fake-tools.ts';
import { inlineDocuments } from './inline-documents.ts';
import { noApps } from './no-apps.ts';
import { noBrowsers } from './no-browsers.ts';
import { noEdits } from './no-edits.ts';
import { noImages } from './no-images.ts';
import { noPictures, noScans } from './no-pictures.ts';
import { noSkills } from './no-skills.ts';
import { noSlides } from './no-slides.ts';

/** An approval level, or that nobody has chosen one. */
export const AskedLevel = z.enum([...PolicyLevel.options, 'not_chosen']);
export type AskedLevel = z.infer<typeof AskedLevel>;

/** What becomes of a call: it runs, the user is asked, the run is parked, it is denied, or blocked. */
export const Outcome = z.enum(['run', 'ask', 'park', 'deny', 'block']);
export type Outcome = z.infer<typeof Outcome>;

/** A call in its task. Unless given: hosts on the list of a new app, a checked sandbox, nothing searched. */
export const ApprovalCall = z.strictObject({
  tool: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  network: NetworkPolicy.default('allowlist'),
  /** Hosts that the task was given. */
  hosts: z.array(z.string()).default([]),
  approve: ApprovalPolicy.default('ask'),
  sandbox: z.enum(['verified', 'unverified', 'cloud', 'no_snapshots']).default('verified'),
  /** What the user wrote in the task. */
  said: z.string().default(''),
  /** Addresses that a search of the task gave. */
  found: z.array(z.string()).default([]),
  /** The search provider that the user set up. */
  search: z.enum(['none', 'searxng']).default('none'),
  rules: z.array(RuleDraft.omit({ threadId: true })).default([]),
  /** A script makes it. */
  nested: z.boolean().default(false),
});
export type ApprovalCall = z.infer<typeof ApprovalCall>;

const ApprovalCase = ApprovalCall.extend({
  name: z.string(),
  /** For each level, in a task without other people's words, and in one with some. */
  expect: z.partialRecord(AskedLevel, z.tuple([Outcome, Outcome])),
});
export type ApprovalCase = z.infer<typeof ApprovalCase>;

const FIXTURES = path.join(import.meta.dirname, '../fixtures/approvals');

/** The lines of a file of `test/fixtures/approvals`. */
export function readApprovalFile<Line>(name: string, line: z.ZodType<Line>): Line[] {
  return readFileSync(path.join(FIXTURES, name), 'utf8')
    .trim()
    .split('\n')
    .map((text) => line.parse(JSON.parse(text)));
}

export function readApprovalCases(): ApprovalCase[] {
  return readApprovalFile('levels.jsonl', ApprovalCase);
}

/** What the real pipeline, with the real tools, rules and egress, decides about a call. Nothing runs. */
export async function outcomeOf(
  call: ApprovalCall,
  level: AskedLevel,
  { isTainted }: { readonly isTainted: boolean },
): Promise<Outcome> {
  const bench = toolBench({
    approve: call.approve,
    attended: level !== 'unattended',
    level: level === 'not_chosen' ? null : level,
  });
  for (const rule of call.rules) bench.rules.put({ ...rule, threadId: null });
  const settings = Settings.parse(
    call.search === 'searxng' ? { searxngUrl: 'https://search.example.org' } : {},
  );
  if (isTainted) bench.context.taint.add('page.example');
  using egress = testEgress({
    settings: { current: settings },
    rules: bench.rules.list,
  }).egress.forRun({
    ...{ runId: 'run_1', threadId: 'thr_1', network: call.network, allowHosts: call.hosts },
    narrowing: {
      isOn: () => call.approve !== 'all' && isTainted,
      runsUnseen: () => level === 'ask_on_exit' || level === 'unattended',
      named: hostsNamedIn(call.said),
    },
  });
  egress.noteFound(call.found);
  const context: CallContext = { ...bench.context, egress, sandbox: sandboxOf(call) };
  const tools = catalogueFor(settings).byName;
  const made = { id: 'c1', name: call.tool, arguments: call.arguments };
  const step = callStep(context.answer, 0);
  const decide = async (): Promise<Outcome> => {
    if (call.nested) {
      const script = { id: 'c0', name: 'execute_script', arguments: { script: 'pass' } };
      const parent = bench.pipeline.prepare(script, tools, step);
      if (parent.kind === 'refused') throw new Error(parent.problem);
      const { clear } = nestedCalls(parent, context, { pipeline: bench.pipeline, tools });
      return await clear(made, context.signal, { step: parseStep('1/call-0/1') }).then(
        () => 'run' as const,
        outcomeOfError,
      );
    }
    const prepared = bench.pipeline.prepare(made, tools, step);
    if (prepared.kind === 'refused') throw new Error(prepared.problem);
    const [clearance] = await bench.pipeline.beforeExecution(
      [withInRun(prepared, context)],
      context,
      tools,
    );
    return OUTCOMES[clearance?.kind ?? 'known'];
  };
  const asked = new AbortController();
  try {
    return await Promise.race([decide(), untilAsked(bench.events, asked.signal)]);
  } finally {
    asked.abort();
    bench.abort.abort();
  }
}

const OUTCOMES = {
  cleared: 'run',
  known: 'run',
  denied: 'deny',
  disallowed: 'deny',
  blocked: 'block',
  parked: 'park',
} as const;

function outcomeOfError(error: unknown): Outcome {
  if (error instanceof RunParked) return 'park';
  if (error instanceof AppError && error.code === 'GUARDRAIL_BLOCKED') return 'block';
  if (error instanceof AppError && error.code === 'TOOL_DENIED') return 'deny';
  throw error;
}

/** Resolves once a question is open, which nobody answers. */
async function untilAsked(
  events: ReturnType<typeof toolBench>['events'],
  signal: AbortSignal,
): Promise<'ask'> {
  const isOpen = (): boolean => {
    const answered = events.flatMap((one) =>
      one.type === 'interrupt_response' ? [one.interruptId] : [],
    );
    return events.some((one) => one.type === 'interrupt' && !answered.includes(one.interruptId));
  };
  while (!signal.aborted) {
    // A question that parks its run is open for a moment, too: whoever decides comes first.
    await new Promise((resolve) => setImmediate(resolve));
    if (isOpen()) return 'ask';
  }
  return new Promise(() => undefined);
}

function sandboxOf({ sandbox }: ApprovalCall): TaskSandbox {
  const runtime = async () => {
    if (sandbox !== 'unverified') return { level: 'bubblewrap' as const };
    throw new AppError('SANDBOX_NOT_PROVEN', 'A probe got through.');
  };
  const fake = {
    workspace: {
      pathOf: (given: string) => given,
      read: () => Promise.reject(new AppError('NOT_FOUND', 'There is no such file.')),
      list: async () => ({ entries: [], truncated: false }),
      withoutLinks: () => fake.workspace,
    },
    whyUncontained: async (signal: AbortSignal) =>
      sandbox === 'no_snapshots'
        ? 'snapshots are off'
        : await whyUncontained(sandbox === 'cloud' ? 'e2b' : 'auto', runtime, signal),
    beside: () => fake,
  };
  return fake as unknown as TaskSandbox;
}

function catalogueFor(settings: Settings): ToolCatalogue {
  const store = { definitions: () => [] } as unknown as SkillStore;
  const registry: SkillRegistry = new SkillRegistry({
    store,
    catalogues: [new BuiltinCatalogue()],
    toolRisk: (name) => catalogue.riskOf(name),
  });
  const search = createSearch({
    settings: () => settings,
    readSecret: () => null,
    ...{ secrets: new KnownSecrets(), clock: systemClock, library: null },
  });
  const catalogue = new ToolCatalogue({
    pictures: noPictures,
    apps: noApps,
    edits: noEdits,
    slides: noSlides,
    images: noImages,
    browsers: noBrowsers,
    scans: noScans,
    skills: { ...noSkills(), registry },
    commandTimeoutMs: () => 1000,
    ...{ search, library: null, documents: inlineDocuments },
  });
  return catalogue;
}
