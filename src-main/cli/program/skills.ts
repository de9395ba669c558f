import { type Command, InvalidArgumentError } from 'commander';
import type { CliEnvironment } from '../environment.ts';
import { collect } from '../option-parsers.ts';
import { addRunOptions, dataDir, EXIT_CODES, json, type Report } from './run-options.ts';

/** `hyperagent skills …` */
export function addSkills(program: Command, environment: CliEnvironment, report: Report): void {
  const skills = program
    .command('skills')
    .description('Manage and run skills, the workflows that you and agents can start');
  const command = (name: string, description: string, output: string): Command =>
    skills.command(name).description(description).addOption(dataDir()).addOption(json(output));
  const onSkill = (name: string, description: string, output: string): Command =>
    command(name, description, output).argument('<skill>', 'id of the skill');
  const load = () => import('../commands/skills.ts');
  const loadExecutions = () => import('../commands/skill-executions.ts');
  const loadReview = () => import('../commands/skill-review.ts');

  command('list', 'List the skills', 'print one JSON array')
    // The command validates the value: loading the schema here would slow down every start.
    .option('--category <category>', 'only this category, such as code')
    .option(
      '--search <words>',
      'only skills with these words in their id, name, description or tags',
    )
    .action(async (flags) => report(await (await load()).listSkills(flags, environment)));
  onSkill('show', 'Show a skill with its parameters', 'print one JSON object').action(
    async (id, flags) => report(await (await load()).showSkill(id, flags, environment)),
  );
  addRunOptions(
    skills
      .command('run')
      .description('Run a skill and print its output')
      .argument('<skill>', 'id of the skill')
      .option('--param <name=value>', 'a parameter; may be repeated', collect)
      .option('--params-json <json>', 'parameters as a JSON object; --param takes precedence'),
  )
    .addOption(json('print one JSON event per line, and nothing else'))
    .addHelpText('after', EXIT_CODES)
    .action(async (id, flags) => {
      const { runSkill } = await import('../commands/run-skill.ts');
      report(await runSkill(id, flags, environment));
    });
  command('executions', 'List what skills did, newest first', 'print one JSON array')
    .argument('[skill]', 'only this skill')
    .option('--limit <n>', 'at most this many (default: 20)', parseLimit)
    .action(async (id, flags) =>
      report(await (await loadExecutions()).listExecutions(id, flags, environment)),
    );
  command('execution', 'Show one execution in full', 'print one JSON object')
    .argument('<id>', 'id of the execution')
    .action(async (id, flags) =>
      report(await (await loadExecutions()).showExecution(id, flags, environment)),
    );
  onSkill('enable', 'Enable a skill', 'print one JSON object').action(async (id, flags) =>
    report(await (await load()).switchSkill({ id, enabled: true }, flags, environment)),
  );
  onSkill('disable', 'Disable a skill', 'print one JSON object').action(async (id, flags) =>
    report(await (await load()).switchSkill({ id, enabled: false }, flags, environment)),
  );
  onSkill(
    'review',
    'Show the full content to approve, compared with the last approved version',
    'print one JSON object',
  ).action(async (id, flags) =>
    report(await (await loadReview()).reviewSkill(id, flags, environment)),
  );
  onSkill('approve', 'Approve exactly the reviewed content', 'print one JSON object')
    .requiredOption('--sha256 <hash>', 'the hash that "skills review" printed', parseHash)
    .option(
      '--grant <capability>',
      'a capability to grant, out of those the skill requests; may be repeated',
      collect,
    )
    .action(async (id, flags) =>
      report(await (await loadReview()).approveSkill(id, flags, environment)),
    );
  command(
    'import',
    'Import an exported skill, a SKILL.md or its folder. It needs your review before it can run.',
    'print one JSON object',
  )
    .argument('<path>', 'a file that "skills export" wrote, a SKILL.md, or a folder with one')
    .action(async (file, flags) =>
      report(await (await load()).importSkill(file, flags, environment)),
    );
  onSkill('export', 'Export a dynamic skill to a file', 'print a summary as a JSON object')
    .option('-o, --output <file>', 'the file to write (default: named after the skill)')
    .action(async (id, flags) => report(await (await load()).exportSkill(id, flags, environment)));
  skills
    .command('validate')
    .description('Validate a folder with a Markdown skill. Exits with 1 if it is not valid.')
    .argument('<dir>', 'the folder with a SKILL.md')
    .addOption(json('print one JSON object'))
    .action(async (dir, flags) => {
      const { validateSkill } = await import('../commands/validate-skill.ts');
      report(await validateSkill(dir, flags));
    });
}

function parseLimit(text: string): number {
  if (/^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= 200) return Number(text);
  throw new InvalidArgumentError('It must be a number from 1 to 200.');
}

function parseHash(text: string): string {
  if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase();
  throw new InvalidArgumentError('It must be the 64-digit hash that "skills review" printed.');
}
