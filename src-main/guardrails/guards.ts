import type { Settings } from '#contract/settings.ts';
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
  /** For arguments that run as code, and for all others. */
  readonly code: Scanner;
  readonly text: Scanner;
  readonly result: Scanner;
  readonly harmful: Scanner;
}

export interface GuardsParts {
  readonly settings: () => GuardSettings;
  readonly logger: Logger;
  /** Secrets removed from calls and results, whatever the settings say. */
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
 * Our own scanners take linear time, also in the worst case (there is a test). Up to this length they need
 * a tenth of their time limit and starting the timer would cost more than the scan, so they always finish:
 * nothing is withheld because the computer was slow. Everything else is subject to the limit.
 */
const OWN_SCANNERS: ReadonlySet<Scanner> = new Set(Object.values(SCANNERS));
const QUICK_CHARS = 16_384;

/**
 * Scans user input, model output, and the arguments and results of tools. It sits where every caller
 * passes: the model, the run and the tool pipeline. Findings are signals that are shown and raise the
 * risk; only certain ones block, and text that could not be scanned in time always blocks.
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

  /** What the user typed. */
  input(prompt: string): GuardReport {
    const { guardrails, guardrailsInput } = this.#settings();
    if (!guardrails || !guardrailsInput) return NOTHING;
    return this.#report('input', this.#scan(this.#scanners.input, prompt));
  }

  /**
   * The arguments of a call, as canonical JSON; `runs` if they are a program or command, `leaves` if they may
   * go, or send something, to other computers. Scanned each time: before the question, after it, and after
   * every edit.
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
        // A field name may say what its value is.
        ...secretsIn(argumentsText),
      ]),
    );
    return this.#report('arguments', findings);
  }

  /**
   * The result of a tool; `untrusted` names its source, null if the words are the tool's own. Other people's
   * words, and anything that looks like orders to a model, are marked as data.
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

  /** For one answer of a model; null if answers are not scanned. */
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

  /** Logs the findings in an answer; its verdict says whether the user is informed. */
  outputReport(findings: readonly Finding[]): GuardReport {
    return this.#report('output', findings);
  }

  #scan(scanner: Scanner, text: string): readonly Finding[] {
    return this.#watch(scanner, text.length, () => scanAll(scanner, text));
  }

  /** What `work` finds with a scanner; fails closed if it throws or takes too long. */
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

  /** Only rule names go to the log, never the text. */
  #report(place: string, findings: readonly Finding[]): GuardReport {
    if (findings.length === 0) return NOTHING;
    const { guardrailsAction } = this.#settings();
    const verdict = verdictOf(findings, guardrailsAction);
    this.#logger.info('Guardrails found something', {
      place,
      verdict,
      rules: findings.map(({ rule }) => rule),
    });
    // Under `log` the user is not informed.
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
  return `[The app withheld this result. ${why} The user can allow it in the settings, under Guardrails.]`;
}

/** Most characters of arguments that are scanned; nobody reads more before approving, and scanning takes time. */
const ARGUMENT_CHARS = 100_000;

/** What `scan` finds in the strings of a JSON text. */
function scanValues(json: string, scan: (value: string) => readonly Finding[]): Finding[] {
  // Short ones first, so that a long one cannot crowd out the others.
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

/** Each rule once, with its highest weight. */
function eachOnce(findings: readonly Finding[]): Finding[] {
  const found = new Map<string, Finding>();
  for (const finding of findings) {
    const known = found.get(finding.rule);
    if (known === undefined || finding.weight === 'certain') found.set(finding.rule, finding);
  }
  return [...found.values()];
}

/** The strings of a JSON text and the names of its fields; the text itself if it is not JSON. */
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
    // Not from a tool of this app; scanned as it is.
    return [json];
  }
  return strings;
}
