import {
  type OrganisationId,
  organisationIdSchema,
  type TokenId,
  tokenIdSchema,
  type UserId,
  userIdSchema,
} from "@conclave/custody";
import { z } from "zod";
import { bytes, date, optional } from "../columns.ts";
import type { Connection } from "../database.ts";

/** What a credential signed, in base64url as the client sent it (wire interface, section B.4). */
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
  /** of the first factor */
  readonly assertion: SignedAssertion;
}

/** A request that a user was challenged to sign, and its state. */
export interface UserAction {
  /** uuid */
  readonly id: string;
  readonly orgId: OrganisationId;
  readonly userId: UserId;
  /** the token with which the challenge was requested; the action is not valid with another token, which might allow more */
  readonly tokenId: TokenId | undefined;
  readonly method: string;
  /** without query */
  readonly path: string;
  readonly payloadDigest: Uint8Array;
  readonly challenge: string;
  /** ISO 8601 UTC */
  readonly dateExpires: string;
  readonly dateSigned: string | undefined;
  readonly dateUsed: string | undefined;
  readonly signature: ActionSignature | undefined;
}

const rowSchema = z
  .object({
    id: z.uuid(),
    org_id: organisationIdSchema,
    user_id: userIdSchema,
    method: z.string(),
    path: z.string(),
    payload_digest: bytes,
    challenge: z.string(),
    date_expires: date,
    date_signed: optional(date),
    date_used: optional(date),
    token_id: optional(tokenIdSchema),
    credential_id: optional(z.string()),
    second_credential_id: optional(z.string()),
    assertion: optional(signedAssertionSchema),
  })
  .transform(
    (row): UserAction => ({
      id: row.id,
      orgId: row.org_id,
      userId: row.user_id,
      tokenId: row.token_id,
      method: row.method,
      path: row.path,
      payloadDigest: row.payload_digest,
      challenge: row.challenge,
      dateExpires: row.date_expires,
      dateSigned: row.date_signed,
      dateUsed: row.date_used,
      signature:
        row.credential_id === undefined || row.assertion === undefined
          ? undefined
          : {
              credentialId: row.credential_id,
              secondCredentialId: row.second_credential_id,
              assertion: row.assertion,
            },
    }),
  );

export const insertUserAction = async (connection: Connection, action: UserAction): Promise<void> => {
  await connection.execute(
    `insert into user_actions (id, org_id, user_id, method, path, payload_digest, challenge, date_expires, token_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      action.id,
      action.orgId,
      action.userId,
      action.method,
      action.path,
      action.payloadDigest,
      action.challenge,
      action.dateExpires,
      action.tokenId,
    ],
  );
};

export const readUserAction = async (connection: Connection, id: string): Promise<UserAction | undefined> => {
  const [found] = await connection.rows(rowSchema, "select * from user_actions where id = $1", [id]);
  return found;
};

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
