/** What a dynamic skill of HyperAgent is made of and what it is given. */
declare module 'hyperagent' {
  export type Json =
    | string
    | number
    | boolean
    | null
    | readonly Json[]
    | { readonly [key: string]: Json | undefined };
  export type JsonObject = { readonly [key: string]: Json | undefined };

  /** What a skill may ask for in `metadata.capabilities`; the user grants each, or not. */
  export type Capability = 'llm' | 'search' | 'fetch' | 'sandbox' | 'invokeSkill' | 'emit';

  export interface Parameter {
    readonly name: string;
    readonly type: 'string' | 'number' | 'boolean' | 'object' | 'array';
    readonly description: string;
    /** True unless it says otherwise. */
    readonly required?: boolean;
    readonly default?: Json;
    /** The only values that it may have. */
    readonly options?: readonly string[];
  }

  export interface Metadata {
    /** Lower-case letters, digits, _ and -. */
    readonly id: string;
    readonly name: string;
    /** Three numbers, as in 1.0.0. */
    readonly version?: string;
    readonly description: string;
    readonly category: 'research' | 'data' | 'creative' | 'automation' | 'code';
    readonly parameters?: readonly Parameter[];
    /**
     * A JSON Schema of an object: type, properties, items, required, enum, const, anyOf,
     * additionalProperties and the limits of numbers, texts and lists.
     */
    readonly outputSchema?: JsonObject;
    /** Tools that must be there: of the app, or `mcp:server/tool` for one of a connector. */
    readonly requiredTools?: readonly string[];
    readonly capabilities?: readonly Capability[];
    readonly riskLevel?: 'low' | 'medium' | 'high' | null;
    readonly maxExecutionTimeSeconds?: number;
    /** At most so many calls of llm, search, fetch, sandbox.run and invokeSkill; 1,000 unless given. */
    readonly maxIterations?: number;
    readonly author?: string;
    readonly tags?: readonly string[];
    readonly enabled?: boolean;
  }

  export interface Prompt {
    /** What the model is to do; comes before the prompt. */
    readonly system?: string;
    readonly prompt: string;
    readonly tier?: 'max' | 'pro' | 'flash';
    readonly maxOutputTokens?: number;
    readonly temperature?: number;
  }

  export interface FoundPage {
    readonly title: string;
    readonly url: string;
    readonly snippet: string;
  }

  /** How another skill ended. */
  export type SkillResult =
    | { readonly ok: true; readonly output: JsonObject }
    | { readonly ok: false; readonly error: { readonly code: string; readonly message: string } };

  /**
   * What the app does for a skill. Everything is a promise; what fails throws a `SkillError` with a `code`,
   * such as `SKILL_CAPABILITY_DENIED`, `FETCH_FAILED` or `TOOL_DENIED`.
   */
  export interface App {
    /** Capability `llm`. */
    readonly llm: {
      ask(request: Prompt): Promise<string>;
      /** A value that fits the schema. */
      ask<Value = JsonObject>(request: Prompt & { readonly schema: JsonObject }): Promise<Value>;
    };
    /** Capability `search`. */
    search(query: string, options?: { readonly limit?: number }): Promise<readonly FoundPage[]>;
    /** Capability `fetch`: a page, or a `library:` document, as text. */
    fetch(url: string): Promise<{ readonly url: string; readonly text: string }>;
    /** Capability `sandbox`: programs, and the files of the workspace. */
    readonly sandbox: {
      run(
        language: 'python' | 'javascript' | 'typescript' | 'bash',
        code: string,
      ): Promise<{
        readonly exitCode: number | null;
        readonly stdout: string;
        readonly stderr: string;
        readonly ok: boolean;
        /** False where nobody knows what became of it. */
        readonly isKnown: boolean;
      }>;
      readFile(path: string): Promise<string>;
      writeFile(path: string, content: string): Promise<void>;
      listFiles(
        folder?: string,
      ): Promise<readonly { readonly path: string; readonly size: number }[]>;
    };
    /** Capability `invokeSkill`; at most three deep, and never in a circle. */
    invokeSkill(id: string, params?: JsonObject): Promise<SkillResult>;
    /** Capability `emit`: says in a sentence how far it is. */
    emit(description: string): Promise<void>;
  }

  export interface SkillError extends Error {
    readonly code: string;
  }

  /**
   * A skill. `run` gives the output, a plain object. Nothing goes on after it: what is not awaited may be lost.
   * `Date` stands at the start of the execution and goes on by a millisecond whenever it is read, and
   * `Math.random` follows from the execution, so that one that goes on after a crash does the same again.
   */
  export function defineSkill<Params = Record<string, never>>(definition: {
    readonly metadata: Metadata;
    run(params: Params, app: App): Promise<JsonObject> | JsonObject;
  }): unknown;
}
