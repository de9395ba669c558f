import { type Issue, quoteOf } from './issue.ts';
import type { Category, Severity } from './kinds.ts';

interface Rule {
  /** Null: any language. */
  readonly languages: readonly string[] | null;
  readonly pattern: RegExp;
  readonly severity: Severity;
  readonly category: Category;
  readonly message: string;
  readonly suggestion: string;
}

const SCRIPT = ['javascript', 'typescript'];
const PYTHON = ['python'];

/** Few and certain: their findings are added to the model's and marked as found by a rule. */
const RULES: readonly Rule[] = [
  {
    languages: null,
    severity: 'critical',
    category: 'security',
    pattern:
      /AKIA[0-9A-Z]{16}\b|-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----|\bgh[pousr]_[A-Za-z0-9]{36}|\bsk-[A-Za-z0-9_-]{20,}/,
    message: 'The code contains a key or a token; everyone with access to the code can read it.',
    suggestion: 'Revoke it where it was issued, and read the new one from the environment.',
  },
  {
    languages: null,
    severity: 'high',
    category: 'security',
    pattern:
      /(?:passw(?:or)?d|passwd|secret|api_?key|auth_?token)["']?\s*[:=]\s*["'](?![^"']*(?:example|change|your|placeholder|xxx|\*\*|<|\$\{|\{\{))[^"'\s]{8,}["']/i,
    message: 'The code seems to contain a password or a secret.',
    suggestion: 'Read it from the environment or a secret store.',
  },
  {
    languages: [...SCRIPT, ...PYTHON, 'php', 'ruby'],
    severity: 'high',
    category: 'security',
    pattern: /(?<![.\w])eval\s*\(|(?<![.\w])new Function\s*\(/,
    message: 'Text is run as code: anyone who can change the text can run what they like.',
    suggestion: 'Read the text as data, with a parser such as JSON.parse or ast.literal_eval.',
  },
  {
    languages: PYTHON,
    severity: 'high',
    category: 'security',
    pattern: /\bshell\s*=\s*True\b|\bos\.system\(\s*(?:f["']|["'][^"']*["']\s*[+%]|\w+\s*\+)/,
    message: 'A command is passed to a shell as text: parts from outside can contain commands.',
    suggestion: 'Give subprocess.run a list of arguments, without shell=True.',
  },
  {
    languages: PYTHON,
    severity: 'high',
    category: 'security',
    pattern: /\bpickle\.loads?\(|\byaml\.load\((?!.*Safe)/,
    message: 'Loading this kind of data can run code in it.',
    suggestion: 'Use json, or yaml.safe_load.',
  },
  {
    languages: [...SCRIPT, ...PYTHON, 'java', 'php', 'ruby'],
    severity: 'high',
    category: 'security',
    pattern:
      /\b(?:execute|query|raw)\(\s*(?:f["'].*\{|(["'])(?:select|insert|update|delete)\b.*?\1\s*(?:[+%]|\.format)|`(?:select|insert|update|delete)\b[^`]*\$\{)/i,
    message: 'An SQL statement is built from text: values can contain SQL of their own.',
    suggestion: 'Use placeholders, and pass the values as parameters.',
  },
  {
    languages: [...SCRIPT, ...PYTHON],
    severity: 'high',
    category: 'security',
    pattern: /\bverify\s*=\s*False\b|\brejectUnauthorized\s*:\s*false\b/,
    message: 'Certificates are not checked: anyone in between can read and change the traffic.',
    suggestion: 'Leave the check on; add the certificate of your own server where it is needed.',
  },
  {
    languages: SCRIPT,
    severity: 'medium',
    category: 'security',
    pattern: /\.(?:innerHTML|outerHTML)\s*\+?=\s*(?!["'`]\s*["'`])[^"'`\s]|\bdocument\.write\(/,
    message: 'Text becomes part of the page as HTML: text from outside can contain scripts.',
    suggestion: 'Set textContent, or create elements.',
  },
  {
    languages: PYTHON,
    severity: 'medium',
    category: 'bug',
    pattern: /^\s*def\s+\w+\(.*=\s*(?:\[\]|\{\})/,
    message:
      'The default value is one object for all calls: what one call adds, the next one sees.',
    suggestion: 'Make the default None, and create the object in the function.',
  },
  {
    languages: PYTHON,
    severity: 'low',
    category: 'bug',
    pattern: /^\s*except\s*:\s*(?:pass\b.*)?$/,
    message: 'Every error is caught, even a keyboard interrupt and a misspelt name.',
    suggestion: 'Name the errors that are expected.',
  },
  {
    languages: SCRIPT,
    severity: 'medium',
    category: 'bug',
    pattern: /\bif\s*\(\s*[\w.]+\s*=\s*[^=>]/,
    message: 'A value is assigned in a condition, where a comparison was probably meant.',
    suggestion: 'Write ===.',
  },
];

const COMMENT = /^\s*(?:#(?!!)|\/\/|\*|\/\*|--|<!--)/;

/** What can be found without a model. Comment lines are skipped, except for keys. */
export function findByRules(lines: readonly string[], language: string): Issue[] {
  return lines.flatMap((text, index) =>
    RULES.filter(({ languages, pattern }, rank) => {
      if (languages !== null && !languages.includes(language)) return false;
      return (rank === 0 || !COMMENT.test(text)) && pattern.test(text);
    }).map(({ severity, category, message, suggestion }): Issue => {
      const line = index + 1;
      return {
        severity,
        category,
        line,
        end_line: line,
        message,
        suggestion,
        quote: quoteOf(text),
        found_by: 'rule',
      };
    }),
  );
}
