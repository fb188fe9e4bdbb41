import type { Connection } from "./database.ts";

/** A proven deviation of a signer, and the signer that reported it (INV-7). */
interface FaultRecord {
  readonly culprit: number;
  readonly reporter: number;
  readonly sessionId: Uint8Array;
  readonly checkName: string;
  /** canonical bytes of the signed messages, in hex */
  readonly evidence: readonly string[];
  /** ISO 8601 UTC */
  readonly date: string;
}

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
