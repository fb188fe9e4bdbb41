import {
  type KeyExportId,
  keyExportIdSchema,
  keyIdSchema,
  organisationIdSchema,
  type Problem,
  requesterSchema,
} from "@conclave/custody";
import { z } from "zod";
import { bytes, date, optional } from "../columns.ts";
import type { Connection } from "../database.ts";
import { problemSchema } from "../problem-column.ts";
import { mappedTable } from "../table/table.ts";

/** The shares that signers encrypted for the client, as the answer contains them. */
const sealedSchema = z.array(z.object({ signerId: z.string(), encryptedKeyShare: z.string() }));
export type SealedShares = Readonly<z.infer<typeof sealedSchema>>;

const columns = {
  id: keyExportIdSchema,
  orgId: organisationIdSchema,
  keyId: keyIdSchema,
  requester: requesterSchema,
  authorisation: bytes,
  authorisationSignature: bytes,
  status: z.enum(["Pending", "Done", "Failed"]),
  shares: optional(sealedSchema),
  publicKey: optional(z.string()),
  problem: optional(problemSchema),
  dateRequested: date,
};

const rowSchema = z
  .object(columns)
  .transform(({ authorisation: payload, authorisationSignature: signature, ...row }) => ({
    ...row,
    authorisation: { payload, signature },
  }));

/** A request to export a key, and its outcome. Its date is ISO 8601 UTC. */
export type KeyExport = Readonly<z.output<typeof rowSchema>>;
export type AskedKeyExport = Omit<KeyExport, "status" | "shares" | "publicKey" | "problem">;

const keyExports = mappedTable("key_exports", columns, {
  row: rowSchema,
  derived: ({ authorisation }: AskedKeyExport) => ({
    authorisation: authorisation.payload,
    authorisationSignature: authorisation.signature,
    status: "Pending" as const,
    shares: undefined,
    publicKey: undefined,
    problem: undefined,
  }),
});

export const insertKeyExport = async (connection: Connection, asked: AskedKeyExport): Promise<void> => {
  await keyExports.insert(connection, asked);
};

export const readKeyExport = (
  connection: Pick<Connection, "rows">,
  id: KeyExportId,
): Promise<KeyExport | undefined> => keyExports.one(connection, { id });

/** The outcome of an export. */
export type KeyExportOutcome =
  | {
      readonly kind: "Done";
      readonly shares: SealedShares;
      /** the point of which these are shares, lower-case hex */
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

/** Deletes the encrypted shares once the client has received them. The record stays. */
export const forgetSealedShares = async (connection: Connection, id: KeyExportId): Promise<void> => {
  await connection.execute("update key_exports set shares = null where id = $1", [id]);
};
