import { systemClock } from '#main/base/clock.ts';
import { silentLogger } from '#main/base/logger.ts';
import { openDatabase } from '#main/storage/open-database.ts';

/** Opens the data folder, says so, and holds it until it is killed or asked to close. */
const [dataDir = ''] = process.argv.slice(2);
const database = openDatabase({
  dataDir,
  logger: silentLogger,
  clock: systemClock,
  entryPoint: 'browser',
});
database.announce('http://127.0.0.1:4000');
process.stdout.write('open\n');
process.stdin.once('data', () => {
  database.close();
  process.exit(0);
});
