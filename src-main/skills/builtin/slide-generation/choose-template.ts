import type { JsonObject, SkillContext } from '../../types.ts';
import { textOf } from './task.ts';

const PRESENTATION = /\.(?:pptx|potx)$/i;
/** What makes of a presentation that a request names its template. */
const LOOKS =
  /\b(?:templates?|layouts?|brand(?:ing)?|corporate|style|design|look|master)\b|vorlage|modèle|plantilla|模板|版式|样式|风格|テンプレート|قالب/iu;

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
  const request = textOf(params.request).toLowerCase();
  if (!LOOKS.test(request) || !/\.(?:pptx|potx)/.test(request)) return { template: null, params };
  const found = await context.once('presentations', async () => {
    const all = await context.services.sandbox.listFiles();
    return all.map(({ path }) => path).filter(isTemplate);
  });
  const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const wanted = found.find((path) => request.includes(nameOf(path)));
  return { template: wanted ?? null, params };
}
