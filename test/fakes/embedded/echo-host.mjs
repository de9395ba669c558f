// In place of the process that holds a model: it answers with what it was given, and with what it can
// see of its surroundings.
import { connect, say } from '../../../resources/embedded/host-port.mjs';

let cancelled = 0;

connect((message) => {
  const { id, kind } = message;
  if (kind === 'cancel') cancelled = id;
  else if (kind === 'die') process.exit(7);
  else if (kind === 'complain') {
    process.stderr.write('out of memory\n', () => setTimeout(() => process.exit(3), 50));
  } else if (kind === 'wait') {
    const timer = setInterval(() => {
      if (cancelled < id) return;
      clearInterval(timer);
      say({ id, kind: 'failed', reason: 'cancelled', message: 'Stopped.' });
    }, 5);
  } else {
    const seen = { argv: process.argv.slice(2), env: process.env, execArgv: process.execArgv };
    say({ id, kind: 'text', text: JSON.stringify(seen) });
    say({ id, kind: 'done', finish: 'stop', promptTokens: 1, completionTokens: 1, evaluated: 1 });
  }
});
say({ id: 0, kind: 'ready', version: '0' });
