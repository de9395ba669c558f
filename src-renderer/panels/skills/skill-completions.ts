import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { SkillCapability, SkillCategory, SkillMetadata, SkillParameter } from '#contract/skills.ts';
import { RiskLevel } from '#contract/vocabulary.ts';
import { type Declarations, type Declared, membersOf } from '../../store/declarations.ts';

const PATH = /([A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)*)\??\.([\w$]*)$/;

/** Completions at the cursor, from the declarations and the metadata of skills. */
export function completeSkill(
  declarations: Declarations,
): (context: CompletionContext) => CompletionResult | null {
  return (context) => {
    const line = context.state.doc.lineAt(context.pos);
    const before = line.text.slice(0, context.pos - line.from);
    const found = PATH.exec(before);
    if (found !== null) {
      const [, path = '', word = ''] = found;
      const members = membersOf(declarations, path.split(/\??\./));
      if (members.length === 0) return null;
      return { from: context.pos - word.length, options: members.map(optionOf), validFor: /^\w*$/ };
    }
    return completeMetadata(context) ?? completeGlobals(context, declarations);
  };
}

/** The declaration of the word at a position, for a tooltip; null if there is none. */
export function declaredAt(
  declarations: Declarations,
  text: string,
  at: number,
): { readonly declared: Declared; readonly from: number; readonly to: number } | null {
  let [from, to] = [at, at];
  while (from > 0 && /[\w$]/.test(text[from - 1] ?? '')) from -= 1;
  while (to < text.length && /[\w$]/.test(text[to] ?? '')) to += 1;
  const name = text.slice(from, to);
  if (name === '') return null;
  const path = /([A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)*)\??\.$/.exec(text.slice(0, from))?.[1];
  const all =
    path === undefined ? declarations.globals : membersOf(declarations, path.split(/\??\./));
  const declared = all.find((one) => one.name === name);
  return declared === undefined ? null : { declared, from, to };
}

function optionOf({ name, signature, doc, isFunction }: Declared): Completion {
  return {
    label: name,
    type: isFunction ? 'method' : 'property',
    detail: signature.slice(0, 80),
    info: doc === '' ? signature : `${signature}\n${doc}`,
  };
}

function completeGlobals(
  context: CompletionContext,
  { globals }: Declarations,
): CompletionResult | null {
  const word = context.matchBefore(/[\w$]+/);
  if (word === null || globals.length === 0) return null;
  return { from: word.from, options: globals.map(optionOf), validFor: /^[\w$]*$/ };
}

/** How much of the source before the cursor is searched for the enclosing object. */
const LOOK_BACK = 4_000;

/** Fields of the metadata and of a parameter, with their fixed values. */
function completeMetadata(context: CompletionContext): CompletionResult | null {
  const before = context.state.sliceDoc(Math.max(0, context.pos - LOOK_BACK), context.pos);
  const value = /(\w+)\s*:\s*(?:\[[^\]]*)?['"]([\w-]*)$/.exec(before);
  if (value !== null) {
    const [, field = '', word = ''] = value;
    const values = VALUES[field];
    if (values === undefined) return null;
    const options = values.map((label) => ({ label, type: 'enum' }));
    return { from: context.pos - word.length, options, validFor: /^[\w-]*$/ };
  }
  const word = context.matchBefore(/[A-Za-z]*/);
  const fields = fieldsAround(before.slice(0, before.length - (word?.text.length ?? 0)));
  if (word === null || fields === null || (word.text === '' && !context.explicit)) return null;
  const options = fields.map((label) => ({ label, type: 'property', apply: `${label}: ` }));
  return { from: word.from, options, validFor: /^[A-Za-z]*$/ };
}

const VALUES: Readonly<Record<string, readonly string[]>> = {
  category: SkillCategory.options,
  capabilities: SkillCapability.options,
  riskLevel: RiskLevel.options,
  type: SkillParameter.shape.type.options,
};

/** The fields allowed in the object that is open at the end of `before`. */
function fieldsAround(before: string): readonly string[] | null {
  // A field begins after a brace or a comma.
  if (!/[{,]\s*$/.test(before)) return null;
  let depth = 0;
  for (let at = before.length - 1; at >= 0; at -= 1) {
    const character = before[at] ?? '';
    if ('}])'.includes(character)) depth += 1;
    if (!'{[('.includes(character)) continue;
    if (depth > 0) {
      depth -= 1;
      continue;
    }
    if (character !== '{') return null;
    const opening = before.slice(0, at);
    if (/metadata\s*(?::\s*\w+\s*)?[=:(]\s*$/i.test(opening))
      return Object.keys(SkillMetadata.shape);
    const isParameter = /parameters\s*:\s*\[(?:[^[\]]|\[[^\]]*\])*$/.test(opening);
    return isParameter ? Object.keys(SkillParameter.shape) : null;
  }
  return null;
}
