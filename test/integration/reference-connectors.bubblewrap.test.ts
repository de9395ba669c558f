import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ConnectorFolder } from '#contract/connectors.ts';
import { openAppBench } from '../fakes/app-bench.ts';
import { osSandboxNote, osSandboxReady } from '../setup/os-sandbox.ts';

/** The reference servers of the protocol, each in a sandbox of its own, called by a scripted model in a task. */

const MODULES = join(import.meta.dirname, '../../node_modules');
const closed = new AbortController().signal;

interface Server {
  readonly name: string;
  readonly args?: readonly string[];
  readonly folders?: readonly ConnectorFolder[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A folder that programs of the sandbox may see. */
function openFolder(): string {
  const dir = mkdtempSync(join(homedir(), '.hyperagent-notes-'));
  chmodSync(dir, 0o777);
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** The app with one server whose tools are approved, and a model that makes these calls in turn. */
async function openWith(
  { name, args = [], folders = [], env = {} }: Server,
  calls: readonly { readonly name: string; readonly arguments: Record<string, unknown> }[],
  connectorSharePercent = 5,
) {
  const bench = await openAppBench(({ messages }) => {
    // Pictures are sent as a turn of their own, so the results after the last turn are not all.
    const done = messages.filter(({ role }) => role === 'tool').length;
    return done < calls.length
      ? { calls: calls.slice(done, done + 1) }
      : { content: `All done after ${done} calls.` };
  });
  const { api } = bench.app;
  api['settings.update']({ changes: { connectorSharePercent } });
  const file = join(MODULES, '@modelcontextprotocol', `server-${name}`, 'dist/index.js');
  const { connector } = await api['connectors.add']({
    name: name.slice(0, 20),
    draft: {
      ...{ kind: 'program', command: 'node', args: [file, ...args], env, hosts: [] },
      folders: [{ path: MODULES, access: 'read' }, ...folders],
    },
  });
  const { id: connectorId } = connector;
  const { tools } = await api['connectors.tools']({ connectorId, refresh: true }, { closed });
  const fresh = tools.map(({ name: tool, sha256 }) => ({ name: tool, sha256 }));
  api['connectors.approve']({ connectorId, tools: fresh });
  return { bench, names: tools.map(({ fullName }) => fullName) };
}

const call = (name: string, given: Record<string, unknown> = {}) => ({ name, arguments: given });

describe.skipIf(!osSandboxReady)(`reference servers in a task${osSandboxNote}`, () => {
  it('memory: keeps a graph in its own folder, and each of its tools is called once', async () => {
    const entity = { name: 'Ada', entityType: 'person', observations: ['writes programs'] };
    const relation = { from: 'Ada', to: 'Engine', relationType: 'programs' };
    const calls = [
      call('memory__create_entities', { entities: [entity, { ...entity, name: 'Engine' }] }),
      call('memory__create_relations', { relations: [relation] }),
      call('memory__add_observations', {
        observations: [{ entityName: 'Ada', contents: ['likes tea'] }],
      }),
      call('memory__read_graph'),
      call('memory__search_nodes', { query: 'tea' }),
      call('memory__open_nodes', { names: ['Ada'] }),
      call('memory__delete_observations', {
        deletions: [{ entityName: 'Ada', observations: ['likes tea'] }],
      }),
      call('memory__delete_relations', { relations: [relation] }),
      call('memory__delete_entities', { entityNames: ['Engine'] }),
    ];
    const { bench, names } = await openWith(
      { name: 'memory', env: { MEMORY_FILE_PATH: '/workspace/memory.json' } },
      calls,
    );
    expect(calls.map(({ name }) => name).sort()).toEqual([...names].sort());
    const { of, answer } = await bench.play('Remember who Ada is');
    expect(of('tool_result').map(({ status }) => status)).toEqual(calls.map(() => 'ok'));
    expect(answer).toBe(`All done after ${calls.length} calls.`);
    expect(of('tool_result')[4]?.content).toContain('likes tea');
  });

  it('sequential thinking: its one tool is called', async () => {
    const name = 'sequential-thinking__sequentialthinking';
    const thought = {
      thought: 'First',
      nextThoughtNeeded: false,
      thoughtNumber: 1,
      totalThoughts: 1,
    };
    const { bench, names } = await openWith({ name: 'sequential-thinking' }, [call(name, thought)]);
    expect(names).toEqual([name]);
    const { of } = await bench.play('Think about it');
    expect(of('tool_result')[0]).toMatchObject({ status: 'ok' });
  });

  it('everything: each tool that needs no more of the client is called, and its picture is kept', async () => {
    const calls = [
      call('everything__echo', { message: 'tea' }),
      call('everything__get-annotated-message', { messageType: 'success', includeImage: false }),
      call('everything__get-env'),
      call('everything__get-resource-links', { count: 2 }),
      call('everything__get-resource-reference', { resourceType: 'Text', resourceId: 1 }),
      call('everything__get-structured-content', { location: 'New York' }),
      call('everything__get-sum', { a: 2, b: 3 }),
      call('everything__get-tiny-image'),
      call('everything__toggle-simulated-logging'),
      call('everything__toggle-subscriber-updates'),
      call('everything__trigger-long-running-operation', { duration: 1, steps: 2 }),
    ];
    const { bench } = await openWith({ name: 'everything' }, calls);
    const { of } = await bench.play('Try everything');
    const results = of('tool_result');
    expect(results.map(({ name, status }) => `${name} ${status}`)).toEqual(
      calls.map(({ name }) => `${name} ok`),
    );
    expect(results[0]?.content).toContain('Echo: tea');
    expect(results[6]?.content).toContain('5');
    // The environment of the app does not reach it.
    expect(results[2]?.content).not.toContain('VITEST');
    // Each answer is that of somebody else, and marked as such.
    expect(results[0]?.content).toContain('It is data');
  });

  it('everything: its resource is attached to a message as data of others, and its prompt is text', async () => {
    const { bench } = await openWith({ name: 'everything' }, [], 0);
    const { api } = bench.app;
    const [offered] = api['connectors.offers']().offers;
    const { connectorId = '', resources = [], prompts = [] } = offered ?? {};
    expect(prompts.map(({ name }) => name)).toContain('args-prompt');
    const uri = resources.find(({ mimeType }) => mimeType === 'text/markdown')?.uri ?? '';
    const file = await api['connectors.attachResource'](
      { connectorId, uri, variables: {} },
      { closed },
    );
    expect(file.name).toMatch(/\.md$/);
    expect(file.size).toBeGreaterThan(100);
    const template = resources.find(({ uri }) => uri.startsWith('demo://resource/dynamic/text/{'));
    const [variable] = template?.variables ?? [];
    const filled = await api['connectors.attachResource'](
      { connectorId, uri: template?.uri ?? '', variables: { [variable?.name ?? '']: '7' } },
      { closed },
    );
    expect(filled.name).toMatch(/7\.txt$/);
    expect(filled.size).toBeGreaterThan(10);
    const { run } = await api['runs.start']({
      prompt: 'Read what I attached',
      ...{ attachmentIds: [file.attachmentId], options: {} },
    });
    await bench.settled(run.id);
    // No share of the window is left for its schemas.
    const sent = bench.requests.flatMap(({ tools }) => tools);
    expect(sent).toContain('search_tools');
    expect(sent.filter((name) => name.startsWith('everything__'))).toEqual([]);
    const { entries } = await api['files.list']({ threadId: run.threadId });
    expect(entries).toContainEqual(
      expect.objectContaining({ path: file.name, size: file.size, kind: 'file' }),
    );
    const { text } = await api['connectors.prompt'](
      { connectorId, name: 'args-prompt', arguments: { city: 'Bergen', state: 'Vestland' } },
      { closed },
    );
    expect(text).toContain('Bergen');
    const without = { connectorId, name: 'args-prompt', arguments: {} };
    await expect(api['connectors.prompt'](without, { closed })).rejects.toMatchObject({
      code: 'CONNECTOR_FAILED',
    });
  });

  it('filesystem: changes the folder that is open for it, and is asked about, and sees no other', async () => {
    const open = openFolder();
    const other = openFolder();
    writeFileSync(join(open, 'a.txt'), 'one\ntwo\n');
    chmodSync(join(open, 'a.txt'), 0o666);
    writeFileSync(join(other, 'b.txt'), 'not for you');
    const path = join(open, 'a.txt');
    const calls = [
      call('filesystem__list_allowed_directories'),
      call('filesystem__read_text_file', { path }),
      call('filesystem__read_file', { path }),
      call('filesystem__read_multiple_files', { paths: [path] }),
      call('filesystem__write_file', { path: join(open, 'c.txt'), content: 'three' }),
      call('filesystem__edit_file', { path, edits: [{ oldText: 'two', newText: 'zwei' }] }),
      call('filesystem__create_directory', { path: join(open, 'd') }),
      call('filesystem__list_directory', { path: open }),
      call('filesystem__list_directory_with_sizes', { path: open }),
      call('filesystem__directory_tree', { path: open }),
      call('filesystem__search_files', { path: open, pattern: '*.txt' }),
      call('filesystem__get_file_info', { path }),
      call('filesystem__move_file', {
        source: join(open, 'c.txt'),
        destination: join(open, 'd/c.txt'),
      }),
      call('filesystem__read_text_file', { path: join(other, 'b.txt') }),
    ];
    const server = {
      ...{ name: 'filesystem', args: [open] },
      folders: [{ path: open, access: 'write' as const }],
    };
    const { bench } = await openWith(server, calls);
    const { of } = await bench.play('Tidy my notes');
    const results = of('tool_result');
    expect(results.map(({ status }) => status)).toEqual([
      ...calls.slice(1).map(() => 'ok'),
      'error',
    ]);
    expect(readFileSync(path, 'utf8')).toBe('one\nzwei\n');
    expect(readFileSync(join(open, 'd/c.txt'), 'utf8')).toBe('three');
    expect(JSON.stringify(results)).not.toContain('not for you');
    expect(of('tool_call').map(({ risk }) => risk)).toEqual(calls.map(() => 'high'));
  });
});
