import type { JsonObject, SkillContext } from '../../types.ts';
import { textOf } from './task.ts';
import { speaksOfLooks, templateIn } from './template-words.ts';

const PRESENTATION = /\.(?:pptx|potx)$/i;

/**
 * The presentation whose look is wanted: by the parameter, among the files, or named in the request; null for
 * none. Other presentations among the files are material.
 */
export async function chooseTemplate(
  params: JsonObject,
  context: SkillContext,
): Promise<string | null> {
  const request = textOf(params.request);
  const files = Array.isArray(params.files) ? params.files : [];
  const isWanted = (path: string): boolean =>
    /\.potx$/i.test(path) ||
    templateIn(request, [nameOf(path)]) !== null ||
    (!request.toLowerCase().includes(nameOf(path).toLowerCase()) && speaksOfLooks(request));
  const given = textOf(params.template);
  const named = given === '' ? files.find((path) => isPresentation(path) && isWanted(path)) : given;
  if (named !== undefined) return named;
  if (!/\.(?:pptx|potx)/i.test(request)) return null;
  const found = await context.once('presentations', async () => {
    const all = await context.services.sandbox.listFiles();
    return all.map(({ path }) => path).filter(isPresentation);
  });
  const name = templateIn(request, found.map(nameOf));
  return found.find((path) => nameOf(path) === name) ?? null;
}

function isPresentation(path: unknown): path is string {
  return typeof path === 'string' && PRESENTATION.test(path);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
