import { z } from 'zod';
import { type BrowserToolParts, browserTool } from '../browser-tool.ts';
import type { ToolDefinition } from '../types.ts';

/** Opens an address. A host that the run may not reach without asking is asked about, as for `fetch_page`. */
export function tool(parts: BrowserToolParts): ToolDefinition {
  return browserTool(parts, {
    name: 'browser_navigate',
    description:
      'Open a page. Views show elements with refs in brackets: act by ref, and look again after a change. The user watches: for a sign-in, captcha or payment, ask_user to take over.',
    input: z.strictObject({ url: z.string().min(1).max(8_000) }),
    action: ({ url }) => ({ kind: 'navigate', url: withScheme(url.trim()) }),
  });
}

/** `example.org/a` and `localhost:80` name pages; `file:` and `mailto:` are left for the browser to refuse. */
function withScheme(url: string): string {
  return /^[a-z][a-z\d+.-]*:(?!\d+(?:[/?#]|$))/i.test(url) ? url : `https://${url}`;
}
