import { type Diagnostics, DiagnosticsSection } from '#contract/diagnostics.ts';

const LINES: Readonly<Record<DiagnosticsSection, readonly string[]>> = {
  computer: ['HyperAgent: 0.1.0, web UI', 'Node: 24.21.0', 'System: Linux 6.8.0, x64'],
  setup: ['A task can run.', 'Models', '  ok: Ollama at http://127.0.0.1:11434: qwen3:8b'],
  settings: ['approve: ask (default)', 'customInstructions: set', 'network: allowlist (default)'],
  policy: ['This computer has no policy.'],
  data: ['Data folder: ~/.local/share/hyperagent', 'Tasks: 7', 'Runs: 12'],
  crashes: ['There are no crash dumps.'],
  log: [
    '2026-11-29T10:00:00.000Z warn A request failed',
    '    error:',
    ...[1, 2, 3, 4, 5, 6, 7, 8].map(
      (at) =>
        `        at callTheServerAndWaitForItsAnswer (file:///[app]/out/main/part-${at}.js:120:33)`,
    ),
    '2026-11-29T10:00:01.000Z info Hidden ⟨U+202E⟩ and <b>bold</b> stay as they are',
  ],
};

/** A document with every section. */
export function fakeDiagnostics(): Diagnostics {
  return {
    fileName: 'hyperagent-diagnostics-2026-11-29.txt',
    head: '# HyperAgent diagnostics\n\n    Version 0.1.0\n',
    parts: DiagnosticsSection.options.map((section) => ({
      section,
      text: `## ${section}\n\n${LINES[section].map((line) => `    ${line}\n`).join('')}`,
    })),
    notes: '## Not in this document\n\n    Keys, passwords, tokens.\n',
  };
}
