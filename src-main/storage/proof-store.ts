import { z } from 'zod';
import { ProbeResult } from '#contract/entities.ts';
import type { Connection } from './connection.ts';
import { parseStored } from './stored-json.ts';
import type { ProofStore } from './types.ts';

interface ProofRow {
  readonly fingerprint: string;
  readonly probes: string;
  readonly at: number;
}

export function openProofs(connection: Connection): ProofStore {
  const one = connection.sql<ProofRow>('SELECT * FROM sandbox_proofs WHERE kind = ?');
  const put = connection.sql(
    'REPLACE INTO sandbox_proofs (kind, fingerprint, probes, at) VALUES (?, ?, ?, ?)',
    { exact: true },
  );
  const remove = connection.sql('DELETE FROM sandbox_proofs WHERE kind = ?');
  return {
    get: (kind) => {
      const row = one.get(kind);
      if (row === undefined) return null;
      const probes = parseStored(z.array(ProbeResult), row.probes, `the proof of ${kind}`);
      return { kind, fingerprint: row.fingerprint, probes, at: row.at };
    },
    put: ({ kind, fingerprint, probes, at }) => {
      put.run(kind, fingerprint, JSON.stringify(probes), at);
    },
    delete: (kind) => {
      remove.run(kind);
    },
  };
}
