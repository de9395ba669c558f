import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CliEnvironment } from '../environment.ts';
import { collect } from '../option-parsers.ts';
import { addRunOptions, dataDir, EXIT_CODES } from './run-options.ts';

/** `hyperagent skills …` */
export function addSkills(
  program: Command,
  environment: CliEnvironment,
  report: (exitCode: number) => void,
): void {
  const skills = program
    .command('skills')
    .description('Looks after skills, the workflows that agents and you can start, and runs one.');
  const command = (name: string, description: string, output: string): Command =>
    skills
      .command(name)
      .description(description)
      .addOption(dataDir())
      .addOption(new Option('--json', output));
  const onSkill = (name: string, description: string, output: string): Command =>
    command(name, description, output).argument('<skill>', 'id of the skill');
  const load = () => import('../commands/skills.ts');
  const loadReview = () => import('../commands/skill-review.ts');

  command('list', 'Lists the skills.', 'print one JSON array')
    // What they may be is known to the commands: its schemas would cost every start.
    .option('--category <category>', 'only those of a kind, such as code')
    .option('--search <words>', 'only those with these words in id, name, description or tags')
    .action(async (flags) => report(await (await load()).listSkills(flags, environment)));
  onSkill('show', 'Shows a skill with its parameters.', 'print one JSON object').action(
    async (id, flags) => report(await (await load()).showSkill(id, flags, environment)),
  );
  addRunOptions(
    skills
      .command('run')
      .description('Runs a skill and prints what it gives.')
      .argument('<skill>', 'id of the skill')
      .option('--param <name=value>', 'a parameter; may be repeated', collect)
      .option('--params-json <json>', 'parameters as a JSON object; those of --param go over it'),
  )
    .addOption(new Option('--json', 'print one event a line as JSON, and nothing else'))
    .addHelpText('after', EXIT_CODES)
    .action(async (id, flags) => {
      const { runSkill } = await import('../commands/run-skill.ts');
      report(await runSkill(id, flags, environment));
    });
  onSkill('enable', 'Switches a skill on.', 'print one JSON object').action(async (id, flags) =>
    report(await (await load()).switchSkill({ id, enabled: true }, flags, environment)),
  );
  onSkill('disable', 'Switches a skill off.', 'print one JSON object').action(async (id, flags) =>
    report(await (await load()).switchSkill({ id, enabled: false }, flags, environment)),
  );
  onSkill(
    'review',
    'Shows in full what a yes would trust, against what was approved last.',
    'print one JSON object',
  ).action(async (id, flags) =>
    report(await (await loadReview()).reviewSkill(id, flags, environment)),
  );
  onSkill('approve', 'Says yes to exactly what was reviewed.', 'print one JSON object')
    .requiredOption('--sha256 <hash>', 'the hash that "skills review" printed', parseHash)
    .option(
      '--grant <capability>',
      'what a dynamic skill is given, of what it asks for; may be repeated',
      collect,
    )
    .action(async (id, flags) =>
      report(await (await loadReview()).approveSkill(id, flags, environment)),
    );
  command('import', 'Takes an exported skill in; it waits for your review.', 'print a JSON object')
    .argument('<file>', 'a file that "skills export" wrote')
    .action(async (file, flags) =>
      report(await (await load()).importSkill(file, flags, environment)),
    );
  onSkill('export', 'Writes a dynamic skill to one file.', 'print what was written as JSON')
    .option('-o, --output <file>', 'the file to write (default: a name of its own)')
    .action(async (id, flags) => report(await (await load()).exportSkill(id, flags, environment)));
  skills
    .command('validate')
    .description(
      'Says what is wrong with a folder that holds a Markdown skill. Exits with 1 where it is not valid.',
    )
    .argument('<dir>', 'the folder with a SKILL.md')
    .addOption(new Option('--json', 'print one JSON object'))
    .action(async (dir, flags) => {
      const { validateSkill } = await import('../commands/validate-skill.ts');
      report(await validateSkill(dir, flags));
    });
}

function parseHash(text: string): string {
  if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase();
  throw new InvalidArgumentError('It is 64 digits, as "skills review" prints them.');
}
