import { organisationIdSchema, tokenIdSchema, userIdSchema } from "@conclave/custody";
import { z } from "zod";
import { bytes, date, optional } from "../columns.ts";
import type { Connection } from "../database.ts";
import type { RowOf } from "../table/selection.ts";
import { mappedTable } from "../table/table.ts";

/** The data that a credential signed, and the signature, in base64url as the client sent it (wire interface, section B.4). */
export const signedAssertionSchema = z.strictObject({
  clientData: z.string(),
  signature: z.string(),
  /** of a Fido2 authenticator */
  authenticatorData: z.string().optional(),
});
export type SignedAssertion = Readonly<z.infer<typeof signedAssertionSchema>>;

/** The signature of an action. */
export interface ActionSignature {
  /** credId of the first factor, and of the second if there was one */
  readonly credentialId: string;
  readonly secondCredentialId: string | undefined;
  /** by the first factor */
  readonly assertion: SignedAssertion;
}

const columns = {
  id: z.uuid(),
  orgId: organisationIdSchema,
  userId: userIdSchema,
  /** the token with which the challenge was requested; another token, which might allow more, cannot use the action */
  tokenId: optional(tokenIdSchema),
  method: z.string(),
  /** without query */
  path: z.string(),
  payloadDigest: bytes,
  challenge: z.string(),
  /** ISO 8601 UTC */
  dateExpires: date,
  dateSigned: optional(date),
  dateUsed: optional(date),
  credentialId: optional(z.string()),
  secondCredentialId: optional(z.string()),
  assertion: optional(signedAssertionSchema),
};

const rowSchema = z
  .object(columns)
  .transform(({ credentialId, secondCredentialId, assertion, ...asked }): UserAction => {
    const isSigned = credentialId !== undefined && assertion !== undefined;
    return { ...asked, signature: isSigned ? { credentialId, secondCredentialId, assertion } : undefined };
  });

/** A request that a user was challenged to sign, and its state. */
export type UserAction = Omit<RowOf<typeof columns>, "credentialId" | "secondCredentialId" | "assertion"> & {
  readonly signature: ActionSignature | undefined;
};

export const userActions = mappedTable("user_actions", columns, {
  row: rowSchema,
  derived: ({ signature }: UserAction) => ({
    credentialId: signature?.credentialId,
    secondCredentialId: signature?.secondCredentialId,
    assertion: signature?.assertion,
  }),
});

export const insertUserAction = async (connection: Connection, action: UserAction): Promise<void> => {
  await userActions.insert(connection, action);
};

export const readUserAction = (connection: Connection, id: string): Promise<UserAction | undefined> =>
  userActions.one(connection, { id });

/** Stores the signature of an action. @returns false if it was signed before, because one challenge gives one token */
export const markUserActionSigned = async (
  connection: Connection,
  id: string,
  { credentialId, secondCredentialId, assertion }: ActionSignature,
): Promise<boolean> =>
  (await connection.execute(
    `update user_actions set date_signed = now(), credential_id = $2, second_credential_id = $3, assertion = $4
     where id = $1 and date_signed is null`,
    [id, credentialId, secondCredentialId, JSON.stringify(assertion)],
  )) === 1;

/** Consumes a signed action. @returns false if it was used before, also by a simultaneous request */
export const useUserAction = async (connection: Connection, id: string): Promise<boolean> =>
  (await connection.execute(
    "update user_actions set date_used = now() where id = $1 and date_signed is not null and date_used is null",
    [id],
  )) === 1;
