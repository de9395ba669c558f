import type { Command } from 'commander';
import type { CliEnvironment } from '../environment.ts';
import { collect, parseHttpUrl } from '../option-parsers.ts';
import { dataDir, json, type Report } from './run-options.ts';

/** The user's MCP servers. */
export function addConnectors(program: Command, environment: CliEnvironment, report: Report): void {
  const mcp = program
    .command('mcp')
    .description('Connect MCP servers: add them, review their tools, call them');
  mcp
    .command('list')
    .description('List them: state, tools, what they may reach, and what is wrong')
    .addOption(dataDir())
    .addOption(json('print one JSON array'))
    .action(async (flags) => {
      const { listConnectors } = await import('../commands/connectors.ts');
      report(await listConnectors(flags, environment));
    });
  mcp
    .command('add')
    .description(
      'Add a server: a command after --, which runs in a sandbox of its own, or an address. It shows what is added, and asks',
    )
    .argument('<name>', 'lower-case letters, digits and dashes')
    .argument('[command...]', 'the command of the server and its arguments, after --')
    .option('--url <url>', 'the address of a remote server', parseHttpUrl)
    .option('--env <name=value>', 'a variable of the program; may be repeated', collect)
    .option(
      '--client-id <id>',
      'for signing in: the client that you registered there, with the redirect address http://127.0.0.1/callback on any port',
    )
    .option(
      '--client-secret <text>',
      `the secret of that client, or '\${NAME}' to take it from an environment variable`,
    )
    .option('--client-metadata <url>', 'for signing in: a document that describes the client')
    .option('--header <name=value>', 'a header for a remote server; may be repeated', collect)
    .option(
      '--folder <path>',
      'a folder that the program may read, or change with :write at its end; may be repeated',
      collect,
    )
    .option('--host <host>', 'a host that the program may reach; may be repeated', collect)
    .option('--yes', 'skip the confirmation')
    .addOption(dataDir())
    .addOption(json('print the added one as a JSON object'))
    .action(async (name, command, flags) => {
      const { addConnector } = await import('../commands/connectors.ts');
      report(await addConnector(name, command, flags, environment));
    });
  mcp
    .command('import')
    .description('Add servers of an mcp.json (Claude desktop, VS Code) or of goose, one by one')
    .argument('<file>', 'the file')
    .option('--yes', 'add all that can be used, without asking')
    .addOption(dataDir())
    .action(async (file, flags) => {
      const { importConnectors } = await import('../commands/connectors.ts');
      report(await importConnectors(file, flags, environment));
    });
  mcp
    .command('remove')
    .description('Remove a server, its tools and its own files')
    .argument('<name>', 'its name')
    .option('--yes', 'skip the confirmation')
    .addOption(dataDir())
    .action(async (name, flags) => {
      const { removeConnector } = await import('../commands/connectors.ts');
      report(await removeConnector(name, flags, environment));
    });
  mcp
    .command('tools')
    .description('Start a server and show its tools; review them with --approve')
    .argument('<name>', 'its name')
    .option(
      '--approve [tools...]',
      'approve these, or all that wait for a review, after showing them',
    )
    .option('--on <tools...>', 'switch these on')
    .option('--off <tools...>', 'switch these off')
    .option(
      '--repeatable <tools...>',
      'calls of these may be repeated after a crash without asking',
    )
    .option('--yes', 'skip the confirmation')
    .addOption(dataDir())
    .addOption(json('print one JSON array'))
    .action(async (name, flags) => {
      const { showConnectorTools } = await import('../commands/connector-tools.ts');
      report(await showConnectorTools(name, flags, environment));
    });
  mcp
    .command('call')
    .description('Call an approved tool yourself, outside any task')
    .argument('<name>', 'the name of the server')
    .argument('<tool>', 'the name of the tool')
    .argument('[arguments]', 'one JSON object', '{}')
    .addOption(dataDir())
    .addOption(json('print one JSON object'))
    .action(async (name, tool, given, flags) => {
      const { callConnector } = await import('../commands/connector-tools.ts');
      report(await callConnector(name, { tool, given }, flags, environment));
    });
  mcp
    .command('log')
    .description('Show what happened at a server: starts, calls, what it printed, errors')
    .argument('<name>', 'its name')
    .addOption(dataDir())
    .addOption(json('print one JSON object a line'))
    .action(async (name, flags) => {
      const { showConnectorLog } = await import('../commands/connector-tools.ts');
      report(await showConnectorLog(name, flags, environment));
    });
  mcp
    .command('sign-in')
    .description('Sign in to a remote server: it prints the page, and waits for your browser')
    .argument('<name>', 'its name')
    .addOption(dataDir())
    .action(async (name, flags) => {
      const { signInToConnector } = await import('../commands/connectors.ts');
      report(await signInToConnector(name, flags, environment));
    });
  mcp
    .command('serve')
    .description(
      'Be an MCP server on standard input and output: other programs give HyperAgent tasks',
    )
    .option('--allow-approvals', 'let the program that connects approve calls of the agent too')
    .addOption(dataDir())
    .action(async (flags) => {
      const { serveMcp } = await import('../commands/mcp-serve.ts');
      report(await serveMcp(flags, environment));
    });
  for (const [verb, description] of [
    ['on', 'Switch a server on'],
    ['off', 'Switch a server off: its tools are not offered'],
    ['restart', 'Start a server again, also after it failed too often'],
    ['sign-out', 'Forget your sign-in at a remote server'],
  ] as const) {
    mcp
      .command(verb)
      .description(description)
      .argument('<name>', 'its name')
      .addOption(dataDir())
      .action(async (name, flags) => {
        const { switchConnector } = await import('../commands/connectors.ts');
        report(await switchConnector(name, verb, flags, environment));
      });
  }
}
