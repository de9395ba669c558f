/** Built-in skills. Other names count if they have an underscore or hyphen, or are in `known`. */
const BUILTIN = [
  ...['web_research', 'data_analysis', 'app_builder', 'slide_generation', 'image_generation'],
  ...['code_generation', 'task_planning', 'code_review', 'simple_writing', 'data_visualization'],
  'deep_research',
];

const NAME = '([a-z][a-z0-9]*(?:[_ -][a-z0-9]+){0,4})';
const RULES: readonly RegExp[] = [
  new RegExp(
    `\\b(?:use|using|with|run|invoke|apply|call|load|via)\\s+(?:the |my |your |a )?[“”]*${NAME}[“”]* skill\\b`,
    'i',
  ),
  new RegExp(
    `\\b(?:use|using|run|invoke|apply|call|load)\\s+(?:the |my )?skill\\s*:?\\s*${NAME}`,
    'i',
  ),
  new RegExp(
    `(?:用|使用|调用|运行|启用|通过)\\s*[“”]*${NAME}[“”]*\\s*(?:这个|的)?\\s*(?:技能|skill)`,
    'i',
  ),
  new RegExp(`(?:用|使用|调用|运行|启用)\\s*(?:技能|skill)\\s*[:：]?\\s*${NAME}`, 'i'),
];
const SLASH = /^\s*\/([a-z][a-z0-9]*(?:[_-][a-z0-9]+)*)(?=\s|$)/i;

/** The skill that a sentence asks to use; null for none. `known`: skills besides the built-in ones. */
export function explicitSkill(sentence: string, known: readonly string[]): string | null {
  const names = new Set([...BUILTIN, ...known]);
  const slash = SLASH.exec(sentence)?.[1]?.toLowerCase();
  if (slash !== undefined) {
    const name = spelling(slash, names);
    if (name !== null) return name;
  }
  for (const rule of RULES) {
    const said = rule.exec(sentence)?.[1]?.toLowerCase();
    const name = said === undefined ? null : spelling(said, names);
    if (name !== null) return name;
  }
  return null;
}

/** "code review", "code-review" and "code_review" are the same skill; a plain word must be a known name. */
function spelling(said: string, names: ReadonlySet<string>): string | null {
  const spellings = [said, said.replace(/[ -]/g, '_'), said.replace(/[ _]/g, '-')];
  const exact = spellings.find((spelling) => names.has(spelling));
  return exact ?? (/[_-]/.test(said) && !said.includes(' ') ? said : null);
}
