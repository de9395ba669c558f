/** A word of this project's early dialect, and what stands for it now. */
export interface RetiredWord {
  readonly pattern: RegExp;
  readonly use: string;
  /** Where it may stand: by the line, with the reason. */
  readonly except?: readonly { readonly line: RegExp; readonly why: string }[];
}

const STORED = 'stored in databases and exported runs under this name';

/** Words that `src-*`, `docs`, `resources` and the README no longer use. Checked line by line. */
export const RETIRED_WORDS: readonly RetiredWord[] = [
  { pattern: /\bdesks?\b|[a-z]Desk(?!top)/i, use: 'service, API' },
  { pattern: /\bshel(?:f|ves)\b|[a-z]Shelf/i, use: 'catalogue, source, registry' },
  {
    pattern: /\bwalked\b|\b(?:skill|stored) walks?\b|SkillWalk|KeptWalk/i,
    use: 'skill session, progress',
  },
  {
    pattern: /\baside\b/i,
    use: 'secondary process, ephemeral message',
    except: [
      {
        line: /\b(?:set|sets|move|moves|moved|put|written|leave|left) aside\b/,
        why: 'plain English',
      },
      { line: /<\/?aside|'aside'/, why: 'the HTML element, and a folder that exists on disk' },
    ],
  },
  { pattern: /\bsettl(?:e|es|ed|ing) in\b/i, use: 'startup tasks' },
  { pattern: /\bdoors?\b/i, use: 'entry point (desktop app, web UI, CLI), egress client' },
  { pattern: /\bwalls?\b/i, use: 'sandbox isolation, isolation check' },
  {
    pattern: /\bpersons?\b|\bperson's\b/i,
    use: 'the user (code, docs), you (window)',
    except: [
      { line: /'person'|\bperson:|\bperson\b[,. ].*\bPlanState\b/, why: STORED },
      { line: /\buser\|person\|/, why: 'a word that texts are searched for' },
      {
        line: /\bpeople (?:person|inhabitant)\b|\bperson people\b|\bpeople person man\b|\bperson man\b/,
        why: 'a word that statements are compared by',
      },
    ],
  },
  {
    pattern: /\btold\b/i,
    use: 'emitted, published, notified; informed, given',
    except: [
      { line: /\btold me\b|\bmade told ran\b/, why: 'English that prompts of users are read for' },
      {
        line: /\btell tells told\b|\bthreaten told took\b/,
        why: 'a word that statements are compared by',
      },
    ],
  },
  { pattern: /\bat rest\b|\bresting\b/i, use: 'paused, parked' },
  { pattern: /\bat work\b/i, use: 'running' },
  { pattern: /\bnot begun\b/i, use: 'pending' },
  {
    pattern: /\bcheck-?ups?\b/i,
    use: 'setup check (window), doctor (CLI)',
  },
  {
    pattern: /\bmend(?:s|ed|ing)?\b/i,
    use: 'fix, repair',
    except: [{ line: /name: 'mend'/, why: STORED }],
  },
  { pattern: /\banew\b|\bonce more\b/i, use: 'again' },
  { pattern: /\b(?:take|takes|taken|takes|taking) stock\b/i, use: 'baseline' },
  { pattern: /\bkeepers?\b/i, use: 'store, cache, registry' },
  { pattern: /\bways? out\b/i, use: 'egress' },
  {
    pattern:
      /\b(?:a|an|the|their|your|its|his|by|one|of) (?:yes|no)\b(?=[\s.,;:)]*$|[.,;:)]| (?:to|is|was|that|for|or|and|from)\b)|\b(?:say|says|said) (?:yes|no)\b/i,
    use: 'approval, denial; approve, deny',
  },
  {
    pattern: /\bwhoever\b|\blest\b|\bcomes? to pass\b|\bfor ever\b/i,
    use: 'plain modern English',
    except: [{ line: /\bwhatever whoever\b/, why: 'English that prompts of users are read for' }],
  },
  { pattern: /\bput to (?:you|the user|them)\b/i, use: 'asked' },
  { pattern: /\blet(?:s|ting)? go of\b|\blook(?:s|ed)? after\b/i, use: 'drop, release; manage' },
  { pattern: /\bstands? nowhere\b|\b(?:has|have) gone\b/i, use: 'is missing, is gone' },
  { pattern: /\bheld back\b/i, use: 'withheld, blocked' },
];

export interface FoundWord {
  /** From 1. */
  readonly line: number;
  readonly word: string;
  readonly use: string;
}

/** The retired words of a text, line by line; one of each kind per line. */
export function retiredWordsIn(text: string): FoundWord[] {
  return text.split('\n').flatMap((line, index) =>
    RETIRED_WORDS.flatMap(({ pattern, use, except = [] }) => {
      const word = pattern.exec(line)?.[0];
      const isAllowed = except.some((one) => one.line.test(line));
      return word === undefined || isAllowed ? [] : [{ line: index + 1, word, use }];
    }),
  );
}
