import { type SkillCapability, SkillMetadata } from '#contract/skills.ts';
import { sourceHash } from '#main/skills/dynamic/source-hash.ts';
import {
  type DirectedReply,
  type DirectedRequest,
  startDirectedModel,
} from '../fakes/directed-model.ts';
import { dynamicMetadata, skillSource } from '../fakes/dynamic-skill-source.ts';
import type { KillScenario } from './scenario.ts';

const ANSWER = 'The tally is kept.';

/**
 * Appends a line each time it runs; the word after `echo` identifies it in questions. Not at once: what the app has
 * pending, such as the state of the files before it, is stored by then.
 */
const LEAVE = `const leave = (mark, more = '') =>
      app.sandbox.run('bash', '# echo ' + mark + '\\nsleep 0.1; echo ' + mark + ' >> effects.log' + more);`;

/**
 * Writes a file that a program appends to, reads it, rewrites it from what it read, and appends again: the
 * result shows whether a life repeated one of these.
 */
const TALLY = `${LEAVE}
    await app.emit('Keeping the tally');
    await app.sandbox.writeFile('tally.txt', 'a');
    await leave('d1', '; printf b >> tally.txt');
    const read = await app.sandbox.readFile('tally.txt');
    await app.sandbox.writeFile('tally.txt', read + 'c');
    const word = await app.llm.ask({ prompt: 'Say the letter after c.' });
    await app.sandbox.writeFile('tally.txt', (await app.sandbox.readFile('tally.txt')) + word);
    const child = await app.invokeSkill('tally_child', { mark: 'd2' });
    const times = [];
    for (let i = 0; i < 3; i += 1) {
      const [{ path, size } = {}] = (await app.sandbox.listFiles()).filter((one) => one.path === 'tally.txt');
      times.push(size);
      await app.sandbox.writeFile(path, (await app.sandbox.readFile(path)) + '.');
    }
    await leave('d3');
    return { child: child.ok && child.output, times, tally: await app.sandbox.readFile('tally.txt') };`;

const CHILD = `${LEAVE}
    const before = await app.sandbox.readFile('tally.txt');
    await app.sandbox.writeFile('tally.txt', before + 'e');
    await leave(params.mark, '; printf f >> tally.txt');
    return { before };`;

interface Kept {
  readonly id: string;
  readonly capabilities: readonly SkillCapability[];
  readonly body: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

const SKILLS: readonly Kept[] = [
  { id: 'tally', capabilities: ['llm', 'sandbox', 'invokeSkill', 'emit'], body: TALLY },
  {
    ...{ id: 'tally_child', capabilities: ['sandbox'], body: CHILD },
    metadata: { parameters: [{ name: 'mark', type: 'string', description: 'What to leave.' }] },
  },
];

function direct({ system, results }: DirectedRequest): DirectedReply {
  if (system.includes('one part of the work of a skill')) return { content: 'd' };
  if (results.length > 0) return { content: ANSWER };
  const call = { name: 'invoke_skill', arguments: { skill_id: 'tally', params: {} } };
  return { content: '', calls: [call] };
}

/** An agent that runs a user's dynamic skill, which counts in a file with a program, a model and a child skill. */
export const DYNAMIC_SCENARIO: KillScenario = {
  prompt: 'Keep the tally.',
  answer: ANSWER,
  marks: ['d1', 'd2', 'd3'],
  compared: ['routing', 'skill_output', 'complete'],
  prepare: ({ skills }) => {
    for (const { body, ...given } of SKILLS) {
      const code = skillSource(body, given);
      const said = SkillMetadata.parse(dynamicMetadata(given));
      const { id, capabilities, name, version: number, description, category, author } = said;
      const { version } = skills.saveVersion(
        {
          ...{ id, name, version: number, description, category, author },
          metadataJson: JSON.stringify(said),
        },
        { language: 'javascript', code, sha256: sourceHash('javascript', code) },
      );
      skills.approveVersion(id, { version, granted: capabilities });
    }
  },
  serve: () => startDirectedModel(direct),
};
