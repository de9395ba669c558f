/**
 * Preloaded by npm scripts (`node -r`), because an unsupported Node cannot even read the TypeScript that
 * follows. Ends with one line that says what to install. Must run on every Node.
 */
const { engines } = require('../package.json');

const oldest = engines.node.replace('>=', '');

function isOlder(version, than) {
  const [major, minor] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = than.split('.').map(Number);
  return major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
}

if (isOlder(process.versions.node, oldest)) {
  process.stderr.write(
    `HyperAgent needs Node ${oldest} or later, but this is ${process.versions.node}. Install Node 24 from https://nodejs.org, or run "npm ci" in the app folder, which brings one.\n`,
  );
  process.exit(1);
}
