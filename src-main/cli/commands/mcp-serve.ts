import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { CliEnvironment } from '../environment.ts';
import { EXIT } from '../exit-codes.ts';
import { createMcpServer } from '../mcp-server.ts';
import { openApp } from '../open-app.ts';
import { printError } from '../output.ts';
import { SharedApp } from '../shared-app.ts';

/** The app as an MCP server on standard input and output, until the client closes them. */
export async function serveMcp(
  { dataDir, allowApprovals }: { readonly dataDir?: string; readonly allowApprovals?: boolean },
  environment: CliEnvironment,
): Promise<number> {
  await using apps = new SharedApp((secondary) =>
    openApp(environment, { dataDir, attended: false, readOnly: false, secondary }),
  );
  const mayApprove = allowApprovals === true;
  const handle = serveStdio(() => createMcpServer(apps, { mayApprove }), {
    onerror: (error) => printError(`${error.message}\n`),
  });
  await new Promise<void>((resolve) => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  await handle.close();
  return EXIT.complete;
}
