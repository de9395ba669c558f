import {
  SKILL_SOURCE_CHARS,
  SkillCapability,
  type SkillFinding,
  type SkillLanguage,
  SkillMetadata,
} from '#contract/skills.ts';
import { finding, hiddenIn } from './finding.ts';
import { isPlainObject, readPlainJson } from './plain-json.ts';
import { schemaProblem } from './plain-schema.ts';
import type { SkillThreads } from './skill-threads.ts';
import { sourceHash } from './source-hash.ts';
import type { Inspection } from './worker-messages.ts';

/** A source as it was found to be. */
export interface CompiledSource {
  /** Null where it cannot be run. */
  readonly javascript: string | null;
  readonly metadata: SkillMetadata | null;
  readonly findings: readonly SkillFinding[];
  /** Whether another look would find the same. */
  readonly isFinal: boolean;
}

/** Sources that are remembered; what they are follows from their text alone. */
const REMEMBERED = 50;

/** Says of sources what they are, and remembers it. */
export class SkillCompiler {
  readonly #threads: SkillThreads;
  readonly #known = new Map<string, CompiledSource>();
  #queue: Promise<unknown> = Promise.resolve();

  constructor(threads: SkillThreads) {
    this.#threads = threads;
  }

  async compile(language: SkillLanguage, source: string): Promise<CompiledSource> {
    const known = this.known(language, source);
    if (known !== null) return known;
    // One at a time: an editor asks faster than threads start.
    const turn = this.#queue.then(async () => {
      const found = this.known(language, source) ?? (await this.#look(language, source));
      if (found.isFinal) this.#remember(sourceHash(language, source), found);
      return found;
    });
    this.#queue = turn.catch(() => undefined);
    return await turn;
  }

  /** What it is, where that was looked at already. */
  known(language: SkillLanguage, source: string): CompiledSource | null {
    return this.#known.get(sourceHash(language, source)) ?? null;
  }

  #remember(hash: string, compiled: CompiledSource): void {
    this.#known.set(hash, compiled);
    if (this.#known.size <= REMEMBERED) return;
    const [oldest = ''] = this.#known.keys();
    this.#known.delete(oldest);
  }

  async #look(language: SkillLanguage, source: string): Promise<CompiledSource> {
    if (source.length > SKILL_SOURCE_CHARS) {
      const message = `It has ${source.length} characters; a skill has at most ${SKILL_SOURCE_CHARS}.`;
      return refused(finding(language, 'too_long', { message }));
    }
    if (!source.isWellFormed()) {
      // Stored as text it would come back as another, and be taken for one that somebody changed.
      const message = 'It has halves of characters in it (lone surrogates), which are no text.';
      return refused(finding(language, 'not_text', { message, line: halfAt(source) }));
    }
    const hidden = hiddenIn(language, source);
    const inspection = await this.#threads.use((thread) => thread.inspect(language, source));
    const { metadata, findings } = readMetadata(language, inspection.metadata);
    const all = [
      ...inspection.findings,
      ...findings,
      ...(metadata === null ? [] : compareUses(language, inspection, metadata)),
      ...hidden,
    ];
    const { javascript, isFinal } = inspection;
    return { javascript, metadata, findings: all, isFinal };
  }
}

function refused(problem: SkillFinding): CompiledSource {
  return { javascript: null, metadata: null, findings: [problem], isFinal: true };
}

function halfAt(source: string): number {
  return source.split('\n').findIndex((line) => !line.isWellFormed()) + 1;
}

/** What it says of itself, or what is wrong with that. */
function readMetadata(
  language: SkillLanguage,
  json: string | null,
): { readonly metadata: SkillMetadata | null; readonly findings: SkillFinding[] } {
  if (json === null) return { metadata: null, findings: [] };
  const invalid = (messages: readonly string[]) => ({
    metadata: null,
    findings: messages.map((message) => finding(language, 'metadata_invalid', { message })),
  });
  let value: unknown;
  try {
    value = readPlainJson(json);
  } catch (error) {
    return invalid([error instanceof Error ? error.message : 'The metadata cannot be read.']);
  }
  if (!isPlainObject(value)) return invalid(['The metadata is not an object.']);
  const parsed = SkillMetadata.safeParse(value);
  if (!parsed.success) {
    return invalid(
      parsed.error.issues
        .slice(0, 10)
        .map(({ path, message }) => `${['metadata', ...path].join('.')}: ${message}`),
    );
  }
  const { outputSchema, capabilities } = parsed.data;
  const isSchema = Object.keys(outputSchema).length > 0;
  const problem = isSchema ? schemaProblem(outputSchema) : null;
  if (problem !== null) return invalid([`metadata.outputSchema: ${problem}`]);
  const asked = SkillCapability.options.filter((one) => capabilities.includes(one));
  return { metadata: { ...parsed.data, capabilities: asked }, findings: [] };
}

/** What the code names of the app against what the metadata asks for. */
function compareUses(
  language: SkillLanguage,
  { uses }: Pick<Inspection, 'uses'>,
  { capabilities }: SkillMetadata,
): SkillFinding[] {
  const missing = uses.flatMap(({ name, line }) => {
    const capability = SkillCapability.safeParse(name);
    if (capability.success && capabilities.includes(capability.data)) return [];
    const message = capability.success
      ? `app.${name} is used, and capabilities does not ask for '${name}': the call will be refused.`
      : `app has no ${name}.`;
    const rule = capability.success ? 'capability_not_asked' : 'unknown_member';
    return [finding(language, rule, { message, line, severity: 'warning' as const })];
  });
  const unused = capabilities
    .filter((capability) => !uses.some(({ name }) => name === capability))
    .map((capability) => {
      const message = `'${capability}' is asked for, and nothing that uses it was found in the code.`;
      return finding(language, 'capability_unused', { message, severity: 'note' as const });
    });
  return [...missing, ...unused];
}
