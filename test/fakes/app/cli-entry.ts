import { join } from 'node:path';
import type { Run } from '#contract/entities.ts';
import type { PolicyLevel } from '#contract/vocabulary.ts';
import { main } from '#main/cli/main.ts';
import type { Compose, ComposeOptions } from '#main/compose/app.ts';
import { createFakeApp } from './fake-app.ts';
import type { Play } from './fake-runs.ts';
import { playScripts } from './plays.ts';

/**
 * The CLI on the fake app, as a program of its own:
 *
 *   node test/fakes/app/cli-entry.ts run "hello"
 *
 * Commands that only look find one run, `run_1`, when PAST_RUN is set.
 */
const compose: Compose = async (options) => {
  const app = createFakeApp(options, (stage) =>
    stage.run.prompt === 'options'
      ? tellOptions(options, levelOf(stage.run))(stage)
      : playScripts(stage),
  );
  const levelOf = ({ threadId }: Pick<Run, 'threadId'>) =>
    app.api['threads.get']({ threadId }).thread.level;
  if (options.readOnly && process.env.PAST_RUN !== undefined) {
    const { run } = await app.runs.start({ prompt: 'hello', attachmentIds: [], options: {} });
    await app.runs.settled(run.id);
  }
  return app;
};

/** Answers with what the run and the app were given. */
function tellOptions(
  { seal: _, ...composed }: ComposeOptions,
  level: PolicyLevel | undefined,
): Play {
  return ({ run, emit }) => {
    const keyInEnvironment = process.env.MY_KEY !== undefined;
    emit({
      type: 'complete',
      outcome: 'completed',
      answer: JSON.stringify({ options: run.options, level, composed, keyInEnvironment }),
      durationMs: 0,
      rounds: 0,
      toolCalls: 0,
    });
    return Promise.resolve('completed');
  };
}

await main(process.argv.slice(2), {
  version: '1.2.3',
  rendererDir: join(import.meta.dirname, 'renderer'),
  loadCompose: () => Promise.resolve(compose),
});
