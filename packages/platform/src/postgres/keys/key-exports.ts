import {
  type KeyExportId,
  type KeyId,
  keyExportIdSchema,
  keyIdSchema,
  type OrganisationId,
  type Problem,
  type Requester,
  type SignedAuthorisation,
} from "@conclave/custody";
import { z } from "zod";
import { bytes, optional } from "../columns.ts";
import type { Connection } from "../database.ts";
import { problemSchema } from "../problem-column.ts";

/** The shares that signers encrypted for the client, as the answer contains them. */
const sealedSchema = z.array(z.object({ signerId: z.string(), encryptedKeyShare: z.string() }));
export type SealedShares = Readonly<z.infer<typeof sealedSchema>>;

const rowSchema = z
  .object({
    id: keyExportIdSchema,
    key_id: keyIdSchema,
    authorisation: bytes,
    authorisation_signature: bytes,
    status: z.enum(["Pending", "Done", "Failed"]),
    shares: optional(sealedSchema),
    public_key: optional(z.string()),
    problem: optional(problemSchema),
  })
  .transform((row) => ({
    id: row.id,
    keyId: row.key_id,
    authorisation: { payload: row.authorisation, signature: row.authorisation_signature },
    status: row.status,
    shares: row.shares,
    publicKey: row.public_key,
    problem: row.problem,
  }));

/** A request to export a key, and its outcome. */
export type KeyExport = z.infer<typeof rowSchema>;

export interface AskedKeyExport {
  readonly id: KeyExportId;
  readonly orgId: OrganisationId;
  readonly keyId: KeyId;
  readonly requester: Requester;
  readonly authorisation: SignedAuthorisation;
  /** ISO 8601 UTC */
  readonly dateRequested: string;
}

export const insertKeyExport = async (connection: Connection, asked: AskedKeyExport): Promise<void> => {
  await connection.execute(
    `insert into key_exports (id, org_id, key_id, requester, authorisation, authorisation_signature, status,
       date_requested)
     values ($1, $2, $3, $4, $5, $6, 'Pending', $7)`,
    [
      asked.id,
      asked.orgId,
      asked.keyId,
      JSON.stringify(asked.requester),
      asked.authorisation.payload,
      asked.authorisation.signature,
      asked.dateRequested,
    ],
  );
};

export const readKeyExport = async (
  connection: Pick<Connection, "rows">,
  id: KeyExportId,
): Promise<KeyExport | undefined> => {
  const [found] = await connection.rows(rowSchema, "select * from key_exports where id = $1", [id]);
  return found;
};

/** The outcome of an export. */
export type KeyExportOutcome =
  | {
      readonly kind: "Done";
      readonly shares: SealedShares;
      /** the point that the shares are of, lower-case hex */
      readonly publicKey: string;
    }
  | { readonly kind: "Failed"; readonly problem: Problem };

/** Settles a pending export. @returns whether it was pending */
export const settleKeyExport = async (
  connection: Connection,
  id: KeyExportId,
  outcome: KeyExportOutcome,
): Promise<boolean> => {
  const settled = await connection.execute(
    `update key_exports set status = $2, shares = $3, public_key = $4, problem = $5
     where id = $1 and status = 'Pending'`,
    [
      id,
      outcome.kind,
      outcome.kind === "Done" ? JSON.stringify(outcome.shares) : undefined,
      outcome.kind === "Done" ? outcome.publicKey : undefined,
      outcome.kind === "Failed" ? JSON.stringify(outcome.problem) : undefined,
    ],
  );
  return settled === 1;
};

/** Deletes the encrypted shares, which the client has got. The record stays. */
export const forgetSealedShares = async (connection: Connection, id: KeyExportId): Promise<void> => {
  await connection.execute("update key_exports set shares = null where id = $1", [id]);
};
