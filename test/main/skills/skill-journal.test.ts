import { expect, it } from 'vitest';
import type { StepPath } from '#main/base/step-path.ts';
import { RunPaused } from '#main/hitl/types.ts';
import { graphSkill } from '#main/skills/graph-skill.ts';
import type { JsonObject, SkillResult, ToolAnswer } from '#main/skills/types.ts';
import { skillMetadata } from '../../fakes/skill-host.ts';
import { answerOf, Killed, openSkillLives } from '../../fakes/skill-lives.ts';

/** A skill with work side by side, the same work twice, a child, and a stage after it. */
function openBusySkill() {
  const done: string[] = [];
  const child = graphSkill(skillMetadata({ id: 'child', requiredTools: ['fetch_page'] }), [
    {
      ...{ name: 'read', description: 'Reading' },
      run: async (_state, { services }) => {
        const pages = await Promise.all(['x', 'y'].map((url) => services.fetch.page(url)));
        return { output: { texts: pages.map(({ text }) => text) } };
      },
    },
  ]);
  const parent = graphSkill(skillMetadata({ id: 'parent' }), [
    {
      ...{ name: 'search', description: 'Searching' },
      run: async (_state, { services }) => {
        const found = await Promise.all(
          ['a', 'b', 'c'].map((query) => services.search.search(query)),
        );
        // The same again is asked again.
        const again = await services.search.search('a');
        return { work: { found: [...found, again].flat() as unknown as string[] } };
      },
    },
    {
      ...{ name: 'combine', description: 'Combining' },
      run: async ({ work }, context) => {
        const result = (await context.invokeSkill('child', {})) as SkillResult & { ok: true };
        const dice = await context.once('dice', async () => {
          done.push('dice');
          return null;
        });
        return { output: { ...work, ...result.output, dice } };
      },
    },
  ]);
  const lives = openSkillLives([parent, child]);
  const times = new Map<string, number>();
  /** Results of calls by their steps, as the ledger keeps them. */
  const kept = new Map<StepPath, ToolAnswer>();
  const call = async (
    { name, arguments: given }: { readonly name: string; readonly arguments: JsonObject },
    step: StepPath,
  ) => {
    const known = kept.get(step);
    if (known !== undefined) return known;
    const what = String(given.query ?? given.url);
    done.push(`${what} at ${step}`);
    await new Promise((resolve) => setTimeout(resolve, what === 'b' ? 8 : 3));
    times.set(what, (times.get(what) ?? 0) + 1);
    const answer = answerOf(name === 'web_search' ? [{ title: what }] : `page ${what}`);
    kept.set(step, answer);
    return answer;
  };
  return { lives, done, host: { call, toolNames: new Set(['fetch_page']) } };
}

const OUTPUT = {
  ...{ found: ['a', 'b', 'c', 'a'].map((title) => ({ title })) },
  ...{ texts: ['page x', 'page y'], dice: null },
};

it('goes on after a kill at every write: the same result, emitted once, and no work that was stored twice', async () => {
  const whole = openBusySkill();
  const first = whole.lives.life({ host: whole.host });
  expect(await first.execute('parent')).toMatchObject({ ok: true, output: OUTPUT });
  const writes = first.writes();
  expect(writes).toBeGreaterThan(20);
  for (let killAt = 1; killAt <= writes; killAt += 1) {
    const { lives, done, host } = openBusySkill();
    const dying = lives.life({ host, killAt });
    await expect(dying.execute('parent')).rejects.toBeInstanceOf(Killed);
    // What ran beside it ends too, and finds nowhere to put its result.
    await new Promise((resolve) => setTimeout(resolve, 25));
    const before = [...done];
    const unsettled = lives.unsettled(['skill']);
    const next = lives.life({ host });
    expect(await next.execute('parent')).toMatchObject({ ok: true, output: OUTPUT });
    const repeated = done.slice(before.length).filter((one) => before.includes(one));
    // Only what had no result on disk, and that in the same places of the ledger.
    expect(repeated.length).toBeLessThanOrEqual(unsettled);
    expect(new Set(done).size).toBe(whole.done.length);
    // Emitted: each once, over both lives; the kill took one with its write.
    const [row] = lives.executions.list({ skillId: 'parent', limit: 1 });
    const emitted = row?.events.map(({ name, status }) => `${name} ${status}`);
    expect(emitted).toEqual([
      ...['skill_parent running', 'skill_parent.search running', 'skill_parent.search completed'],
      ...['skill_parent.combine running', 'skill_parent.combine completed'],
      'skill_parent completed',
    ]);
    expect(row).toMatchObject({ status: 'completed', output: OUTPUT });
  }
});

it('begins nothing new where the run is to rest, and goes on from there', async () => {
  const { lives, done, host } = openBusySkill();
  const pause = new AbortController();
  const paused = lives.life({
    host: {
      ...host,
      pause: pause.signal,
      passesThrough: (error) => error instanceof RunPaused,
      call: (...given) => {
        pause.abort(new RunPaused());
        return host.call(given[0], given[1]);
      },
    },
  });
  await expect(paused.execute('parent')).rejects.toBeInstanceOf(RunPaused);
  await new Promise((resolve) => setTimeout(resolve, 25));
  const before = done.length;
  expect(before).toBeLessThan(4);
  expect(await lives.life({ host }).execute('parent')).toMatchObject({ output: OUTPUT });
  expect(done.length).toBe(7);
  expect(new Set(done).size).toBe(7);
});

it('forgets what its skills did once a run has ended', async () => {
  const { lives, host } = openBusySkill();
  await lives.life({ host }).execute('parent');
  const { connection } = lives.database;
  const left = (): number =>
    connection.sql("SELECT 1 FROM run_journal WHERE kind = 'work'").all().length;
  expect(left()).toBeGreaterThan(0);
  connection.sql("UPDATE runs SET status = 'completed', ended_at = 2").run();
  expect(left()).toBe(0);
});
