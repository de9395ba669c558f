import type { ToolParts } from '#main/tools/define-tool.ts';

function none(): never {
  throw new Error('This test has no apps');
}

/** For tests without apps. */
export const noApps: ToolParts['apps'] = {
  ...{ state: none, files: none, made: none, start: none, log: none, check: none, use: none },
  whileStopped: (_threadId, work) => work(),
  ...{ stale: none, build: none, cancelBuild: none, zip: none },
};
