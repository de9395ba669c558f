import { safeParse } from '#contract/safe-parse.ts';
import { callIdOf } from '../agents/call-id.ts';
import { branchStep, callStep, numberedStep } from '../base/step-path.ts';
import { TestReport } from '../tools/definitions/run-tests.ts';
import { executeToolBatch } from '../tools/tool-batch.ts';
import type { ToolCatalogue } from '../tools/tool-catalogue.ts';
import type { CallResult, ToolPipeline } from '../tools/tool-pipeline.ts';
import type { TestRun } from './evidence/test-facts.ts';
import type { RunTestsAt } from './types.ts';

/**
 * Runs tests through the tool pipeline, so that rules and approvals apply, and the journal and the log have each run.
 * The same requests are made once for each branch.
 */
export function createRunTests(parts: {
  readonly pipeline: ToolPipeline;
  readonly catalogue: Pick<ToolCatalogue, 'byName'>;
}): RunTestsAt {
  return (context, branch) => {
    const answer = numberedStep(branchStep(branch, 'tests'), 1);
    const known = new Map<string, Promise<readonly TestRun[]>>();
    let made = 0;
    return (requests) => {
      const key = JSON.stringify(requests);
      const before = known.get(key);
      if (before !== undefined) return before;
      const firstIndex = made;
      made += requests.length;
      const calls = requests.map((request, i) => ({
        id: callIdOf(context.runId, callStep(answer, firstIndex + i)),
        name: 'run_tests',
        arguments: { ...request },
      }));
      const ran = executeToolBatch(
        calls,
        { ...context, agent: 'orchestrator', answer, delegate: null, skillAgents: null },
        { pipeline: parts.pipeline, tools: parts.catalogue.byName, firstIndex },
      ).then((results) => results.map(toTestRun));
      known.set(key, ran);
      return ran;
    };
  };
}

function toTestRun({ status, content, data }: CallResult): TestRun {
  const report = safeParse(TestReport, data);
  if (report.success) return { report: report.data };
  if (status === 'denied') return { problem: 'You did not allow the app to run the tests.' };
  return { problem: content.split('\n', 1)[0] ?? '' };
}
