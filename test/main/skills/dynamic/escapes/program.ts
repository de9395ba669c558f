import type { ErrorCode } from '#contract/errors.ts';
import type { SkillCapability } from '#contract/skills.ts';
import type { GuestLimits } from '#main/skills/dynamic/limits.ts';

/** A program that tries to get out, or to take more than it may. */
export interface EscapeProgram {
  readonly name: string;
  /** Of `run(params, app)`, JavaScript. `params` has `file`, `secret` and `url` of the canaries. */
  readonly body: string;
  /** Before the skill, at the top of the module. */
  readonly top?: string;
  readonly capabilities?: readonly SkillCapability[];
  /** All that is asked for, unless it says otherwise. */
  readonly granted?: readonly SkillCapability[];
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly limits?: Partial<GuestLimits>;
  /** The typed error that it ends with when it is saved or run, or the harmless output that it gives. */
  readonly ends: { readonly refused: ErrorCode } | Ended;
  /** Calls that reach the app; none unless it says otherwise. */
  readonly reaches?: readonly string[];
}

type Ended =
  | { readonly error: ErrorCode; readonly says?: RegExp }
  | { readonly output: Readonly<Record<string, unknown>> };
