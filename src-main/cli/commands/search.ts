import { AppError } from '#contract/errors.ts';
import { SEARCH_PROVIDERS, type SearchProviderName } from '#contract/search.ts';
import type { App } from '../../compose/app.ts';
import type { SearchAnswer } from '../../search/types.ts';
import type { CliEnvironment } from '../environment.ts';
import { EXIT } from '../exit-codes.ts';
import { Interruption } from '../interruption.ts';
import { openApp } from '../open-app.ts';
import { jsonLine, print } from '../output.ts';
import { showControls } from '../visible-text.ts';

export interface SearchFlags {
  readonly provider?: SearchProviderName;
  readonly limit: number;
  readonly dataDir?: string;
  readonly json?: boolean;
}

/** `hyperagent search`: searches like the agent. */
export async function searchOnce(
  query: string,
  flags: SearchFlags,
  environment: CliEnvironment,
): Promise<number> {
  const interruption = new Interruption();
  try {
    await using app = await openForSearch(flags, environment);
    const { limit, provider } = flags;
    const caller = { closed: interruption.signal };
    const answer = await app.api['search.try']({ query, limit, provider }, caller);
    print(flags.json ? jsonLine(answer) : `${describe(answer)}\n`);
    return EXIT.complete;
  } catch (error) {
    if (interruption.exitCode !== null) return interruption.exitCode;
    throw error;
  } finally {
    interruption.dispose();
  }
}

/** Not read-only: the search is recorded in the list of connections. Attaches to a running app if there is one. */
async function openForSearch(flags: SearchFlags, environment: CliEnvironment): Promise<App> {
  const open = (secondary: boolean): Promise<App> =>
    openApp(environment, { dataDir: flags.dataDir, attended: false, readOnly: false, secondary });
  try {
    return await open(false);
  } catch (error) {
    if (error instanceof AppError && error.code === 'DATA_DIR_IN_USE') return await open(true);
    throw error;
  }
}

function describe({ results, asked, problems }: SearchAnswer): string {
  const names = asked.map((name) => SEARCH_PROVIDERS[name].label).join(', ');
  const found = results.map(({ title, url, publishedAt, snippet }, index) => {
    const date = publishedAt === null ? '' : ` (${publishedAt})`;
    return [
      `${index + 1}. ${title}${date}`,
      `   ${url}`,
      ...(snippet === '' ? [] : [`   ${snippet}`]),
    ]
      .map(showControls)
      .join('\n');
  });
  return [
    ...(found.length === 0 ? ['No results.'] : found),
    `Searched with: ${names}.`,
    ...problems.map((problem) => showControls(problem)),
  ].join('\n');
}
