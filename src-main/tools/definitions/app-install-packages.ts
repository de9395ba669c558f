import { z } from 'zod';
import { inAppFolder } from '../../apps/in-app-folder.ts';
import { defineTool, type ToolParts } from '../define-tool.ts';
import { runInSandbox } from '../run-command.ts';
import type { ToolDefinition } from '../types.ts';

/** Named in the command, so that approving it allows this host and no other. */
const HOST = 'registry.npmjs.org';
const REGISTRY = `https://${HOST}/`;
const TARGET = { host: HOST, port: 443 };
/** A name of the registry with a version or a range: no address, no folder, no option. */
const PACKAGE = /^(?:@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*(?:@[\w.^~<>=*|-]+)?$/i;

/** Installs packages of npm into the app, without running scripts of theirs. */
export function tool({
  apps,
  commandTimeoutMs,
}: Pick<ToolParts, 'apps' | 'commandTimeoutMs'>): ToolDefinition {
  return defineTool({
    name: 'app_install_packages',
    description:
      "Add npm packages to the app. It needs the network; the template's own packages are there.",
    input: z.strictObject({
      packages: z
        .array(z.string().max(200).regex(PACKAGE, 'a package name, with a version or without'))
        .min(1)
        .max(20),
      dev: z.boolean().optional(),
    }),
    question: () => 'Install these packages?',
    notice: ({ packages }) =>
      `It downloads ${packages.join(', ')} and what they need from ${HOST}. Scripts of packages are not run.`,
    risk: 'high',
    effect: 'idempotent',
    subjects: ({ packages }) => ({
      argv: ['npm', 'install', ...packages],
      hosts: [HOST],
    }),
    run: async ({ packages, dev = false }, context) => {
      const { egress, isApproved } = context;
      const mayReach = egress.allows(TARGET) || (isApproved && egress.opensByApproval(TARGET));
      if (!mayReach) {
        const why = egress.policy === 'offline' ? 'this task is offline' : `${HOST} is not allowed`;
        return {
          content: `Nothing was installed: ${why}. Write the app with the packages of its template, or ask the user to allow ${HOST} for this task.`,
          ok: false,
        };
      }
      const { folder } = apps.state(context.threadId);
      const options = `--ignore-scripts --no-audit --no-fund --registry=${REGISTRY}`;
      const named = packages.map((name) => `'${name}'`).join(' ');
      const command = `npm install ${options}${dev ? ' --save-dev' : ''} -- ${named}`;
      const code = inAppFolder(folder ?? '', command);
      const timeoutMs = commandTimeoutMs();
      return await runInSandbox({ language: 'bash', code, timeoutMs, shown: command }, context);
    },
  });
}
