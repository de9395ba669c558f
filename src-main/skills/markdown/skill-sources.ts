import { lstatSync, readdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { SkillSummary } from '#contract/skills.ts';
import type { RememberedMatter } from '../../storage/skill-types.ts';
import { mapAllowedTools, toolsOf } from './allowed-tools.ts';
import { readFrontMatter } from './front-matter.ts';
import { SKILL_FILE } from './limits.ts';
import { readHead } from './skill-folder.ts';

/** Maximum folders that are read from one source. */
const MOST_SKILLS = 5_000;

/** A folder that may contain skills; shipped ones are trusted as they are. */
export interface SkillSourceFolder {
  readonly dir: string;
  readonly isShipped: boolean;
}

/** A folder with a skill, described by its front matter. */
export interface FoundSkill
  extends Pick<SkillSummary, 'id' | 'name' | 'version' | 'description' | 'category' | 'author'> {
  readonly tags: readonly string[];
  /** With links resolved. */
  readonly folder: string;
  readonly isShipped: boolean;
  /** Tools of this app that its model may call, in part or in full; null where nothing is restricted. */
  readonly allowedTools: readonly string[] | null;
  /** Why it cannot be used; null where the front matter is valid. */
  readonly problem: string | null;
}

/** A cache of front matter: a file with the same stamp is not read again. Whatever a model gets is still hashed. */
export interface MatterMemory {
  frontMatters(): ReadonlyMap<string, RememberedMatter>;
  /** Stores newly read front matter; null where nothing may be written. */
  readonly remember: ((fresh: ReadonlyMap<string, RememberedMatter>) => void) | null;
}

/** Version of the rules for reading front matter; a change invalidates the cache. */
const RULES = 2;

/** The skills in these folders, in order; of two with the same name the first. Reads front matter only. */
export function findSkills(
  sources: readonly SkillSourceFolder[],
  memory: MatterMemory,
): FoundSkill[] {
  const found = new Map<string, FoundSkill>();
  const reader = new MatterReader(memory.frontMatters());
  for (const source of sources) {
    for (const skill of skillsIn(source, reader)) {
      if (!found.has(skill.id)) found.set(skill.id, skill);
    }
  }
  if (reader.fresh.size > 0) memory.remember?.(reader.fresh);
  return [...found.values()];
}

/** Reads front matter, unless it is cached. */
class MatterReader {
  readonly fresh = new Map<string, RememberedMatter>();
  readonly #known: ReadonlyMap<string, RememberedMatter>;

  constructor(known: ReadonlyMap<string, RememberedMatter>) {
    this.#known = known;
  }

  /** Null for a folder without a SKILL.md. */
  peek(place: Place): FoundSkill | null {
    const stamp = stampOf(place.folder);
    if (stamp === null) return peek(place);
    const known = this.#known.get(place.folder);
    if (known?.stamp === stamp) return { ...(known.found as FoundSkill), ...place };
    const skill = peek(place);
    if (skill !== null) this.fresh.set(place.folder, { stamp, found: skill });
    return skill;
  }
}

/** Null where there is no such file, or it cannot be cached. */
function stampOf(folder: string): string | null {
  const stats = lstatSync(path.join(folder, SKILL_FILE), { bigint: true, throwIfNoEntry: false });
  if (stats === undefined || !stats.isFile()) return null;
  const { size, mtimeNs, ctimeNs, ino } = stats;
  return [RULES, size, mtimeNs, ctimeNs, ino].join(' ');
}

function skillsIn({ dir, isShipped }: SkillSourceFolder, reader: MatterReader): FoundSkill[] {
  try {
    const root = realpathSync(dir);
    return readdirSync(root, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
      .sort((one, other) => (one.name < other.name ? -1 : 1))
      .slice(0, MOST_SKILLS)
      .flatMap((entry): FoundSkill[] => {
        const place = { folder: path.join(root, entry.name), isShipped };
        if (entry.isSymbolicLink()) return [broken(place, LINKED)];
        try {
          const skill = reader.peek(place);
          return skill === null ? [] : [skill];
        } catch (error) {
          // An unreadable skill must not hide the others.
          return [broken(place, `It cannot be read: ${String(error).slice(0, 200)}`)];
        }
      });
  } catch {
    // A missing or unreadable source has no skills.
    return [];
  }
}

type Place = Pick<FoundSkill, 'folder' | 'isShipped'>;

const LINKED =
  'It is a link, and links are not followed. Add its target folder in the settings, under Skills.';

/** Null for a folder without a SKILL.md. */
function peek(place: Place): FoundSkill | null {
  let head: string | null;
  try {
    head = readHead(place.folder);
  } catch (error) {
    return broken(place, `${SKILL_FILE} cannot be read: ${String(error).slice(0, 200)}`);
  }
  if (head === null) return null;
  const { matter, findings } = readFrontMatter(head, path.basename(place.folder));
  if (matter === null) {
    const first = findings.find(({ severity }) => severity === 'error');
    return broken(place, first?.message ?? 'The front matter cannot be read.');
  }
  const { name, description, category, tags, version, author } = matter;
  const { grants } = mapAllowedTools(matter.allowedTools);
  return {
    id: name,
    name,
    description,
    category,
    tags,
    version,
    author,
    ...place,
    allowedTools: grants === null ? null : toolsOf(grants),
    problem: null,
  };
}

function broken(place: Place, problem: string): FoundSkill {
  const name = path.basename(place.folder).slice(0, 100);
  return {
    id: name,
    name,
    description: '',
    category: null,
    tags: [],
    version: '1.0.0',
    author: '',
    ...place,
    allowedTools: null,
    problem,
  };
}
