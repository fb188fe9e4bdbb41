import { z } from "zod";
import { bytes, date, optional, safeNumber } from "./columns.ts";
import type { Connection } from "./database.ts";

/** Of each accused signer the newest are kept (017_evidence.sql). */
export const FAULTS_PER_SIGNER_MAX = 32;
/** The newest that a list shows. */
const FAULTS_LISTED_MAX = 128;

/** A proven deviation of a signer, and the signer that reported it (INV-7). */
export interface FaultRecord {
  readonly culprit: number;
  readonly reporter: number;
  readonly sessionId: Uint8Array;
  readonly checkName: string;
  /** of the session, such as "presigning" */
  readonly protocol: string;
  /** absent when the session was not about one key */
  readonly keyId: string | undefined;
  /** evidenceCodec of the threshold package, whole */
  readonly proof: Uint8Array;
  /** ISO 8601 UTC */
  readonly date: string;
}

/** A fault on record. What a version before stored proves nothing to others: it has no proof, and names no protocol. */
export interface StoredFault
  extends Pick<FaultRecord, "culprit" | "reporter" | "sessionId" | "checkName" | "date"> {
  readonly id: number;
  readonly proven: Pick<FaultRecord, "protocol" | "keyId" | "proof"> | undefined;
}

const rowSchema = z
  .object({
    id: safeNumber,
    culprit: z.int(),
    reporter: z.int(),
    session_id: bytes,
    check_name: z.string(),
    proof: optional(bytes),
    protocol: optional(z.string()),
    key_id: optional(z.string()),
    date,
  })
  .transform((row): StoredFault => {
    const { id, culprit, reporter, proof, protocol } = row;
    const proven =
      proof === undefined || protocol === undefined ? undefined : { proof, protocol, keyId: row.key_id };
    return {
      id,
      culprit,
      reporter,
      sessionId: row.session_id,
      checkName: row.check_name,
      date: row.date,
      proven,
    };
  });

const COLUMNS = "id, culprit, reporter, session_id, check_name, proof, protocol, key_id, date";

/**
 * Stores a fault, once for each session, accused and check. The oldest of the same accused beyond FAULTS_PER_SIGNER_MAX go.
 *
 * @returns whether it was new
 */
export const insertFault = async (connection: Connection, fault: FaultRecord): Promise<boolean> => {
  const { culprit, reporter, sessionId, checkName, protocol, keyId, proof } = fault;
  const inserted = await connection.execute(
    `insert into faults (culprit, reporter, session_id, check_name, protocol, key_id, proof, date)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (session_id, culprit, check_name) where proof is not null do nothing`,
    [culprit, reporter, sessionId, checkName, protocol, keyId ?? null, proof, fault.date],
  );
  return inserted === 1;
};

const numberSchema = z.object({ id: safeNumber }).transform(({ id }) => id);

/**
 * Reads the newest faults, newest first, FAULTS_LISTED_MAX at most, one after another: each may have evidence of 20 MiB.
 * @param see is handed each of them; what it gives is kept
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
    const [fault] = await connection.listed(rowSchema, `select ${COLUMNS} from faults where id = $1`, [id]);
    if (fault !== undefined) seen.push(see(fault));
  }
  return seen;
};

export const readFault = async (
  connection: Pick<Connection, "rows">,
  id: number,
): Promise<StoredFault | undefined> => {
  const [found] = await connection.rows(rowSchema, `select ${COLUMNS} from faults where id = $1`, [id]);
  return found;
};
