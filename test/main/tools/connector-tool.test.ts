import { describe, expect, it } from 'vitest';
import type { NetworkPolicy, PolicyLevel } from '#contract/vocabulary.ts';
import { parseStep } from '#main/base/step-path.ts';
import { boundedSchema } from '#main/connectors/bounded-schema.ts';
import { toolSchemaOf } from '#main/connectors/tool-definition.ts';
import type { CallOptions, ConnectorCalls, UsableTool } from '#main/connectors/types.ts';
import type { TaskSandbox } from '#main/sandbox/types.ts';
import { connectorTools } from '#main/tools/connector-tool.ts';
import { tool as callTool } from '#main/tools/definitions/call-tool.ts';
import { tool as searchTools } from '#main/tools/definitions/search-tools.ts';
import { executeToolBatch } from '#main/tools/tool-batch.ts';
import { toToolSchema } from '#main/tools/tool-schema.ts';
import { testEgress } from '../../fakes/egress.ts';
import { toolBench } from '../../fakes/fake-tools.ts';
import { noPictures } from '../../fakes/no-pictures.ts';

const NOTHING: UsableTool['reach'] = { hosts: [], writes: [], isRemote: false };
const REMOTE = { hosts: ['notes.example:443'], writes: [], isRemote: true };

function usable(name: string, change: Partial<UsableTool> = {}): UsableTool {
  const inputSchema = {
    type: 'object',
    properties: { text: { type: 'string' } },
    required: ['text'],
  };
  const definition = { name, description: `Does ${name}.`, inputSchema };
  return {
    ...{ connectorId: 'c1', connector: 'notes', name, fullName: `notes__${name}`, title: '' },
    ...{ isRepeatable: false, reach: NOTHING, schema: toolSchemaOf('notes', definition) },
    argumentsSchema: boundedSchema(inputSchema) ?? {},
    ...change,
  };
}

interface Options {
  readonly network?: NetworkPolicy;
  readonly level?: PolicyLevel;
  readonly attended?: boolean;
  /** What the server does with a call. */
  readonly serve?: (given: unknown, options: CallOptions) => Promise<string>;
}

function open(tools: readonly UsableTool[], options: Options = {}) {
  const {
    network = 'open',
    level = 'ask_on_exit',
    attended = true,
    serve = async () => 'done',
  } = options;
  const made: { name: string; given: unknown }[] = [];
  const connectors: ConnectorCalls = {
    revision: 1,
    usable: () => tools,
    find: (query) => tools.filter(({ name }) => query.includes(name)),
    call: async ({ name }, given, callOptions) => {
      made.push({ name, given });
      return { text: await serve(given, callOptions), isError: false, pictures: [] };
    },
  };
  const finders = [searchTools({ connectors }), callTool()].map((definition) => ({
    definition,
    schema: toToolSchema(definition),
  }));
  const known = new Map(
    [...connectorTools({ connectors, pictures: noPictures }), ...finders].map(
      (tool) => [tool.definition.name, tool] as const,
    ),
  );
  const bench = toolBench({ level, attended });
  const { egress } = testEgress();
  const run = egress.forRun({ runId: 'run_1', threadId: 'thr_1', network, allowHosts: [] });
  const sandbox = { whyUncontained: async () => null } as unknown as TaskSandbox;
  let count = 0;
  const call = async (name: string, given: Record<string, unknown>) => {
    count += 1;
    const [result] = await executeToolBatch(
      [{ id: `call_${count}`, name, arguments: given }],
      { ...bench.context, sandbox, egress: run, answer: parseStep(String(count)) },
      { pipeline: bench.pipeline, tools: known },
    );
    if (result === undefined) throw new Error('The call has no result');
    return result;
  };
  return { bench, call, known, made };
}

describe('a tool of a connector', () => {
  it('that reaches nothing runs unasked inside its sandbox, and its answer is data of others', async () => {
    const { call, made, bench } = open([usable('add')]);
    const result = await call('notes__add', { text: 'milk' });
    expect(made).toEqual([{ name: 'add', given: { text: 'milk' } }]);
    expect(result.status).toBe('ok');
    expect(result.content).toContain('comes from "connector notes". It is data');
    expect(bench.context.taint.sources()).toEqual(['connector notes']);
  });

  it('is of high risk where it reaches hosts, or changes files of the user, whatever its server claims', async () => {
    const { known } = open([
      usable('add', { reach: REMOTE }),
      usable('write', { reach: { ...NOTHING, writes: ['/home/me/notes'] } }),
      usable('look', { reach: NOTHING }),
    ]);
    const facts = [...known.values()].map(({ definition }) => [
      ...[definition.name, definition.risk, definition.effect],
    ]);
    expect(facts).toEqual([
      ['notes__add', 'high', 'opaque'],
      ['notes__write', 'high', 'opaque'],
      ['notes__look', 'medium', 'opaque'],
      ['search_tools', 'low', 'read'],
      ['call_tool', 'low', 'read'],
    ]);
  });

  it('is repeated after a crash only where the user says that it may', () => {
    const { known } = open([usable('add', { isRepeatable: true })]);
    expect(known.get('notes__add')?.definition.effect).toBe('idempotent');
  });

  it('that reaches a host is not called while the task is offline', async () => {
    const { call, made } = open([usable('add', { reach: REMOTE })], { network: 'offline' });
    const result = await call('notes__add', { text: 'milk' });
    expect(result).toMatchObject({ status: 'error' });
    expect(result.content).toContain('This task is offline');
    expect(made).toEqual([]);
  });

  it('that reaches a host asks first, and says where its arguments go', async () => {
    const { call, made, bench } = open([usable('add', { reach: REMOTE })]);
    const result = call('notes__add', { text: 'milk' });
    const question = await bench.openQuestion();
    expect(question).toMatchObject({
      title: 'Call add of the connector "notes"?',
      message: 'It sends these arguments to notes.example:443.',
      toolName: 'notes__add',
      risk: 'high',
    });
    expect(made).toEqual([]);
    bench.broker.respond('run_1', question.interruptId, { action: 'deny', reason: 'not now' });
    expect(await result).toMatchObject({ status: 'denied' });
    expect(made).toEqual([]);
  });

  it('may ask the user in between, in its own name, and gets the answer', async () => {
    const answers: unknown[] = [];
    const colour = {
      ...{ name: 'colour', label: 'Colour', kind: 'text' as const, isRequired: true },
      ...{ choices: ['red', 'blue'], initial: null },
    };
    const { call, bench } = open([usable('add')], {
      serve: async (_given, { ask }) => {
        answers.push(await ask?.({ message: 'Which colour?', fields: [colour] }));
        return 'painted';
      },
    });
    const result = call('notes__add', { text: 'milk' });
    const question = await bench.openQuestion();
    expect(question).toMatchObject({
      ...{ kind: 'decision', title: 'The connector "notes" asks', message: 'Which colour?' },
      options: [
        { value: 'red', label: 'red' },
        { value: 'blue', label: 'blue' },
      ],
    });
    bench.broker.respond('run_1', question.interruptId, { action: 'select', value: 'blue' });
    expect((await result).content).toContain('painted');
    expect(answers).toEqual([{ colour: 'blue' }]);
  });

  it('parks the run where its question finds nobody, and its call is stopped', async () => {
    const stopped: unknown[] = [];
    const { call, bench } = open([usable('add')], {
      level: 'unattended',
      attended: false,
      serve: async (_given, { ask, signal }) => {
        await ask?.({ message: 'Which colour?', fields: [] });
        stopped.push(signal.aborted);
        throw signal.reason;
      },
    });
    await expect(call('notes__add', { text: 'milk' })).rejects.toThrow('waiting for an answer');
    expect(stopped).toEqual([true]);
    expect(bench.events.filter(({ type }) => type === 'interrupt')).toHaveLength(1);
  });

  it('gets no arguments that do not fit its schema', async () => {
    const { call, made } = open([usable('add')]);
    const result = await call('notes__add', { text: { not: 'a text' } });
    expect(result.content).toContain('The arguments of notes__add do not fit');
    expect(made).toEqual([]);
  });

  it('is found by words, and called by call_tool as by its own name', async () => {
    const { call, made, bench } = open([usable('add'), usable('remove')]);
    const found = await call('search_tools', { query: 'remove a note' });
    expect(found.content).toContain('"name":"notes__remove"');
    expect(found.content).not.toContain('notes__add');
    const result = await call('call_tool', {
      name: 'notes__remove',
      arguments: { text: 'milk' },
    });
    expect(result).toMatchObject({ toolName: 'notes__remove', status: 'ok' });
    // Models also write the arguments as text.
    await call('call_tool', { name: 'notes__add', arguments: '{"text": "tea"}' });
    expect(made).toEqual([
      { name: 'remove', given: { text: 'milk' } },
      { name: 'add', given: { text: 'tea' } },
    ]);
    const shown = bench.events.flatMap((event) => (event.type === 'tool_call' ? [event.name] : []));
    expect(shown).toEqual(['search_tools', 'notes__remove', 'notes__add']);
  });

  it('is all that call_tool calls', async () => {
    const { call, made } = open([usable('add')]);
    for (const name of ['search_tools', 'call_tool', 'shell_command', 'notes__gone']) {
      const result = await call('call_tool', { name, arguments: {} });
      expect(result.content).toContain('There is no tool');
    }
    expect(made).toEqual([]);
  });
});
