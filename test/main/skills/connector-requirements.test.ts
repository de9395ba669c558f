import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { parseConnectorTool, SkillMetadata } from '#contract/skills.ts';
import { systemClock } from '#main/base/clock.ts';
import { parseStep } from '#main/base/step-path.ts';
import { describeReview } from '#main/cli/commands/skill-review.ts';
import { describeSkill } from '#main/cli/skill-text.ts';
import { styleFor } from '#main/cli/style.ts';
import type { TaskSandbox } from '#main/sandbox/types.ts';
import { BuiltinCatalogue } from '#main/skills/builtin-catalogue.ts';
import { checkRequiredTools, toolNameOf } from '#main/skills/required-tools.ts';
import { SkillExecutor } from '#main/skills/skill-executor.ts';
import { SkillRegistry } from '#main/skills/skill-registry.ts';
import { toolSkill } from '#main/skills/tool-skill.ts';
import type { SkillContext } from '#main/skills/types.ts';
import { openJournal } from '#main/storage/run-journal.ts';
import { openSkillExecutions } from '#main/storage/skill-execution-store.ts';
import { openSkills } from '#main/storage/skill-store.ts';
import { DurableToolLedger } from '#main/tools/durable-ledger.ts';
import { executeToolBatch } from '#main/tools/tool-batch.ts';
import { ToolCatalogue } from '#main/tools/tool-catalogue.ts';
import { openConnectorBench } from '../../fakes/connectors/connector-bench.ts';
import { startRemoteServer } from '../../fakes/connectors/remote-server.ts';
import { openDynamicBench } from '../../fakes/dynamic-skill-bench.ts';
import { skillSource } from '../../fakes/dynamic-skill-source.ts';
import { testEgress } from '../../fakes/egress.ts';
import { noSearch } from '../../fakes/fake-search.ts';
import { toolBench } from '../../fakes/fake-tools.ts';
import { inlineDocuments } from '../../fakes/inline-documents.ts';
import { noApps } from '../../fakes/no-apps.ts';
import { noBrowsers } from '../../fakes/no-browsers.ts';
import { noEdits } from '../../fakes/no-edits.ts';
import { noImages } from '../../fakes/no-images.ts';
import { noPictures, noScans } from '../../fakes/no-pictures.ts';
import { noSkills } from '../../fakes/no-skills.ts';
import { noSlides } from '../../fakes/no-slides.ts';
import { hostSkills, skillMetadata } from '../../fakes/skill-host.ts';
import { insertRun, open as openDatabase, temporaryDir } from '../storage/support.ts';

const LOOK_UP = 'mcp:notes/look_up';
const refresh = { refresh: true, signal: AbortSignal.timeout(60_000) };

/**
 * A skill that does this, in the real registry and executor, invoked through the real pipeline, ledger and catalogue,
 * beside the real connectors; only the sandbox is none.
 */
async function open(
  work: (context: SkillContext) => Promise<unknown>,
  requiredTools: readonly string[] = [LOOK_UP],
) {
  const server = await startRemoteServer();
  const { connectors, ...connectorBench } = await openConnectorBench();
  onTestFinished(async () => {
    await connectorBench[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });
  const database = openDatabase(temporaryDir());
  insertRun(database);
  const journal = openJournal(database.connection, systemClock);
  const metadata = skillMetadata({ requiredTools: [...requiredTools] });
  const skill = toolSkill(metadata, async (_params, context) => ({ value: await work(context) }));
  const registry = new SkillRegistry({
    store: openSkills(database.connection, systemClock),
    catalogues: [new BuiltinCatalogue([skill])],
    toolRisk: (name) => catalogue.riskOf(name),
  });
  registry.syncBuiltins();
  const executions = openSkillExecutions(database.connection);
  const executor = new SkillExecutor({ registry, executions, journal, clock: systemClock });
  const catalogue: ToolCatalogue = new ToolCatalogue({
    ...{
      pictures: noPictures,
      scans: noScans,
      browsers: noBrowsers,
      apps: noApps,
      edits: noEdits,
      slides: noSlides,
      images: noImages,
      connectors,
    },
    ...{ commandTimeoutMs: () => 1000, search: noSearch, library: null },
    documents: inlineDocuments,
    skills: { ...noSkills(), registry, executor },
  });
  const bench = toolBench({ level: 'ask_on_exit', ledger: new DurableToolLedger(journal) });
  const egress = testEgress().egress.forRun({
    ...{ runId: 'run_1', threadId: 'thr_1', network: 'open', allowHosts: [] },
  });
  const sandbox = {
    whyUncontained: async () => null,
    workspace: null,
    beside: () => sandbox,
  } as unknown as TaskSandbox;
  let count = 0;
  const invoke = async (): Promise<Record<string, unknown>> => {
    count += 1;
    const call = {
      id: `call_${count}`,
      name: 'invoke_skill',
      arguments: { skill_id: 'sample', params: {} },
    };
    const [result] = await executeToolBatch(
      [call],
      { ...bench.context, sandbox, egress, answer: parseStep(String(count)) },
      { pipeline: bench.pipeline, tools: catalogue.byName },
    );
    return JSON.parse(result?.content.replace(/^[^{]*|[^}]*$/g, '') ?? '{}');
  };
  const add = () => connectors.add('notes', { kind: 'remote', url: server.url, headers: {} });
  const approved = async () => {
    const connector = await add();
    await connectorBench.approveAll(connector);
    return connector;
  };
  const calls = (): string[] =>
    server.requests.flatMap(({ body }) => (body.includes('tools/call') ? [body] : []));
  return { connectors, registry, journal, bench, invoke, add, approved, calls };
}

const MISSING = {
  success: false,
  error_code: 'SKILL_TOOL_MISSING',
  error:
    'The skill sample needs tools that are not available: mcp:notes/look_up. Add the connector notes in Settings, Connectors, or switch it on; then approve its tool look_up there, or with "hyperagent mcp tools notes".',
};

describe('a skill that requires a tool of a connector', () => {
  it('calls it by either name through the pipeline, which asks first, and taints the task', async () => {
    const { bench, invoke, approved, calls, journal, registry } = await open(async ({ tools }) => [
      tools.has(LOOK_UP),
      (await tools.call(LOOK_UP, { word: 'tea' })).ok,
      (await tools.call('notes__look_up', { word: 'rice' })).ok,
    ]);
    await approved();
    expect(registry.risk('sample')).toBe('high');
    expect(registry.isIndependent('sample')).toBe(false);
    const result = invoke();
    const questions = () => bench.events.filter(({ type }) => type === 'interrupt');
    for (const count of [1, 2]) {
      await vi.waitFor(() => expect(questions()).toHaveLength(count));
      const { interruptId, argumentsSha256, ...question } = await bench.openQuestion();
      expect(question).toMatchObject({ toolName: 'notes__look_up', risk: 'high' });
      expect(calls()).toHaveLength(count - 1);
      bench.broker.respond('run_1', interruptId, {
        ...{ action: 'approve', argumentsSha256: argumentsSha256 ?? '', always: false },
      });
    }
    expect(await result).toMatchObject({ success: true, output: { value: [true, true, true] } });
    expect(calls()).toHaveLength(2);
    const begun = journal.list('run_1', 'intent').map(({ payload }) => payload);
    expect(begun).toMatchObject([
      { toolName: 'invoke_skill' },
      { toolName: 'notes__look_up', effect: 'opaque' },
      { toolName: 'notes__look_up', effect: 'opaque' },
    ]);
    expect(bench.context.taint.sources()).toEqual(['connector notes']);
  });

  it('does not start without the connector, its approval, or while it or the tool is off', async () => {
    const { connectors, invoke, add } = await open(async () => 'ran');
    expect(await invoke()).toMatchObject(MISSING);
    const { id } = await add();
    const [tool] = await connectors.tools(id, refresh);
    expect(await invoke()).toMatchObject(MISSING);
    connectors.approve(id, tool === undefined ? [] : [tool]);
    expect(await invoke()).toMatchObject({ success: true, output: { value: 'ran' } });
    connectors.changeTool(id, { name: 'look_up', isEnabled: false });
    expect(await invoke()).toMatchObject(MISSING);
    connectors.changeTool(id, { name: 'look_up', isEnabled: true });
    await connectors.enable(id, false);
    expect(await invoke()).toMatchObject(MISSING);
    await connectors.enable(id, true);
    expect(await invoke()).toMatchObject({ success: true });
  });

  it('is refused a tool that it did not declare, by either name, as any other', async () => {
    const { invoke, approved, calls } = await open(async ({ tools, services }) => {
      const codes: unknown[] = [];
      for (const name of [LOOK_UP, 'notes__look_up', 'shell_command']) {
        const request = { system: '', prompt: '', tools: [name], maxRounds: 1 };
        for (const attempt of [tools.call(name, { word: 'tea' }), services.agents.loop(request)]) {
          codes.push(await attempt.catch(({ code }: { readonly code: string }) => code));
        }
        codes.push(tools.has(name));
      }
      return codes;
    }, []);
    await approved();
    const refused = ['SKILL_TOOL_MISSING', 'SKILL_TOOL_MISSING', false];
    expect(await invoke()).toMatchObject({
      ...{ success: true, output: { value: [...refused, ...refused, ...refused] } },
    });
    expect(calls()).toEqual([]);
  });
});

it('gives a loop of a skill the tool under the name that models know', async () => {
  const given: (readonly string[])[] = [];
  const skill = toolSkill(skillMetadata({ requiredTools: [LOOK_UP] }), async (_params, context) => {
    const { loop } = context.services.agents;
    const { answer } = await loop({ system: '', prompt: '', tools: [LOOK_UP], maxRounds: 1 });
    return { answer };
  });
  const { execute } = hostSkills([skill], {
    toolNames: new Set(['notes__look_up']),
    agents: {
      loop: async ({ tools }) => {
        given.push(tools);
        return { answer: 'found', calls: [] };
      },
      research: () => Promise.reject(new Error('This test has none')),
      firstSource: () => 1,
    },
  });
  expect(await execute('sample')).toMatchObject({ ok: true, output: { answer: 'found' } });
  expect(given).toEqual([['notes__look_up']]);
});

it('names each missing tool as it was written, and each connector once', () => {
  const requiredTools = ['web_search', 'mcp:notes/add', 'mcp:files/a/b.c', 'mcp:notes/remove'];
  const check = (available: readonly string[]) => () =>
    checkRequiredTools({ id: 'diary', requiredTools }, new Set(available));
  expect(check(['notes__add', 'notes__remove', 'files__a/b_c', 'web_search'])).not.toThrow();
  expect(check([])).toThrow(
    expect.objectContaining({
      code: 'SKILL_TOOL_MISSING',
      details: { missing: requiredTools },
      message: expect.stringContaining('its tools add, remove there'),
    }),
  );
  expect(check(['web_search', 'notes__add', 'notes__remove'])).toThrow(
    expect.objectContaining({
      details: { missing: ['mcp:files/a/b.c'] },
      message:
        'The skill diary needs tools that are not available: mcp:files/a/b.c. Add the connector files in Settings, Connectors, or switch it on; then approve its tool a/b.c there, or with "hyperagent mcp tools files".',
    }),
  );
});

it('reads mcp:server/tool up to the first slash, and leaves other names as they are', () => {
  expect(parseConnectorTool('mcp:my-notes/a/b.c')).toEqual({
    connector: 'my-notes',
    tool: 'a/b.c',
  });
  expect(toolNameOf('mcp:my-notes/a.b')).toBe('my-notes__a_b');
  for (const name of ['web_search', 'notes__add', 'mcp', 'MCP:notes/add']) {
    expect(parseConnectorTool(name)).toBeNull();
    expect(toolNameOf(name)).toBe(name);
    expect(SkillMetadata.shape.requiredTools.safeParse([name]).success).toBe(true);
  }
});

it('refuses malformed names in metadata, and says the form', async () => {
  const form =
    'write a tool of a connector as mcp:server/tool: the name of the connector, then the name of the tool at its server, as in mcp:notes/add';
  const names = ['mcp:', 'mcp:x', 'mcp:/y', 'mcp:x/', 'mcp:Some Notes/y', 'mcp:x;ls/y'];
  const { error } = SkillMetadata.shape.requiredTools.safeParse(['web_search', ...names]);
  expect(error?.issues.map(({ path, message }) => [path, message])).toEqual(
    names.map((_name, i) => [[i + 1], form]),
  );
  const { catalogue } = openDynamicBench();
  const source = skillSource('return {};', { metadata: { requiredTools: ['mcp:x'] } });
  const { metadata, findings } = await catalogue.check('typescript', source);
  expect(metadata).toBeNull();
  expect(findings).toMatchObject([
    {
      ...{ severity: 'error', rule: 'metadata_invalid' },
      message: `metadata.requiredTools.0: ${form}`,
    },
  ]);
  await expect(catalogue.save('typescript', source)).rejects.toMatchObject({
    code: 'SKILL_CODE_INVALID',
  });
});

it('shows it as written to whoever reviews a dynamic skill, which does not start without it', async () => {
  const { catalogue, registry, add, invoke } = openDynamicBench();
  const source = skillSource('return {};', { metadata: { requiredTools: ['mcp:notes/add'] } });
  const id = await add(source);
  const review = await catalogue.review(id);
  expect(review.requiredTools).toEqual(['mcp:notes/add']);
  expect(describeReview(review, styleFor(process.stdout, {}))).toContain(
    'tools     mcp:notes/add\n',
  );
  const metadata = registry.find(id)?.metadata ?? null;
  const detail = { metadata, markdown: null, ...catalogue.describe(id) };
  expect(describeSkill({ summary: registry.summary(id), ...detail })).toContain(
    'needs     mcp:notes/add\n',
  );
  expect(await invoke(id)).toMatchObject({ ok: false, error: { code: 'SKILL_TOOL_MISSING' } });
});
