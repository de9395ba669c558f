/** A process as listed by `ps -axo pid=,ppid=,pgid=,rss=`. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly residentBytes: number;
}

export const PS_ARGUMENTS = ['-axo', 'pid=,ppid=,pgid=,rss='];

export function parseProcessTable(text: string): ProcessEntry[] {
  return text.split('\n').flatMap((line) => {
    const [pid, parent, group, kilobytes] = line.trim().split(/\s+/).map(Number);
    if (pid === undefined || parent === undefined || group === undefined) return [];
    if (kilobytes === undefined || Number.isNaN(kilobytes)) return [];
    return [{ pid, parent, group, residentBytes: kilobytes * 1024 }];
  });
}

/** `root`, its group, and everything that descends from either. */
export function familyOf(root: number, table: readonly ProcessEntry[]): ProcessEntry[] {
  const family = new Set(table.filter(({ pid, group }) => pid === root || group === root));
  for (let grew = true; grew; ) {
    grew = false;
    const pids = new Set([...family].map(({ pid }) => pid));
    for (const entry of table) {
      if (family.has(entry) || !pids.has(entry.parent)) continue;
      family.add(entry);
      grew = true;
    }
  }
  return [...family];
}
