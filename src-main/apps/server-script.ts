import { quote } from '../sandbox/shell/shell-text.ts';
import { enterApp } from './in-app-folder.ts';

/** Begins a line in which the script reports the ports that programs listen on; servers print no such line. */
const PORTS_MARK = '\u001eports';
/** What servers that ask for it are given; others choose, and are found. */
const USUAL_PORT = 3000;

export interface ServerScriptParts {
  /** In the workspace; empty for the workspace itself. */
  readonly folder: string;
  /** What starts the server, a line of shell. */
  readonly command: string;
  /** Packages as programs inside see them, for a project that has none yet; null for none. */
  readonly packages: string | null;
}

/**
 * The shell text that runs a server in its folder, with the programs of its packages on the PATH, and reports the ports
 * that are listened on, whichever they are. It ends with the server, and has its exit code.
 */
export function serverScript({ folder, command, packages }: ServerScriptParts): string {
  return [
    enterWithPackages(folder, packages),
    `export PORT=${USUAL_PORT} HOST=127.0.0.1 BROWSER=none NO_COLOR=1 FORCE_COLOR=0`,
    REPORT_PORTS,
    'report_ports & reporter=$!',
    `( ${command}\n) </dev/null`,
    'code=$?; kill "$reporter" 2>/dev/null; wait "$reporter" 2>/dev/null; ( exit "$code" )',
  ].join('\n');
}

/** Shell text that goes to the folder of an app and gives it its packages: it ends with 97 or 98 where that fails. */
export function enterWithPackages(folder: string, packages: string | null): string {
  const enter = `${enterApp(folder)} || exit 97`;
  if (packages === null) return enter;
  // Complete or not at all: what is copied halfway has another name.
  const copy = `{ rm -rf .packages && cp -RP ${quote(packages)} .packages && mv .packages node_modules; }`;
  return `${enter}\n[ -e node_modules ] || ${copy} || exit 98`;
}

/** Reads the tables of listening sockets of this network namespace, without starting a program each time. */
const REPORT_PORTS = `report_ports() {
  local known=none ports table local_address state inode
  exec 9<> <(:)
  while :; do
    ports=
    for table in /proc/net/tcp /proc/net/tcp6; do
      while read -r _ local_address _ state _ _ _ _ _ inode _; do
        [ "$state" = 0A ] && ports="$ports $((16#\${local_address##*:}))/$inode"
      done < "$table"
    done 2>/dev/null
    [ "$ports" = "$known" ] || printf '\\n\\036ports%s\\n' "$ports" >&2
    known=$ports
    read -rt 0.2 -u 9 || :
  done
}`;

/** A port that is listened on; another socket is another `id`. */
export interface ListeningPort {
  readonly port: number;
  readonly id: string;
}

/** Takes the reports of ports out of the output of a server, which comes in pieces. */
export class PortReports {
  #rest = '';
  readonly #onPorts: (ports: readonly ListeningPort[]) => void;

  constructor(onPorts: (ports: readonly ListeningPort[]) => void) {
    this.#onPorts = onPorts;
  }

  /** The output without reports; a line that may be one is kept until it ends. */
  take(text: string): string {
    const lines = (this.#rest + text).split('\n');
    const last = lines.pop() ?? '';
    const isReport = PORTS_MARK.startsWith(last.slice(0, PORTS_MARK.length));
    this.#rest = last !== '' && isReport ? last : '';
    const shown = lines.filter((line) => !this.#read(line)).map((line) => `${line}\n`);
    return shown.join('') + (this.#rest === '' ? last : '');
  }

  #read(line: string): boolean {
    if (!line.startsWith(PORTS_MARK)) return false;
    const ports = line.slice(PORTS_MARK.length).matchAll(/ (\d{1,5})\/(\d{1,20})(?= |$)/g);
    this.#onPorts([...ports].map(([, port, id = '']) => ({ port: Number(port), id })));
    return true;
  }
}
