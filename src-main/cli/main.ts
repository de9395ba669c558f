/** Runs the terminal door with these arguments. Sets the exit code; never throws. */
export async function main(argv: readonly string[]): Promise<void> {
  process.stderr.write(`hyperagent ${argv.join(' ')}: not built yet\n`);
  process.exitCode = 1;
}
