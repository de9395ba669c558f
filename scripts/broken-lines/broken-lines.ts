/** A line of the product, and how it is broken to see whether the tests of its area notice. */
export interface BrokenLine {
  readonly area: string;
  readonly file: string;
  readonly line: string;
  readonly broken: string;
  /** The test files that cover the area. */
  readonly tests: readonly string[];
}

/** One for each area. `test/scripts/broken-lines.test.ts` holds that each line exists. */
export const BROKEN_LINES: readonly BrokenLine[] = [
  {
    area: 'kills',
    file: 'src-main/tools/durable-ledger.ts',
    line: "const hasResult = end?.kind === 'result' && !isMadeAgain(end.payload);",
    broken: "const hasResult = end?.kind === 'result' && isMadeAgain(end.payload);",
    tests: ['test/integration/kills.test.ts'],
  },
  {
    area: 'egress',
    file: 'src-main/base/special-purpose.ts',
    line: "  ['169.254.0.0/16', 'link local'],\n",
    broken: '',
    tests: ['test/main/base/', 'test/main/egress/'],
  },
  {
    area: 'approvals',
    file: 'src-main/hitl/answer-checks.ts',
    line: 'if (response.edited === undefined && response.argumentsSha256 !== question.argumentsSha256)',
    broken: 'if (response.edited === question.argumentsSha256)',
    tests: ['test/main/hitl/', 'test/main/tools/'],
  },
  {
    area: 'sandbox',
    file: 'src-main/sandbox/os-provider/bubblewrap-arguments.ts',
    line: "'--unshare-pid', '--unshare-net',",
    broken: "'--unshare-pid',",
    tests: ['test/conformance/sandbox-provider.bubblewrap', 'test/integration/escapes.bubblewrap'],
  },
  {
    area: 'reducers',
    file: 'src-renderer/store/reducers/planning.ts',
    line: "known === undefined || known.status === 'failed'",
    broken: 'known === undefined',
    tests: ['test/renderer/'],
  },
  {
    area: 'xss',
    file: 'src-renderer/components/markdown/safe-url.ts',
    line: "    case 'mailto:':\n",
    broken: "    case 'javascript:':\n    case 'mailto:':\n",
    tests: ['test/e2e/xss.test.ts', 'test/e2e/renderer-safety.test.ts'],
  },
  {
    area: 'accessibility',
    file: 'src-renderer/panels/composer/growing-textarea.tsx',
    line: 'aria-label={label}',
    broken: 'data-label={label}',
    tests: ['test/e2e/renderer-skills-accessibility.test.ts', 'test/e2e/renderer-accessibility'],
  },
  {
    area: 'migrations',
    file: 'src-main/storage/migrate.ts',
    line: 'connection.transaction(() => {\n      connection.exec(step.sql);',
    broken: '[0].forEach(() => {\n      connection.exec(step.sql);',
    tests: ['test/main/storage/migration-kills.test.ts'],
  },
  {
    area: 'research',
    file: 'src-main/agents/research/render-report.ts',
    line: 'const supported = bySource[at] ?? false;',
    broken: 'const supported = bySource[at] !== null;',
    tests: ['test/main/agents/research/', 'test/integration/research.test.ts'],
  },
  {
    area: 'skills',
    file: 'src-main/skills/dynamic/bridge.ts',
    line: 'if (granted.includes(capability) && asked.includes(capability)) return;',
    broken: 'if (granted !== null && asked.includes(capability)) return;',
    tests: ['test/main/skills/dynamic/', 'test/integration/dynamic-skills.test.ts'],
  },
];
