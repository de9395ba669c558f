import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts CPU time in hundredths of a second, whatever the kernel's own tick is. */
const TICK_MS = 10;

/** CPU milliseconds of a process and its ended children. Without /proc: of this process only. */
export function cpuMsOf(pid: number): number {
  if (process.platform !== 'linux') {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
  return statOf(pid)?.cpuMs ?? 0;
}

/** CPU milliseconds of a process and its whole process tree, ended or not. Linux only; 0 elsewhere. */
export function cpuMsOfTree(pid: number): number {
  if (process.platform !== 'linux') return 0;
  const children = new Map<number, number[]>();
  const costs = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = statOf(Number(name));
    if (stat === null) continue;
    costs.set(Number(name), stat.cpuMs);
    children.set(stat.parent, [...(children.get(stat.parent) ?? []), Number(name)]);
  }
  const sum = (one: number): number =>
    (costs.get(one) ?? 0) + (children.get(one) ?? []).reduce((all, child) => all + sum(child), 0);
  return sum(pid);
}

function statOf(pid: number): { readonly parent: number; readonly cpuMs: number } | null {
  try {
    // "pid (name) state parent … utime stime cutime cstime …": the name may contain spaces and brackets.
    const [, rest = ''] = /^.*\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'latin1')) ?? [];
    const fields = rest.split(' ');
    const ticks = fields.slice(11, 15).reduce((all, field) => all + Number(field), 0);
    return { parent: Number(fields[1]), cpuMs: ticks * TICK_MS };
  } catch {
    // The process has ended.
    return null;
  }
}
