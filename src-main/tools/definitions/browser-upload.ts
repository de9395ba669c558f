import { z } from 'zod';
import { MOST_PATH_CHARS } from '../../base/path-glob.ts';
import { type BrowserToolParts, browserTool, Ref } from '../browser-tool.ts';
import type { ToolDefinition } from '../types.ts';
import { insideWorkspace } from '../workspace-paths.ts';

/** Gives files of the workspace to a page: what leaves with them is asked about. */
export function tool(parts: BrowserToolParts): ToolDefinition {
  return browserTool(parts, {
    name: 'browser_upload',
    description: 'Give files of /workspace to a file field.',
    input: z.strictObject({
      ref: Ref,
      paths: z.array(z.string().min(1).max(MOST_PATH_CHARS)).min(1).max(10),
    }),
    paths: ({ paths }) => paths.map(insideWorkspace),
    action: ({ ref, paths }) => ({ kind: 'upload', ref, paths }),
  });
}
