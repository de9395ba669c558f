// Makes the first process believe that it is an old Node; the one that it starts is what it is.
if (process.env.HYPERAGENT_RELAUNCHED === undefined || process.env.ALWAYS_OLD !== undefined) {
  Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.1.0' } });
}
