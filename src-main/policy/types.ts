import type { PolicyDocument, PolicyProblem } from '#contract/policy.ts';
import type { Settings } from '#contract/settings.ts';

/** A policy that was checked. */
export interface Policy {
  readonly document: PolicyDocument;
  /** Settings that hold and cannot be changed here. */
  readonly locked: Partial<Settings>;
  /** Settings that hold until the user changes them. */
  readonly defaults: Partial<Settings>;
}

export type ParsedPolicy =
  | { readonly ok: true; readonly policy: Policy }
  | { readonly ok: false; readonly problems: readonly PolicyProblem[] };

/** What was found on this computer. `source` is the path of a file, or the name of a store of the system. */
export type PolicyState =
  | { readonly state: 'none' }
  | { readonly state: 'holds'; readonly source: string; readonly policy: Policy }
  | InvalidPolicy;

export interface InvalidPolicy {
  readonly state: 'invalid';
  readonly source: string;
  readonly problems: readonly PolicyProblem[];
}

/** A place where a policy may be. */
export interface PolicySource {
  readonly name: string;
  /** Its text; null where there is none. Throws where there is one that cannot be read or trusted. */
  read(): string | null;
}
