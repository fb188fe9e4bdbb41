import type { SignatureEvent, SignatureId, SignatureRequest } from "@conclave/custody";
import { z } from "zod";
import { type CommitOutcome, commitRows, type RowVersion, rowVersionSchema } from "../commit/commit.ts";
import type { Database } from "../database.ts";
import { signatureWrites } from "./signature-writes.ts";
import { signatures } from "./signatures.ts";

/** A request for a signature as it was read, and the version of its row. */
export interface VersionedSignature {
  readonly signature: SignatureRequest;
  readonly version: RowVersion;
}

const versionedSchema = z
  .looseObject({ version: rowVersionSchema })
  .transform((row): VersionedSignature => ({ signature: signatures.row.parse(row), version: row.version }));

/** Reads a request for a signature to be changed at this version. It takes no transaction. */
export const readVersionedSignature = async (
  database: Database,
  id: SignatureId,
): Promise<VersionedSignature | undefined> => {
  const [found] = await database.rows(
    versionedSchema,
    `select ${signatures.list}, xmin::text as version from signatures where id = $1`,
    [id],
  );
  return found;
};

/**
 * Applies an event to a request for a signature as it was read, and commits it with what tells of it (`commitRows`).
 * @throws Outage if the database cannot be reached, and then nothing was written
 */
export const commitSignature = async (
  database: Database,
  { signature, version }: VersionedSignature,
  event: SignatureEvent,
): Promise<CommitOutcome<VersionedSignature>> => {
  const decided = signatureWrites(signature, event);
  if (!decided.ok) return { kind: "refused", problem: decided.problem };
  const { signature: changed, writes } = decided.value;
  const expect = [{ table: "signatures", id: changed.id, version }] as const;
  const written = await commitRows(database, { expect, ...writes });
  if (written.kind !== "committed") return written;
  return { kind: "committed", changed: { signature: changed, version: written.version } };
};
