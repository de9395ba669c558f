import type { Settings } from '#contract/entities.ts';
import { KnownSecrets } from '../base/known-secrets.ts';
import type { Logger } from '../base/logger.ts';
import { scanCode, scanText } from './argument-scan.ts';
import { delimitAsData } from './delimit.ts';
import { scanHarmful } from './harmful-scan.ts';
import { scanInput, scanResult } from './injection-scan.ts';
import { type OutputGuard, type OutputGuardParts, StreamedOutputGuard } from './output-guard.ts';
import {
  type Finding,
  isClosed,
  SCAN_LIMIT_CHARS,
  type Scanner,
  scanAll,
  scannerFailed,
  scannerLate,
  TOO_LONG,
} from './scanner.ts';
import { scanSecrets } from './secret-scan.ts';
import { Watchdog, WatchdogTimeout } from './watchdog.ts';

export type GuardSettings = Pick<
  Settings,
  | 'guardrails'
  | 'guardrailsInput'
  | 'guardrailsOutput'
  | 'guardrailsTool'
  | 'guardrailsAction'
  | 'guardrailsTimeoutMs'
>;

export interface GuardReport {
  readonly verdict: 'allow' | 'warn' | 'block';
  readonly findings: readonly Finding[];
}

export interface GuardedResult extends GuardReport {
  /** What the model reads in place of the result. */
  readonly content: string;
}

export interface GuardScanners {
  readonly input: Scanner;
  /** Of arguments that are run, and of others. */
  readonly code: Scanner;
  readonly text: Scanner;
  readonly result: Scanner;
  readonly harmful: Scanner;
}

export interface GuardsParts {
  readonly settings: () => GuardSettings;
  readonly logger: Logger;
  /** What is taken out of calls and results, whatever the settings say. */
  readonly secrets?: KnownSecrets;
  readonly scanners?: Partial<GuardScanners>;
}

const SCANNERS: GuardScanners = {
  input: scanInput,
  code: scanCode,
  text: scanText,
  result: scanResult,
  harmful: scanHarmful,
};

const NOTHING: GuardReport = { verdict: 'allow', findings: [] };
/**
 * Our own scanners take time in proportion to the text, in the worst case too (there is a test). Up to
 * this length they are through in a tenth of their time, starting the clock would cost more than the
 * scan, and what they say is complete: nothing is kept back because the computer was slow. Everything
 * else is cut off.
 */
const OWN_SCANNERS: ReadonlySet<Scanner> = new Set(Object.values(SCANNERS));
const QUICK_CHARS = 16_384;

/**
 * Looks at what comes in, what goes out, and what tools are given and give. It sits where every caller
 * passes: the model, the run and the pipeline of tools. Findings are signals that are shown and raise
 * the risk; only what is certain is stopped, and what could not be looked at in time is stopped always.
 * See docs/decisions/0011.
 */
export class Guards {
  readonly secrets: KnownSecrets;
  readonly #settings: () => GuardSettings;
  readonly #logger: Logger;
  readonly #scanners: GuardScanners;
  readonly #watchdog = new Watchdog();

  constructor({ settings, logger, secrets, scanners = {} }: GuardsParts) {
    this.secrets = secrets ?? new KnownSecrets();
    this.#settings = settings;
    this.#logger = logger;
    this.#scanners = { ...SCANNERS, ...scanners };
  }

  /** What a person typed. */
  input(prompt: string): GuardReport {
    const { guardrails, guardrailsInput } = this.#settings();
    if (!guardrails || !guardrailsInput) return NOTHING;
    return this.#report('input', this.#scan(this.#scanners.input, prompt));
  }

  /**
   * The arguments of a call, as canonical JSON; `runs` where they are a program or command, `leaves` where
   * they may go to other computers, or make something go there. The same
   * bytes are looked at as often as they come: before the question, after it, and after every edit.
   */
  arguments(
    argumentsText: string,
    { runs, leaves = false }: { readonly runs: boolean; readonly leaves?: boolean },
  ): GuardReport {
    const { guardrails, guardrailsTool } = this.#settings();
    if (!guardrails || !guardrailsTool) return NOTHING;
    const { code, text } = this.#scanners;
    const scanner = runs ? code : text;
    const secretsIn = (value: string) =>
      scanSecrets(value.slice(0, SCAN_LIMIT_CHARS), leaves ? 'signal' : 'note');
    const findings = this.#watch(scanner, argumentsText.length, () =>
      eachOnce([
        ...scanValues(argumentsText, (value) => [...scanAll(scanner, value), ...secretsIn(value)]),
        // A field may name what its value is.
        ...secretsIn(argumentsText),
      ]),
    );
    return this.#report('arguments', findings);
  }

  /**
   * The result of a tool; `untrusted` says whose words it holds, null where they are the tool's own.
   * Other people's words, and whatever looks like orders to a model, are marked as data.
   */
  result(
    content: string,
    { toolCallId, untrusted }: { readonly toolCallId: string; readonly untrusted: string | null },
  ): GuardedResult {
    const { guardrails, guardrailsTool } = this.#settings();
    const isOn = guardrails && guardrailsTool;
    const findings = isOn ? this.#scan(this.#scanners.result, content) : [];
    const report = this.#report('result', findings);
    if (report.verdict === 'block') {
      return { ...report, content: withheld(findings) };
    }
    if (untrusted === null && findings.length === 0) return { ...report, content };
    const source = untrusted ?? 'the tool';
    return { ...report, content: delimitAsData(content, { toolCallId, source }) };
  }

  /** For one answer of a model; null where answers are not looked at. */
  openOutput(isKnown: OutputGuardParts['isKnown']): OutputGuard | null {
    const { guardrails, guardrailsOutput, guardrailsAction } = this.#settings();
    if (!guardrails || !guardrailsOutput) return null;
    return new StreamedOutputGuard({
      isKnown,
      harmful: (sentence) => this.#scan(this.#scanners.harmful, sentence),
      failed: (error) => this.#failure(error),
      acts: guardrailsAction === 'block',
    });
  }

  /** Notes what was found in an answer; says whether the person is told. */
  outputReport(findings: readonly Finding[]): GuardReport {
    return this.#report('output', findings);
  }

  #scan(scanner: Scanner, text: string): readonly Finding[] {
    return this.#watch(scanner, text.length, () => scanAll(scanner, text));
  }

  /** What `work` finds with a scanner; closed where it throws or takes too long. */
  #watch(scanner: Scanner, chars: number, work: () => readonly Finding[]): readonly Finding[] {
    const limitMs = this.#settings().guardrailsTimeoutMs;
    try {
      const isQuick = OWN_SCANNERS.has(scanner) && chars <= QUICK_CHARS;
      return isQuick ? work() : this.#watchdog.run(limitMs, work);
    } catch (error) {
      return [this.#failure(error)];
    }
  }

  #failure(error: unknown): Finding {
    if (error instanceof WatchdogTimeout) return scannerLate(this.#settings().guardrailsTimeoutMs);
    this.#logger.error('A guardrail scanner failed', { error });
    return scannerFailed(error);
  }

  /** Only rules go to the log, never what they were found in. */
  #report(place: string, findings: readonly Finding[]): GuardReport {
    if (findings.length === 0) return NOTHING;
    const { guardrailsAction } = this.#settings();
    const verdict = verdictOf(findings, guardrailsAction);
    this.#logger.info('Guardrails found something', {
      ...{ place, verdict },
      rules: findings.map(({ rule }) => rule),
    });
    // Under `log` nobody is told.
    return verdict === 'allow' ? NOTHING : { verdict, findings };
  }
}

function verdictOf(
  findings: readonly Finding[],
  action: GuardSettings['guardrailsAction'],
): GuardReport['verdict'] {
  if (findings.some(isClosed)) return 'block';
  if (action === 'log') return 'allow';
  return action === 'block' && findings.some(({ weight }) => weight === 'certain')
    ? 'block'
    : 'warn';
}

function withheld(findings: readonly Finding[]): string {
  const why = findings.map(({ message }) => message).join(' ');
  return `[The app withheld this result. ${why} The person can allow it in the settings, under Guardrails.]`;
}

/** Characters of arguments that are looked at; nobody reads more before they say yes, and all of it takes time. */
const ARGUMENT_CHARS = 100_000;

/** What `scan` finds in the strings of a JSON text. */
function scanValues(json: string, scan: (value: string) => readonly Finding[]): Finding[] {
  // Short ones first: a long one hides none of the others.
  const values = stringsOf(json).sort((a, b) => a.length - b.length);
  const chars = values.reduce((sum, { length }) => sum + length, 0);
  const findings: Finding[] = chars > ARGUMENT_CHARS ? [TOO_LONG] : [];
  let left = ARGUMENT_CHARS;
  for (const value of values) {
    if (left === 0) break;
    const looked = value.slice(0, left);
    left -= looked.length;
    findings.push(...scan(looked));
  }
  return findings;
}

/** Each rule once, with the most that it counts. */
function eachOnce(findings: readonly Finding[]): Finding[] {
  const found = new Map<string, Finding>();
  for (const finding of findings) {
    const known = found.get(finding.rule);
    if (known === undefined || finding.weight === 'certain') found.set(finding.rule, finding);
  }
  return [...found.values()];
}

/** The strings of a JSON text and the names of its fields; the text itself where it is no JSON. */
function stringsOf(json: string): string[] {
  const strings: string[] = [];
  const collect = (value: unknown): void => {
    if (typeof value === 'string') strings.push(value);
    else if (Array.isArray(value)) value.forEach(collect);
    else if (typeof value === 'object' && value !== null) {
      strings.push(...Object.keys(value));
      Object.values(value).forEach(collect);
    }
  };
  try {
    collect(JSON.parse(json));
  } catch {
    // Not from a tool of this app; it is looked at as it is.
    return [json];
  }
  return strings;
}
