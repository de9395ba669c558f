import { AskedLevel } from '../test/fakes/approval-bench.ts';
import { countFiles } from './corpus/count-files.ts';
import { countDay, readDay } from './corpus-approvals/count.ts';

/**
 * Counts how often the user is asked on a day's work under each approval level, as the real pipeline decides.
 * Nothing runs, and nothing leaves this computer.
 *
 *   npm run corpus:approvals [-- FILE.jsonl...]
 *
 * Each line of a file is a call: `task`, `tool`, `arguments`, whether its task holds text from others (`tainted`), and
 * what else `test/fakes/approval-bench.ts` knows. `not_chosen` is the behaviour before there were levels.
 */
await countFiles(['test/fixtures/approvals/day.jsonl'], {}, async (file) => {
  const day = readDay(file);
  const tasks = new Set(day.map(({ task }) => task));
  const lines = [`${file}: ${day.length} calls of ${tasks.size} tasks`, ''];
  for (const level of AskedLevel.options) {
    const { ask, park, deny, block, run, asked } = await countDay(day, level);
    const others = deny + block === 0 ? '' : `, ${deny + block} refused`;
    lines.push(`${level.padEnd(15)} ${ask + park} questions, ${run} run without one${others}`);
    if (ask + park <= 12) lines.push(...asked.map((what) => `                  ${what}`));
  }
  process.stdout.write(`${lines.join('\n')}\n`);
  return null;
});
