import type { JsonObject, SkillContext } from '../../types.ts';
import { textOf } from './task.ts';
import { templateIn } from './template-words.ts';

const PRESENTATION = /\.(?:pptx|potx)$/i;

export interface ChosenTemplate {
  /** Null for none. */
  readonly template: string | null;
  /** The parameters for what reads the other files. */
  readonly params: JsonObject;
}

/** The presentation whose look is wanted: by the parameter, among the files, or named in the request. */
export async function chooseTemplate(
  params: JsonObject,
  context: SkillContext,
): Promise<ChosenTemplate> {
  const isTemplate = (path: unknown): path is string =>
    typeof path === 'string' && PRESENTATION.test(path);
  const files = Array.isArray(params.files) ? params.files : [];
  const others = files.filter((path) => !isTemplate(path));
  const rest = others.length === files.length ? params : { ...params, files: others };
  const given = textOf(params.template);
  const named = given === '' ? files.find(isTemplate) : given;
  if (named !== undefined) return { template: named, params: rest };
  const request = textOf(params.request);
  if (!/\.(?:pptx|potx)/i.test(request)) return { template: null, params };
  const found = await context.once('presentations', async () => {
    const all = await context.services.sandbox.listFiles();
    return all.map(({ path }) => path).filter(isTemplate);
  });
  const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
  const name = templateIn(request, found.map(nameOf));
  const wanted = name === null ? undefined : found.find((path) => nameOf(path) === name);
  return { template: wanted ?? null, params };
}
