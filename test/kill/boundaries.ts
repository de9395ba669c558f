import { openSync, writeSync } from 'node:fs';
import { RunFeed } from '#main/run/run-feed.ts';
import { Connection } from '#main/storage/connection.ts';
import { ToolPipeline } from '#main/tools/tool-pipeline.ts';

/**
 * Every point at which a process may die with something half done: before and after each transaction
 * (with events, ledger rows, checkpoint writes and transcript rows), each single write outside of one,
 * each publishing of events, each effect. They are counted; at number `killAt` the process kills itself,
 * with nothing flushed and no message.
 */
export interface Boundaries {
  readonly count: () => number;
  /** Starts counting. */
  readonly arm: () => void;
  /** Marks a boundary of the caller's own. */
  readonly at: (name: string) => void;
}

export function watchBoundaries(killAt: number, namesFile: string | null): Boundaries {
  let count = 0;
  let armed = false;
  const names = namesFile === null ? null : openSync(namesFile, 'w');
  const at = (name: string): void => {
    if (!armed) return;
    count += 1;
    if (names !== null) writeSync(names, `${count} ${name}\n`);
    if (count === killAt) process.kill(process.pid, 'SIGKILL');
  };
  let depth = 0;
  const { transaction, sql } = Connection.prototype;
  Connection.prototype.transaction = function <T>(this: Connection, work: () => T): T {
    if (depth > 0) return transaction.call(this, work) as T;
    at('before transaction');
    depth += 1;
    try {
      return transaction.call(this, work) as T;
    } finally {
      depth -= 1;
      at('after transaction');
    }
  };
  Connection.prototype.sql = function (this: Connection, text: string) {
    const statement = sql.call(this, text);
    // Statements that begin or end a transaction, or run within one, count with it.
    if (!/^\s*(?:INSERT|UPDATE|DELETE|REPLACE)/i.test(text)) return statement as never;
    return {
      ...statement,
      run: (...values: never[]) => {
        if (depth > 0) return statement.run(...values);
        at(`before ${text.trim().slice(0, 40)}`);
        const changed = statement.run(...values);
        at(`after ${text.trim().slice(0, 40)}`);
        return changed;
      },
    } as never;
  };
  const { publish } = RunFeed.prototype;
  RunFeed.prototype.publish = function (this: RunFeed, runId, events) {
    at('before events are published');
    publish.call(this, runId, events);
    at('after events are published');
  };
  const { execute } = ToolPipeline.prototype;
  ToolPipeline.prototype.execute = function (this: ToolPipeline, ...given) {
    const [call, clearance, context, tools] = given;
    const { tool } = call;
    // The effect itself, inside ledger and events.
    const watched = {
      ...tool,
      run: async (input: never, toolContext: never) => {
        at(`before ${tool.name}`);
        const output = await tool.run(input, toolContext);
        at(`after ${tool.name}`);
        return output;
      },
    };
    const inside =
      clearance.kind === 'cleared'
        ? { ...clearance, call: { ...clearance.call, tool: watched } }
        : clearance;
    const asked = clearance.kind === 'cleared' && inside.kind === 'cleared' ? inside.call : call;
    return execute.call(this, asked as never, inside as never, context, tools);
  };
  const arm = (): void => {
    armed = true;
  };
  return { count: () => count, arm, at };
}
