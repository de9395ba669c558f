import { startFixtureWeb } from './server.ts';

const web = await startFixtureWeb({ firstPort: Number(process.argv[2] ?? 0) });
process.stdout.write(`${JSON.stringify({ searchUrl: web.searchUrl, bases: web.bases })}\n`);
