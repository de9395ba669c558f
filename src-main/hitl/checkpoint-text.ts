/** Free-text answers to a checkpoint. To send one is to agree with changes; only a bare refusal is one. */

const REFUSALS =
  /^(?:no|nope|nah|no way|not (?:now|yet|like (?:this|that))|absolutely not|certainly not|of course not|no,? thanks?|no thank you|stop(?: (?:it|this|that|here|now|everything))?|cancel(?: (?:it|this|that|everything))?|abort|quit|reject(?:ed)?|denied|refused?|(?:i )?(?:don'?t|do not)(?: (?:do|want|like|run|start|continue|proceed)(?: (?:it|that|this|with (?:it|that|this)))?)?|i (?:disagree|refuse|do not agree|don'?t agree)|never ?mind|never|nein|non|不|不要|不用|不行|不可以|不同意|不了|别|别做|不要做|停|停止|停下|取消|拒绝|算了)$/iu;
/** Words beside a refusal that change nothing about it. */
const POLITE =
  /^(?:please|thanks?|thank you|sorry|ok(?:ay)?|hmm|well|wait|yet|now|at all|for now|请|谢谢|抱歉|现在|等等)$/iu;
const POLITE_ENDS =
  /^(?:please|sorry|请|那就)\s*|\s*(?:please|yet|now|at all|for now|thanks?|thank you|吧|了|谢谢)$/giu;

/** Longer words say more than a refusal. */
const REFUSAL_CHARS = 100;

/** Whether the words are nothing but refusals, such as "no", "stop here" or "No, please don't do that!". */
export function isRefusal(text: string): boolean {
  if (text.length > REFUSAL_CHARS) return false;
  const parts = text
    .replaceAll('’', "'")
    .split(/[.,;:!?…。，；：！？、\n]+|\s[-–—]+\s/u)
    .map((part) => part.trim())
    .filter((part) => part !== '' && !POLITE.test(part));
  return parts.length > 0 && parts.every((part) => isRefusing(part));
}

function isRefusing(part: string): boolean {
  return REFUSALS.test(part) || REFUSALS.test(part.replaceAll(POLITE_ENDS, '').trim());
}

/** Characters in which parameters are looked for. */
const READ_CHARS = 10_000;

/**
 * The parameters that the words state, by their own names: as a JSON object, or as `name = value` and
 * `name: value`, one to a line or between commas. Only names of `params`, and only values of the kind that the
 * parameter has; everything else is left to the model.
 */
export function overridesIn(
  text: string,
  params: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const plain = text.trim().slice(0, READ_CHARS);
  const given = asJson(plain);
  const stated: readonly (readonly [string, unknown])[] =
    given !== null && typeof given === 'object' && !Array.isArray(given)
      ? Object.entries(given)
      : statements(plain);
  return Object.fromEntries(
    stated.filter(([name, value]) => Object.hasOwn(params, name) && isLike(value, params[name])),
  );
}

function statements(text: string): (readonly [string, unknown])[] {
  return splitOutsideLists(text).flatMap((part) => {
    const [, name, value] = /^([\w-]{1,100})\s*[:=：]\s*(.+)$/su.exec(part.trim()) ?? [];
    return name === undefined || value === undefined
      ? []
      : [[name, asJson(value) ?? value] as const];
  });
}

/** The parts between commas, semicolons and line ends that are not within square brackets. */
function splitOutsideLists(text: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const letter of text) {
    depth = Math.max(0, depth + Number(letter === '[') - Number(letter === ']'));
    if (depth === 0 && /[\n;,，；]/u.test(letter)) parts.push('');
    else parts[parts.length - 1] += letter;
  }
  return parts;
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Words.
    return null;
  }
}

function isLike(value: unknown, known: unknown): boolean {
  return (
    known === null ||
    (typeof value === typeof known && Array.isArray(value) === Array.isArray(known))
  );
}
