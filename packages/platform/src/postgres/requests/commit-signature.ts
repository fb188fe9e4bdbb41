import type { SignatureEvent, SignatureId, SignatureRequest } from "@conclave/custody";
import { z } from "zod";
import { type CommitOutcome, commitRows, type RowVersion, rowVersionSchema } from "../commit/commit.ts";
import type { Database } from "../database.ts";
import { signatureWrites } from "./signature-writes.ts";
import { signatures } from "./signatures.ts";

/** A signature request, and the version of its row when it was read. */
export interface VersionedSignature {
  readonly signature: SignatureRequest;
  readonly version: RowVersion;
}

const versionedSchema = z
  .looseObject({ version: rowVersionSchema })
  .transform((row): VersionedSignature => ({ signature: signatures.row.parse(row), version: row.version }));

/** Reads a signature request with its version, to change it. Call it outside transactions. */
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
 * Applies an event to a signature request as it was read, and commits the change with its events and messages
 * (`commitRows`).
 *
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
