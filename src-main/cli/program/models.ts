import { Argument, type Command, Option } from 'commander';
import type { CliEnvironment } from '../environment.ts';
import { parseHttpUrl, parseModel, parseWholeNumber } from '../option-parsers.ts';
import { dataDir, json, type Report } from './run-options.ts';

const STATES = ['on', 'off', 'auto'] as const;

/** `hyperagent models …` */
export function addModels(program: Command, environment: CliEnvironment, report: Report): void {
  const models = program.command('models').description('Manage models');
  const load = () => import('../commands/models.ts');
  const command = (name: string, description: string, output: string): Command =>
    models.command(name).description(description).addOption(dataDir()).addOption(json(output));
  const onModel = (name: string, description: string, output: string): Command =>
    command(name, description, output)
      .argument('<model>', 'PROVIDER:NAME, such as ollama:qwen3:8b', parseModel)
      .option('--base-url <url>', 'address of the model server', parseHttpUrl);
  command(
    'list',
    'List the available models and what is known about each',
    'print one JSON array',
  ).action(async (flags) => report(await (await load()).listModels(flags, environment)));
  onModel('show', 'Show what is known about a model', 'print one JSON object').action(
    async (model, flags) => report(await (await load()).showModel(model, flags, environment)),
  );
  onModel(
    'check',
    'Test a model with a dozen small tasks and write its report card',
    'print one JSON object per line',
  )
    .addHelpText('after', '\nThe test takes a few minutes. Ctrl+C stops it.')
    .action(async (model, flags) =>
      report(await (await load()).checkModel(model, flags, environment)),
    );
  command(
    'recommend',
    'Recommend a model for each tier, with the reason',
    'print one JSON array',
  ).action(async (flags) => report(await (await load()).recommendModels(flags, environment)));
  command(
    'context',
    'Show how long conversations fit the context window, and change it',
    'print one JSON object',
  )
    .addOption(
      new Option('--compression <state>', 'summarise older messages').choices(['on', 'off']),
    )
    .option('--threshold <tokens>', 'summarise above this size of a request', parseWholeNumber)
    .option('--keep <messages>', 'newest messages to keep whole', parseWholeNumber)
    .action(async (flags) => report(await (await load()).showContext(flags, environment)));
  onModel(
    'thinking',
    'Show whether a model is asked to think, and change it',
    'print one JSON object',
  )
    .addArgument(new Argument('[state]', 'auto leaves it to the model').choices(STATES))
    .action(async (model, state, flags) =>
      report(await (await load()).setThinking({ model, state }, flags, environment)),
    );
  onModel(
    'pull',
    'Download a model with Ollama, or continue a stopped download',
    'print one JSON object per line',
  ).action(async (model, flags) =>
    report(await (await load()).pullModel(model, flags, environment)),
  );
  onModel(
    'allow',
    'Allow a local server to forward this model to a cloud',
    'print one JSON object',
  ).action(async (model, flags) =>
    report(await (await load()).allowModel(model, flags, environment)),
  );
}
