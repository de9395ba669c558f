import { safeParse } from '#contract/safe-parse.ts';
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

/** The result of compiling a source. */
export interface CompiledSource {
  /** Null where it cannot be run. */
  readonly javascript: string | null;
  readonly metadata: SkillMetadata | null;
  /** Whether the source itself states `maxIterations`: its default is that of graphs. */
  readonly limitsIterations: boolean;
  readonly findings: readonly SkillFinding[];
  /** Whether compiling it again would give the same. */
  readonly isFinal: boolean;
}

/** Compiled sources in the cache; a result follows from the text alone. */
const CACHED = 50;

/** Compiles sources, and caches the results. */
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
      const found = this.known(language, source) ?? (await this.#inspect(language, source));
      if (found.isFinal) this.#remember(sourceHash(language, source), found);
      return found;
    });
    this.#queue = turn.catch(() => undefined);
    return await turn;
  }

  /** The cached result; null where there is none. */
  known(language: SkillLanguage, source: string): CompiledSource | null {
    return this.#known.get(sourceHash(language, source)) ?? null;
  }

  #remember(hash: string, compiled: CompiledSource): void {
    this.#known.set(hash, compiled);
    if (this.#known.size <= CACHED) return;
    const [oldest = ''] = this.#known.keys();
    this.#known.delete(oldest);
  }

  async #inspect(language: SkillLanguage, source: string): Promise<CompiledSource> {
    if (source.length > SKILL_SOURCE_CHARS) {
      const message = `It has ${source.length} characters; a skill has at most ${SKILL_SOURCE_CHARS}.`;
      return refused(finding(language, 'too_long', { message }));
    }
    if (!source.isWellFormed()) {
      // Stored as text it would come back different, and look tampered with.
      const message = 'It contains lone surrogates, which are not valid text.';
      return refused(finding(language, 'not_text', { message, line: halfAt(source) }));
    }
    const hidden = hiddenIn(language, source);
    const inspection = await this.#threads.use((thread) => thread.inspect(language, source));
    const { metadata, limitsIterations, findings } = readMetadata(language, inspection.metadata);
    const all = [
      ...inspection.findings,
      ...findings,
      ...(metadata === null ? [] : compareUses(language, inspection, metadata)),
      ...hidden,
    ];
    const { javascript, isFinal } = inspection;
    return { javascript, metadata, limitsIterations, findings: all, isFinal };
  }
}

/** Of a source that has none. */
export const NO_METADATA = { metadata: null, limitsIterations: false } as const;

function refused(problem: SkillFinding): CompiledSource {
  return { ...NO_METADATA, javascript: null, findings: [problem], isFinal: true };
}

function halfAt(source: string): number {
  return source.split('\n').findIndex((line) => !line.isWellFormed()) + 1;
}

/** The metadata of a source, or what is wrong with it. */
function readMetadata(
  language: SkillLanguage,
  json: string | null,
): Pick<CompiledSource, 'metadata' | 'limitsIterations' | 'findings'> {
  if (json === null) return { ...NO_METADATA, findings: [] };
  const invalid = (messages: readonly string[]) => ({
    ...NO_METADATA,
    findings: messages.map((message) => finding(language, 'metadata_invalid', { message })),
  });
  let value: unknown;
  try {
    value = readPlainJson(json);
  } catch (error) {
    return invalid([error instanceof Error ? error.message : 'The metadata cannot be read.']);
  }
  if (!isPlainObject(value)) return invalid(['The metadata is not an object.']);
  const parsed = safeParse(SkillMetadata, value);
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
  const limitsIterations = Object.hasOwn(value, 'maxIterations');
  return { metadata: { ...parsed.data, capabilities: asked }, limitsIterations, findings: [] };
}

/** Compares the members of the app that the code names with the capabilities that the metadata requests. */
function compareUses(
  language: SkillLanguage,
  { uses }: Pick<Inspection, 'uses'>,
  { capabilities }: SkillMetadata,
): SkillFinding[] {
  const missing = uses.flatMap(({ name, line }) => {
    const capability = safeParse(SkillCapability, name);
    if (capability.success && capabilities.includes(capability.data)) return [];
    const message = capability.success
      ? `app.${name} is used, but capabilities does not request '${name}': the call will be refused.`
      : `app has no ${name}.`;
    const rule = capability.success ? 'capability_not_asked' : 'unknown_member';
    return [finding(language, rule, { message, line, severity: 'warning' as const })];
  });
  const unused = capabilities
    .filter((capability) => !uses.some(({ name }) => name === capability))
    .map((capability) => {
      const message = `'${capability}' is requested, but nothing in the code uses it.`;
      return finding(language, 'capability_unused', { message, severity: 'note' as const });
    });
  return [...missing, ...unused];
}
