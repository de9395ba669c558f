/** The statements of a script, with the bodies of triggers kept whole. */
export function statementsOf(script: string): string[] {
  const statements: string[] = [];
  let statement = '';
  for (const line of script.split('\n')) {
    const code = line.replace(/--.*$/, '');
    statement += `${code}\n`;
    const isTrigger = /CREATE TRIGGER/i.test(statement);
    const ends = isTrigger ? /\bEND;\s*$/i.test(code) : /;\s*$/.test(code);
    if (!ends) continue;
    statements.push(statement);
    statement = '';
  }
  if (statement.trim() !== '') throw new Error(`No statement ends here: ${statement}`);
  return statements;
}
