// A set of hostile and broken MCP servers (stdio, revision 2025-11-25).
//
//   node hostile-server.mjs <case>    run one case on stdin/stdout
//   node hostile-server.mjs --list    print the names of the cases
//   node hostile-server.mjs --check   compare the cases here with cases.json
//
// Words used in "drive" in cases.json, steps separated by "; ":
//   connect, list, prompts, resources, templates, close (the client ends the connection),
//   call:<tool>, call:<tool> {json arguments}, prompt:<name>, read:<uri>,
//   "<step> twice", "<step> & <step>" (both at once),
//   "<step> xN" (N times), cancel:<tool> (call it, cancel after 300 ms), wait:<ms>, turn (create the HOSTILE_SWITCH file),
//   reconnect (stop the server and start it again).
// "list" means the client asks for the tools anew, whatever makes it do so.
//
// Every text that must not be obeyed or trusted carries "HOSTILE-MARK-<case>", so a test can search for it.
//
// Env variables, all optional:
//   HOSTILE_LIFETIME_MS  every process started here ends by itself after this time (default 120000)
//   HOSTILE_MB           size of the big messages in MB (default 100)
//   HOSTILE_SWITCH       rug pulls: a path; the server turns bad once it exists
//   HOSTILE_AFTER        rug pulls without HOSTILE_SWITCH: how many lists stay honest (default 1)
//   HOSTILE_PIDFILE      file to which pids of left-behind processes are appended
//   HOSTILE_TAG          word put on the command line of left-behind processes
//   HOSTILE_PORT, HOSTILE_FILE, HOSTILE_DIR, HOSTILE_HOME, HOSTILE_PID, HOSTILE_SOCKET: see cases.json
import { readFileSync } from 'node:fs';
import { cases as answers } from './cases/answers.mjs';
import { cases as asks } from './cases/asks.mjs';
import { cases as escapes } from './cases/escapes.mjs';
import { cases as floods } from './cases/floods.mjs';
import { cases as framing } from './cases/framing.mjs';
import { cases as lifecycle } from './cases/lifecycle.mjs';
import { cases as names } from './cases/names.mjs';
import { cases as poison } from './cases/poison.mjs';
import { cases as results } from './cases/results.mjs';
import { cases as rugs } from './cases/rugs.mjs';
import { cases as schemas } from './cases/schemas.mjs';
import { watchdog } from './processes.mjs';
import { Server } from './wire.mjs';

const groups = {
  framing,
  answers,
  lifecycle,
  floods,
  schemas,
  names,
  poison,
  results,
  rugs,
  asks,
  escapes,
};
const all = new Map();
for (const [group, cases] of Object.entries(groups)) {
  for (const [id, run] of Object.entries(cases)) {
    if (all.has(id)) throw new Error(`the case ${id} exists twice (${group})`);
    all.set(id, run);
  }
}

function check() {
  const kinds = ['broken', 'poison', 'rug_pull', 'shadow', 'escape', 'flood', 'auth'];
  const listed = JSON.parse(readFileSync(new URL('./cases.json', import.meta.url), 'utf8'));
  const ids = new Set(listed.map((c) => c.id));
  const wrong = [];
  if (ids.size !== listed.length) wrong.push('cases.json has an id twice');
  for (const c of listed) {
    if (!all.has(c.id)) wrong.push(`no code for ${c.id}`);
    if (!kinds.includes(c.kind)) wrong.push(`${c.id}: unknown kind ${c.kind}`);
    for (const field of ['what', 'drive', 'must']) {
      if (typeof c[field] !== 'string' || !c[field]) wrong.push(`${c.id}: ${field} is missing`);
    }
  }
  for (const id of all.keys()) if (!ids.has(id)) wrong.push(`${id} is not in cases.json`);
  const count = {};
  for (const c of listed) count[c.kind] = (count[c.kind] ?? 0) + 1;
  console.log(JSON.stringify({ cases: listed.length, count, wrong }, null, 2));
  process.exitCode = wrong.length ? 1 : 0;
}

const wanted = process.argv[2];
if (wanted === '--list') {
  console.log([...all.keys()].join('\n'));
} else if (wanted === '--check') {
  check();
} else if (!all.has(wanted)) {
  console.error(`usage: node hostile-server.mjs <case>; no case "${wanted}" (see --list)`);
  process.exitCode = 2;
} else {
  watchdog();
  const server = new Server(wanted);
  await all.get(wanted)(server);
  server.start();
}
