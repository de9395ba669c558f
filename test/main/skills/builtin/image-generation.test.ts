import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { skill } from '#main/skills/builtin/image-generation/skill.ts';
import type { JsonObject, SkillHost, ToolAnswer } from '#main/skills/types.ts';
import { RuleChatModel } from '../../../fakes/research-model.ts';
import type { SkillExample } from '../../../fakes/skill-bench.ts';
import { openSkillLives } from '../../../fakes/skill-lives.ts';

const DESCRIBED = {
  ...{ prompt: 'A red fox in snow', negative_prompt: 'text', alt: 'A fox.' },
  ...{ shape: 'landscape', count: 2 },
};

/** Lets the skill work with a model that says this, and a tool that makes what it is asked for. */
async function makeImages(
  params: JsonObject,
  {
    said = DESCRIBED as unknown,
    answer,
    contextWindow,
  }: { said?: unknown; answer?: ToolAnswer; contextWindow?: number } = {},
) {
  const calls: JsonObject[] = [];
  const asked: string[] = [];
  const model = new RuleChatModel(({ messages }) => {
    asked.push(messages.map(({ content }) => content).join('\n'));
    return typeof said === 'string' ? said : JSON.stringify(said);
  }, contextWindow);
  const made = ({ prompt, count = 1, alt = 'x' }: JsonObject): ToolAnswer => {
    const images = Array.from({ length: Number(count) }, (_, i) => ({
      ...{ path: `images/${i}.png`, download_url: `workspace:images/${i}.png`, alt, seed: i },
      ...{ model: null, width: 8, height: 8 },
    }));
    return { ok: true, status: 'ok', content: `made ${prompt}`, data: { images, problems: [] } };
  };
  const host: Partial<SkillHost> = {
    toolNames: new Set(['generate_image']),
    model: async () => model,
    call: async ({ arguments: given }) => {
      calls.push(given);
      return answer ?? made(given);
    },
  };
  const life = openSkillLives([skill]).life({ host });
  const outcome = await life.execute('image_generation', params);
  return { outcome, calls, asked };
}

describe('image_generation', () => {
  it('writes what the image model draws from, in a shape that it draws well', async () => {
    const { outcome, calls, asked } = await makeImages({ request: 'two foxes in the snow' });
    expect(asked).toHaveLength(1);
    expect(calls).toEqual([
      {
        ...{ prompt: 'A red fox in snow', negative_prompt: 'text', alt: 'A fox.' },
        ...{ width: 1216, height: 832, count: 2 },
      },
    ]);
    expect(outcome).toMatchObject({
      ok: true,
      output: {
        summary: 'Made 2 pictures.',
        ...{ file: 'images/0.png', download_url: 'workspace:images/0.png', notes: [] },
        prompt: 'A red fox in snow',
      },
    });
  });

  it('what the user gave goes first', async () => {
    const given = {
      width: 512,
      height: 256,
      count: 1,
      seed: 9,
      negative_prompt: 'dogs',
      file: 'a.png',
    };
    const { calls } = await makeImages({ request: 'a fox', ...given });
    expect(calls).toEqual([{ prompt: 'A red fox in snow', alt: 'A fox.', ...given }]);
  });

  it('takes words as they are, and needs none to make a picture larger', async () => {
    const exact = await makeImages({ request: ' A fox, 35 mm ', exact: true, seed: 4 });
    const larger = await makeImages({ request: 'larger', image: 'a.png', scale: 2 });
    expect([exact.asked, exact.calls]).toEqual([[], [{ prompt: 'A fox, 35 mm', seed: 4 }]]);
    expect([larger.asked, larger.calls]).toEqual([
      [],
      [{ prompt: 'larger', image: 'a.png', scale: 2 }],
    ]);
  });

  it('says that a picture is changed, where one is given', async () => {
    const { asked, calls } = await makeImages({
      request: 'a blue car',
      image: 'car.png',
      mask: 'm.png',
    });
    expect(asked[0]).toContain('after the change');
    expect(calls[0]).toMatchObject({ image: 'car.png', mask: 'm.png' });
  });

  it('reads what small models write: another shape, no alt, a count as text', async () => {
    const said = { prompt: 'A fox', shape: '16:9', count: '3' };
    const { calls } = await makeImages({ request: 'a fox' }, { said });
    expect(calls).toEqual([{ prompt: 'A fox', width: 1024, height: 1024, count: 1 }]);
  });

  it('gives the request as it is, and says so, where the model writes nothing usable', async () => {
    const { outcome, calls } = await makeImages({ request: 'a fox' }, { said: 'A nice fox!' });
    expect(calls).toEqual([{ prompt: 'a fox' }]);
    expect(outcome).toMatchObject({ ok: true });
    expect(JSON.stringify(outcome)).toContain('word for word');
  });

  it('fits into a window of 4,096 tokens', async () => {
    const { outcome } = await makeImages(
      { request: 'a fox '.repeat(200) },
      { contextWindow: 4_096 },
    );
    expect(outcome.ok).toBe(true);
  });

  it('ends with the words of the tool, where nothing was made', async () => {
    const content = 'Nothing on this computer makes pictures. Install one of ComfyUI.';
    const answer = { ok: false, status: 'error', content, data: null } as const;
    const { outcome } = await makeImages({ request: 'a fox' }, { answer });
    expect(outcome).toMatchObject({ ok: false, error: { code: 'TOOL_FAILED' } });
    expect(JSON.stringify(outcome)).toContain('Install one of ComfyUI');
  });

  it('its example is what it does', async () => {
    const file = 'src-main/skills/builtin/image-generation/example.json';
    const { params, answers, expected } = JSON.parse(readFileSync(file, 'utf8')) as SkillExample;
    const { outcome } = await makeImages(params, { said: answers[0] });
    expect(outcome).toMatchObject({ ok: true, output: { prompt: expected.prompt } });
  });
});
