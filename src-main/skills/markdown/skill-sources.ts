import { lstatSync, readdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { SkillSummary } from '#contract/skills.ts';
import type { RememberedMatter } from '../../storage/skill-types.ts';
import { mapAllowedTools, toolsOf } from './allowed-tools.ts';
import { readFrontMatter } from './front-matter.ts';
import { SKILL_FILE } from './limits.ts';
import { readHead } from './skill-folder.ts';

/** Folders of one source that are looked at. */
const MOST_SKILLS = 5_000;

/** A folder that may hold skills; those of the app are trusted as they were shipped. */
export interface SkillSourceFolder {
  readonly dir: string;
  readonly isShipped: boolean;
}

/** A folder with a skill, as its front matter tells it. */
export interface FoundSkill
  extends Pick<SkillSummary, 'id' | 'name' | 'version' | 'description' | 'category' | 'author'> {
  readonly tags: readonly string[];
  /** A real path. */
  readonly folder: string;
  readonly isShipped: boolean;
  /** Tools of this app of which its model may call something; null where nothing is narrowed. */
  readonly allowedTools: readonly string[] | null;
  /** Why it cannot be used; null where the front matter is as it should be. */
  readonly problem: string | null;
}

/** What was read before: a file that looks the same is not read again. What a model is given is hashed all the same. */
export interface MatterMemory {
  frontMatters(): ReadonlyMap<string, RememberedMatter>;
  /** Keeps what was read now; null where nothing may be written. */
  readonly remember: ((fresh: ReadonlyMap<string, RememberedMatter>) => void) | null;
}

/** Changes when the rules do by which front matter is read. */
const RULES = 2;

/** The skills in these folders, in their order; of two with one name the first. Reads front matter only. */
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

/** Reads front matter, unless it is known what stands there. */
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

/** Null where there is no such file, or it is none to be remembered. */
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
          // One that cannot be read hides no other.
          return [broken(place, `It cannot be read: ${String(error).slice(0, 200)}`)];
        }
      });
  } catch {
    // A source that is not there, or is not to be read, has no skills.
    return [];
  }
}

type Place = Pick<FoundSkill, 'folder' | 'isShipped'>;

const LINKED =
  'It is a link. Links are not followed: add the folder that it leads to in the settings, under Skills.';

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
    ...{ id: name, name, description, category, tags, version, author },
    ...{ ...place, allowedTools: grants === null ? null : toolsOf(grants), problem: null },
  };
}

function broken(place: Place, problem: string): FoundSkill {
  const name = path.basename(place.folder).slice(0, 100);
  return {
    ...{ id: name, name, description: '', category: null, tags: [], version: '1.0.0', author: '' },
    ...{ ...place, allowedTools: null, problem },
  };
}
