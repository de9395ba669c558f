import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  callConnector,
  showConnectorLog,
  showConnectorTools,
} from '#main/cli/commands/connector-tools.ts';
import {
  addConnector,
  importConnectors,
  listConnectors,
  removeConnector,
  switchConnector,
} from '#main/cli/commands/connectors.ts';
import { settingsCommand } from '../../fakes/settings-command.ts';
import { osSandboxNote, osSandboxReady } from '../../setup/os-sandbox.ts';

const MODULES = join(import.meta.dirname, '../../../node_modules');
const EVERYTHING = join(MODULES, '@modelcontextprotocol/server-everything/dist/index.js');

describe('the commands for connectors', () => {
  it('show what is added, want a confirmation, and store nothing without it', async () => {
    const { dataDir, environment, take } = settingsCommand();
    const add = (more: object) =>
      addConnector('notes', ['node', 'my server.js'], { dataDir, ...more }, environment);
    await expect(add({ host: ['api.example.com'] })).rejects.toThrow('--yes');
    expect(take()).toBe(
      [
        'notes',
        '  command   node "my server.js"',
        '  variables none',
        '  folders   none',
        '  hosts     api.example.com',
        '  runs      in a sandbox of its own',
        '',
      ].join('\n'),
    );
    await listConnectors({ dataDir }, environment);
    expect(take()).toContain('No connector is added');
    await add({ yes: true });
    expect(take()).toContain('Added. Nothing was started.');
    await expect(add({ yes: true })).rejects.toMatchObject({ code: 'CONFLICT' });
    await switchConnector('notes', 'off', { dataDir }, environment);
    expect(take()).toContain('notes  off');
    await expect(removeConnector('note', { dataDir, yes: true }, environment)).rejects.toThrow(
      'hyperagent mcp list',
    );
    await removeConnector('notes', { dataDir, yes: true }, environment);
    take();
    await listConnectors({ dataDir, json: true }, environment);
    expect(JSON.parse(take())).toEqual([]);
  });

  it('refuse what does not go together, and say what to write', async () => {
    const { dataDir, environment } = settingsCommand();
    const add = (command: readonly string[], more: object) =>
      addConnector('notes', command, { dataDir, yes: true, json: true, ...more }, environment);
    await expect(add([], {})).rejects.toThrow('after --');
    await expect(add(['node'], { url: 'https://example.com/mcp' })).rejects.toThrow('not both');
    await expect(add([], { url: 'https://example.com/mcp', folder: ['/x'] })).rejects.toThrow(
      'are for programs',
    );
    await expect(add(['node'], { header: ['A=b'] })).rejects.toThrow('Use --env');
    await expect(add(['node'], { env: ['TOKEN'] })).rejects.toThrow('NAME=VALUE');
    await expect(add([], { url: 'http://example.com/mcp' })).rejects.toThrow('Use https');
    await expect(add(['node'], { clientId: 'x' })).rejects.toThrow('has no sign-in');
    await expect(add([], { url: 'https://example.com/mcp', clientSecret: 'x' })).rejects.toThrow(
      'needs a client ID',
    );
    await expect(
      callConnector('notes', { tool: 'x', given: '[1]' }, { dataDir }, environment),
    ).rejects.toThrow('one JSON object');
  });

  it('show the client that a user registered, and never its secret', async () => {
    const { dataDir, environment, take } = settingsCommand();
    const client = { clientId: 'my-app', clientSecret: `\${NOTES_SECRET}` };
    const flags = { dataDir, yes: true, url: 'https://example.com/mcp', ...client };
    await addConnector('notes', [], flags, environment);
    expect(take()).toContain('client    my-app, with a secret');
    await listConnectors({ dataDir }, environment);
    expect(take()).toContain('client    my-app, with a secret');
    await expect(
      addConnector('sealed', [], { ...flags, clientSecret: 'zq-secret' }, environment),
    ).rejects.toThrow('no keychain is available here');
    expect(take()).not.toContain('zq-secret');
  });

  it('add the servers of a file that can be used', async () => {
    const { dataDir, environment, take } = settingsCommand();
    const file = join(dataDir, 'mcp.json');
    const mcpServers = {
      Memory: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-memory'] },
      old: { type: 'sse', url: 'https://example.com/sse' },
    };
    writeFileSync(file, JSON.stringify({ mcpServers }));
    await importConnectors(file, { dataDir, yes: true }, environment);
    const printed = take();
    expect(printed).toContain('note: It may reach registry.npmjs.org');
    expect(printed).toContain('cannot be used: It uses the older SSE transport');
    expect(printed).toContain('Added 1 of 2.');
  });
});

describe.skipIf(!osSandboxReady)(`a server from the command line${osSandboxNote}`, () => {
  it('is reviewed, called, and its log is there for another process', async () => {
    const { dataDir, environment, take } = settingsCommand();
    const flags = { dataDir, yes: true, folder: [MODULES] };
    await addConnector('every', ['node', EVERYTHING], flags, environment);
    take();
    await showConnectorTools('every', { dataDir }, environment);
    expect(take()).toContain('14 wait for your review: hyperagent mcp tools every --approve');
    const call = (tool: string, given: string) =>
      callConnector('every', { tool, given }, { dataDir }, environment);
    await expect(call('echo', '{"message":"tea"}')).rejects.toThrow('has not been reviewed');
    const approval = { dataDir, yes: true, approve: ['echo'] };
    await showConnectorTools('every', approval, environment);
    const shown = take();
    expect(shown).toContain('It says:');
    expect(shown).toContain('Approved 1 tool.');
    expect(await call('echo', '{"message":"tea \\u001b[31mred"}')).toBe(0);
    const answer = take();
    expect(answer).toContain('Echo: tea');
    expect(answer).not.toContain('\u001b');
    await showConnectorLog('every', { dataDir }, environment);
    expect(take()).toMatch(/call\s+echo answered after \d+ ms/);
    await expect(
      showConnectorTools('every', { dataDir, off: ['no-such-tool'] }, environment),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
