import { z } from "zod";
import { bytes, date } from "./columns.ts";
import type { Connection } from "./database.ts";

/** A signer that was proved to deviate, and who showed it (INV-7). */
export interface FaultRecord {
  readonly culprit: number;
  readonly reporter: number;
  readonly sessionId: Uint8Array;
  readonly checkName: string;
  /** canonical bytes of the signed messages, in hex */
  readonly evidence: readonly string[];
  /** ISO 8601 UTC */
  readonly date: string;
}

const rowSchema = z
  .object({
    culprit: z.int(),
    reporter: z.int(),
    session_id: bytes,
    check_name: z.string(),
    evidence: z.array(z.string()),
    date,
  })
  .transform(
    (row): FaultRecord => ({
      culprit: row.culprit,
      reporter: row.reporter,
      sessionId: row.session_id,
      checkName: row.check_name,
      evidence: row.evidence,
      date: row.date,
    }),
  );

export const insertFault = async (connection: Connection, fault: FaultRecord): Promise<void> => {
  await connection.execute(
    `insert into faults (culprit, reporter, session_id, check_name, evidence, date)
     values ($1, $2, $3, $4, $5, $6)`,
    [
      fault.culprit,
      fault.reporter,
      fault.sessionId,
      fault.checkName,
      JSON.stringify(fault.evidence),
      fault.date,
    ],
  );
};

/** The newest faults first. */
export const listFaults = (connection: Connection, limit: number): Promise<readonly FaultRecord[]> =>
  connection.rows(rowSchema, "select * from faults order by id desc limit $1", [limit]);
