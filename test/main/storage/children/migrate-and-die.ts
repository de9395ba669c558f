import { systemClock } from '#main/base/clock.ts';
import { silentLogger } from '#main/base/logger.ts';
import { Connection } from '#main/storage/connection.ts';
import { migrations } from '#main/storage/migrations/all.ts';
import { openDatabase } from '#main/storage/open-database.ts';
import { statementsOf } from './sql-statements.ts';

/**
 * Brings a data folder up to date and kills itself before the n-th statement of the migrations, or
 * after the last one; prints how many there were when it lives.
 *
 *   node migrate-and-die.ts DATA_DIR DIE_AT
 */
const [dataDir = '', dieAt = '0'] = process.argv.slice(2);
let count = 0;
const step = (): void => {
  count += 1;
  if (count === Number(dieAt)) process.kill(process.pid, 'SIGKILL');
};
const { exec, pragma } = Connection.prototype;
const texts = new Set(migrations.map(({ sql }) => sql));
Connection.prototype.exec = function (this: Connection, text: string): void {
  for (const statement of texts.has(text) ? statementsOf(text) : [text]) {
    step();
    exec.call(this, statement);
  }
};
Connection.prototype.pragma = function (this: Connection, text: string): unknown {
  if (!/^user_version =/.test(text)) return pragma.call(this, text);
  step();
  const value = pragma.call(this, text);
  step();
  return value;
};
openDatabase({ dataDir, logger: silentLogger, clock: systemClock, entryPoint: 'terminal' }).close();
process.stdout.write(String(count));
