import { MAX_PLAN_STEPS, MIN_PLAN_STEPS, type PlanStep } from '#contract/plans.ts';
import type { AppTask, EvalSet, Outcome, Verdict } from '../types.ts';

interface Planning {
  readonly name: string;
  readonly prompt: string;
  readonly files?: Readonly<Record<string, string>>;
  /** What some step's title, goal or evidence must contain. */
  readonly parts: Readonly<Record<string, RegExp>>;
  /** Title, goal, and the titles of the steps it depends on. */
  readonly plan: readonly (readonly [title: string, goal: string, after?: readonly string[]])[];
}

const PLANNINGS: readonly Planning[] = [
  {
    name: 'data, chart and report',
    prompt:
      'First clean sales.csv and save it as clean.csv, then compute the totals per region, then draw them as chart.svg, and finally write report.md with the totals.',
    files: { 'sales.csv': 'region,amount\nNorth,40\nSouth,\nNorth,2\n' },
    parts: { cleaning: /clean/i, totals: /total|sum/i, chart: /chart/i, report: /report/i },
    plan: [
      ['Clean', 'Clean sales.csv into clean.csv'],
      ['Totals', 'Compute the totals per region of clean.csv', ['Clean']],
      ['Chart', 'Draw the totals as chart.svg', ['Totals']],
      ['Report', 'Write report.md with the totals', ['Totals']],
    ],
  },
  {
    name: 'a program with tests',
    prompt:
      'Step 1: write a module slug.py that turns titles into slugs. Step 2: write tests for it in test_slug.py. Step 3: run the tests. Step 4: write a README.md on how to use it.',
    parts: { module: /slug/i, tests: /test/i, readme: /readme/i },
    plan: [
      ['Module', 'Write slug.py'],
      ['Tests', 'Write test_slug.py and run the tests', ['Module']],
      ['Readme', 'Write README.md', ['Module']],
    ],
  },
  {
    name: 'two files side by side',
    prompt:
      'Summarize alpha.txt into alpha.md, and summarize beta.txt into beta.md, then compare both summaries in compare.md, and after that translate compare.md into German as compare.de.md.',
    files: { 'alpha.txt': 'Alpha is early.\n', 'beta.txt': 'Beta is late.\n' },
    parts: { alpha: /alpha/i, beta: /beta/i, comparison: /compare/i, German: /german|\.de\.md/i },
    plan: [
      ['Alpha', 'Summarize alpha.txt into alpha.md'],
      ['Beta', 'Summarize beta.txt into beta.md'],
      ['Compare', 'Compare both in compare.md', ['Alpha', 'Beta']],
      ['Translate', 'Translate compare.md into German as compare.de.md', ['Compare']],
    ],
  },
  {
    name: 'a pipeline',
    prompt:
      'Build a pipeline that reads all .log files, extracts the errors, stores them in errors.db (SQLite) and prints the number per day.',
    files: { 'a.log': '2026-01-01 ERROR one\n2026-01-02 INFO two\n' },
    parts: {
      reading: /log/i,
      database: /sqlite|errors\.db|database/i,
      count: /per day|daily|count|number/i,
    },
    plan: [
      ['Extract', 'Read the .log files and extract the errors'],
      ['Store', 'Store the errors in errors.db with SQLite', ['Extract']],
      ['Count', 'Print the number per day', ['Store']],
    ],
  },
  {
    name: 'a plan asked for in Chinese',
    prompt:
      '先读取 orders.csv 并删除重复的行，再统计每个客户的总金额，然后画出柱状图，最后写一份总结 summary.md。',
    files: { 'orders.csv': '客户,金额\n甲,3\n甲,3\n乙,5\n' },
    parts: {
      duplicates: /重复|dup/i,
      totals: /统计|总金额|合计|total|sum/i,
      chart: /图|chart/i,
      summary: /总结|summary/i,
    },
    plan: [
      ['去重', '读取 orders.csv 并删除重复的行'],
      ['统计', '统计每个客户的总金额', ['去重']],
      ['画图', '画出柱状图', ['统计']],
      ['总结', '写 summary.md', ['统计']],
    ],
  },
];

/** The quality of plans. The run is stopped as soon as there is a plan. */
export const PLANNING: EvalSet = {
  name: 'planning',
  missing: ({ has }) =>
    has('src-main/agents/planner.ts') && has('src-main/orchestrator/orchestrator.ts')
      ? null
      : 'the planner and the orchestrator',
  tasks: () => PLANNINGS.map(toTask),
};

function toTask({ name, prompt, files, parts, plan }: Planning): AppTask {
  return {
    name,
    prompt,
    until: ({ type }) => type === 'plan_overview',
    files,
    check: (outcome) => checkPlan(outcome, parts),
    script: [{ steps: [{ text: planText(plan) }] }],
  };
}

/** The plan as a model writes it. */
function planText(plan: Planning['plan']): string {
  const id = (title: string): string => `p${plan.findIndex(([other]) => other === title) + 1}`;
  const steps = plan.map(([title, goal, after = []]) => ({
    id: id(title),
    title,
    goal,
    tools: ['execute_code'],
    evidence: [{ kind: 'judgement', target: goal }],
    depends_on: after.map(id),
  }));
  return JSON.stringify({ steps });
}

function checkPlan({ events }: Outcome, parts: Planning['parts']): Verdict {
  const overview = events.find((event) => event.type === 'plan_overview');
  if (overview === undefined) {
    const routing = events.find((event) => event.type === 'routing');
    return `no plan was made${routing === undefined ? '' : `: the task was routed as ${routing.route}`}`;
  }
  const { steps, reason } = overview;
  if (steps.length < MIN_PLAN_STEPS || steps.length > MAX_PLAN_STEPS) {
    return `${steps.length} steps instead of ${MIN_PLAN_STEPS} to ${MAX_PLAN_STEPS}${reason === undefined ? '' : `: ${reason}`}`;
  }
  return unsoundDependency(steps) ?? missingPart(steps, parts);
}

function unsoundDependency(steps: readonly PlanStep[]): Verdict {
  const before = new Set<string>();
  for (const { id, title, dependsOn } of steps) {
    const unknown = dependsOn.find((other) => !before.has(other));
    if (unknown !== undefined)
      return `"${title}" depends on ${unknown}, which does not come before it`;
    if (before.has(id)) return `the id ${id} is used twice`;
    before.add(id);
  }
  return null;
}

function missingPart(steps: readonly PlanStep[], parts: Planning['parts']): Verdict {
  const text = steps
    .map(({ title, goal, expectedEvidence }) =>
      [title, goal, ...expectedEvidence.map(({ target }) => target)].join(' '),
    )
    .join('\n');
  const missing = Object.entries(parts).flatMap(([part, sign]) => (sign.test(text) ? [] : [part]));
  return missing.length === 0 ? null : `no step is about: ${missing.join(', ')}`;
}
