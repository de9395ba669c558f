/** Groups of modules that import each other in a cycle, each sorted. Uses Tarjan's algorithm. */
export function findCycles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];

  function visit(node: string): void {
    order.set(node, order.size);
    low.set(node, order.get(node) ?? 0);
    stack.push(node);
    const targets = graph.get(node) ?? [];
    for (const target of targets) {
      if (!graph.has(target)) continue;
      if (!order.has(target)) visit(target);
      if (stack.includes(target)) {
        low.set(node, Math.min(low.get(node) ?? 0, low.get(target) ?? 0));
      }
    }
    if (low.get(node) !== order.get(node)) return;
    const group = stack.splice(stack.indexOf(node));
    if (group.length > 1 || targets.includes(node)) cycles.push(group.sort());
  }

  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return cycles.sort((a, b) => ((a[0] ?? '') < (b[0] ?? '') ? -1 : 1));
}
