import { diffLines } from '#contract/diff-lines.ts';
import { safeParse } from '#contract/safe-parse.ts';
import { SkillCapability, type SkillReview } from '#contract/skills.ts';
import { makeVisible } from '#contract/visible-text.ts';
import type { App } from '../../compose/app.ts';
import type { CliEnvironment } from '../environment.ts';
import { EXIT, UsageError } from '../exit-codes.ts';
import { openApp } from '../open-app.ts';
import { jsonLine, print } from '../output.ts';
import { describeFinding } from '../skill-text.ts';
import { type Style, styleFor } from '../style.ts';
import type { ReadFlags } from './runs.ts';

export interface ApproveFlags extends ReadFlags {
  readonly sha256: string;
  readonly grant?: readonly string[];
}

/** On one line with nothing hidden, so that no name can imitate a line of the app. */
const shown = (text: string): string => makeVisible(text).replaceAll('\n', '⟨U+000A⟩');

/** `hyperagent skills review`: everything that an approval covers, with nothing hidden. */
export async function reviewSkill(
  id: string,
  flags: ReadFlags,
  environment: CliEnvironment,
): Promise<number> {
  const { dataDir } = flags;
  await using app: App = await openApp(environment, { dataDir, attended: false, readOnly: true });
  const { review } = await app.api['skills.review']({ skillId: id });
  if (flags.json) print(jsonLine(review));
  else print(describeReview(review, styleFor(process.stdout, process.env)));
  return EXIT.complete;
}

/** `hyperagent skills approve`: approves exactly the bytes of this hash. */
export async function approveSkill(
  id: string,
  flags: ApproveFlags,
  environment: CliEnvironment,
): Promise<number> {
  const { dataDir, sha256, grant = [] } = flags;
  const capabilities = [...new Set(grant.map(capabilityOf))];
  await using app: App = await openApp(environment, { dataDir, attended: false, readOnly: false });
  const { skill } = await app.api['skills.approve']({ skillId: id, sha256, capabilities });
  if (flags.json) {
    print(jsonLine(skill));
    return EXIT.complete;
  }
  const { summary, granted } = skill;
  const may = granted.length === 0 ? '' : ` It may use ${granted.join(', ')}.`;
  const off = summary.state === 'disabled' ? ' It is disabled.' : '';
  print(`${summary.id} ${summary.version} is approved.${may}${off}\n`);
  return EXIT.complete;
}

function capabilityOf(text: string): SkillCapability {
  const capability = safeParse(SkillCapability, text);
  if (capability.success) return capability.data;
  throw new UsageError(`--grant ${text}: must be one of ${SkillCapability.options.join(', ')}.`);
}

/** Shows every file in full, because the user approves all of it. */
export function describeReview(review: SkillReview, style: Style): string {
  const { skillId, source, sha256, capabilities, requiredTools, findings, files } = review;
  const isNew = (capability: SkillCapability): boolean => !capabilities.before.includes(capability);
  const requested = capabilities.after.map((one) => (isNew(one) ? `${one} (new)` : one));
  const dropped = capabilities.before.filter((one) => !capabilities.after.includes(one));
  const grants = capabilities.after.map((one) => ` --grant ${one}`).join('');
  const approve = `hyperagent skills approve ${skillId} --sha256 ${sha256}${grants}`;
  const lines = [
    `${style.bold(shown(review.name))} (${skillId}), ${source}`,
    `sha256    ${sha256}`,
    ...(requested.length === 0 ? [] : [`requests  ${requested.join(', ')}`]),
    ...(dropped.length === 0 ? [] : [`no longer ${dropped.join(', ')}`]),
    ...(requiredTools.length === 0 ? [] : [`tools     ${shown(requiredTools.join(', '))}`]),
    ...findings.map((finding) => {
      const line = `! ${shown(describeFinding(finding))}`;
      return finding.severity === 'error' ? style.red(line) : style.yellow(line);
    }),
    ...(files.length === 0 ? ['Nothing changed since the last approval.'] : []),
    ...files.flatMap((file) => ['', ...describeFile(file, style)]),
    '',
    review.mayApprove
      ? `To approve exactly this, run: ${approve}`
      : 'It cannot be approved until the errors above are fixed.',
  ];
  return `${lines.join('\n')}\n`;
}

function describeFile(
  { path, before, after, isBinary }: SkillReview['files'][number],
  style: Style,
): string[] {
  const name = shown(path);
  if (isBinary) return [style.bold(`${name}: changed (binary)`)];
  const what = before === null ? 'new' : after === null ? 'deleted' : 'changed';
  const lines = diffLines(before ?? '', after ?? '').map(({ kind, text }) => {
    const line = `${kind === 'same' ? ' ' : kind === 'added' ? '+' : '-'} ${makeVisible(text)}`;
    return kind === 'same' ? style.dim(line) : line;
  });
  return [style.bold(`${name}: ${what}`), ...lines];
}
