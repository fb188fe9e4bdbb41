import { z } from "zod";
import { bytes, date, optional, safeNumber } from "./columns.ts";
import type { Connection } from "./database.ts";
import { mappedTable } from "./table/table.ts";

/** Only the newest are kept of each accused signer (017_evidence.sql). */
export const FAULTS_PER_SIGNER_MAX = 32;
/** Length of a list of faults, the newest first. */
const FAULTS_LISTED_MAX = 128;

/** A proven deviation of a signer, and the signer that reported it (INV-7). */
export interface FaultRecord {
  readonly culprit: number;
  readonly reporter: number;
  readonly sessionId: Uint8Array;
  readonly checkName: string;
  /** protocol of the session, such as "presigning" */
  readonly protocol: string;
  /** absent when the session was not about one key */
  readonly keyId: string | undefined;
  /** the complete proof: evidenceCodec of the threshold package */
  readonly proof: Uint8Array;
  /** ISO 8601 UTC */
  readonly date: string;
}

/**
 * A stored fault. A fault that an earlier version stored proves nothing to others: it has no proof, and names no
 * protocol.
 */
export interface StoredFault
  extends Pick<FaultRecord, "culprit" | "reporter" | "sessionId" | "checkName" | "date"> {
  readonly id: number;
  readonly proven: Pick<FaultRecord, "protocol" | "keyId" | "proof"> | undefined;
}

const columns = {
  id: safeNumber,
  culprit: z.int(),
  reporter: z.int(),
  sessionId: bytes,
  checkName: z.string(),
  protocol: optional(z.string()),
  keyId: optional(z.string()),
  proof: optional(bytes),
  date,
};

const storedSchema = z.object(columns).transform(({ proof, protocol, keyId, ...row }): StoredFault => {
  const isProven = proof !== undefined && protocol !== undefined;
  return { ...row, proven: isProven ? { proof, protocol, keyId } : undefined };
});

const faults = mappedTable("faults", columns, { row: storedSchema }, { generated: ["id"] });

/**
 * Stores a fault, once for each session, accused signer and check. Older faults of the same signer beyond
 * FAULTS_PER_SIGNER_MAX are deleted.
 *
 * @returns whether it was new
 */
export const insertFault = (connection: Connection, fault: FaultRecord): Promise<boolean> =>
  faults.insert(
    connection,
    fault,
    "on conflict (session_id, culprit, check_name) where proof is not null do nothing",
  );

const numberSchema = z.object({ id: safeNumber }).transform(({ id }) => id);

/**
 * Reads the newest faults, newest first, at most FAULTS_LISTED_MAX, one at a time, because each may have evidence of 20
 * MiB.
 *
 * @param see is called with each; its results are returned
 */
export const listFaults = async <Seen>(
  connection: Pick<Connection, "rows" | "listed">,
  see: (fault: StoredFault) => Seen,
): Promise<readonly Seen[]> => {
  const numbers = await connection.rows(numberSchema, "select id from faults order by id desc limit $1", [
    FAULTS_LISTED_MAX,
  ]);
  const seen: Seen[] = [];
  for (const id of numbers) {
    const [fault] = await faults.listed(connection, "where id = $1", [id]);
    if (fault !== undefined) seen.push(see(fault));
  }
  return seen;
};

export const readFault = (
  connection: Pick<Connection, "rows">,
  id: number,
): Promise<StoredFault | undefined> => faults.one(connection, { id });
