import type { TaskApp } from '#contract/apps.ts';
import type { RunEventDraft } from '#contract/events/run-event.ts';
import type { ToolParts } from './define-tool.ts';
import type { ToolOutput } from './types.ts';

/** Lines of what a server printed that are added to a result. */
const LOG_LINES = 20;

/** The state of an app's server as a model reads it, with the event that leads the user to it. */
export function serverOutput(app: TaskApp, { apps }: Pick<ToolParts, 'apps'>): ToolOutput {
  const { threadId, folder, template, server, previewUrl, problem } = app;
  const data = { folder, template, server, preview_url: previewUrl };
  const log = apps.log(threadId, LOG_LINES).trim();
  const printed = log === '' ? '' : `\nIt printed:\n${log}`;
  if (server === 'running' && previewUrl !== null) {
    const streamUrl = `app:${threadId}`;
    const content = `The app runs, and the user sees it in the App tab. Preview: ${previewUrl}`;
    const shown: RunEventDraft = { type: 'browser_stream', streamUrl, label: 'App' };
    return { content, data, events: [shown] };
  }
  return { content: `${stateOf(server, problem)}${printed}`, data, ok: false };
}

function stateOf(server: TaskApp['server'], problem: string | null): string {
  switch (server) {
    case 'failed':
      return `The server of the app does not run. ${problem ?? ''}`.trim();
    case 'starting':
      if (problem !== null) return `The server of the app does not run. ${problem}`;
      return 'The server has started, and nothing answers on any port yet. Look at what it printed, or check again later with app_get_preview_url.';
    case 'stopped':
    case 'running':
      return 'The server of the app is stopped. Start it with app_start_server.';
  }
}
