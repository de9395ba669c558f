import type { DirectedReply, DirectedRequest } from './directed-model.ts';

export interface AnalystScript {
  /** What it plans; a step or two unless given. */
  readonly plan?: DirectedReply;
  /** Its turns in the loop, by how many results it has; the last one for ever after. */
  readonly loop: readonly DirectedReply[];
  /** Its reports, in order; the last one for ever after. */
  readonly reports: readonly DirectedReply[];
}

/** A call that runs a Python program. */
export function runs(code: string): DirectedReply {
  return { calls: [{ name: 'execute_code', arguments: { language: 'python', code } }] };
}

export function json(value: unknown): DirectedReply {
  return { content: JSON.stringify(value) };
}

/** What a report says, by its statements. */
export function report(...statements: readonly string[]): DirectedReply {
  return json({
    summary: statements.join(' '),
    findings: statements.map((statement) => ({ statement })),
  });
}

/** A model that plans, runs programs and reports as the script says. */
export function analyst(script: AnalystScript): (request: DirectedRequest) => DirectedReply {
  let reported = 0;
  return ({ system, results }) => {
    if (system.startsWith('You plan the analysis')) {
      return script.plan ?? json({ steps: ['Compute what was asked for'], charts: [] });
    }
    if (system.startsWith('You analyse data')) {
      return script.loop[Math.min(results.length, script.loop.length - 1)] as DirectedReply;
    }
    const said = script.reports[Math.min(reported, script.reports.length - 1)];
    reported += 1;
    return said as DirectedReply;
  };
}
