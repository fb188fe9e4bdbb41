import {
  type KeyId,
  keyIdSchema,
  type Network,
  networkSchema,
  type OrganisationId,
  organisationIdSchema,
  policyDecisionSchema,
  requesterSchema,
  SIGNATURE_STATUSES,
  type SignatureId,
  type SignatureRequest,
  type SignedAuthorisation,
  signatureBodySchema,
  signatureIdSchema,
  signatureValueSchema,
  type WalletId,
  walletIdSchema,
} from "@conclave/custody";
import { z } from "zod";
import { bytes, date, optional } from "../columns.ts";
import type { Connection, Listed } from "../database.ts";
import type { Page } from "../page.ts";

const columns = z.object({
  id: signatureIdSchema,
  org_id: organisationIdSchema,
  key_id: keyIdSchema,
  wallet_id: optional(walletIdSchema),
  network: optional(networkSchema),
  requester: requesterSchema,
  request_body: signatureBodySchema,
  external_id: optional(z.string()),
  status: z.enum(SIGNATURE_STATUSES),
  reason: optional(z.string()),
  approval_id: optional(z.string()),
  policy_decision: optional(policyDecisionSchema),
  authorisation: optional(bytes),
  authorisation_signature: optional(bytes),
  signature: optional(signatureValueSchema),
  signed_data: optional(z.string()),
  date_requested: date,
  date_policy_resolved: optional(date),
  date_signed: optional(date),
});

const authorisationOf = (
  payload: Uint8Array | undefined,
  signature: Uint8Array | undefined,
): SignedAuthorisation | undefined =>
  payload === undefined || signature === undefined ? undefined : { payload, signature };

export const signatureRowSchema = columns.transform(
  (row): SignatureRequest => ({
    id: row.id,
    orgId: row.org_id,
    keyId: row.key_id,
    walletId: row.wallet_id,
    network: row.network,
    requester: row.requester,
    requestBody: row.request_body,
    externalId: row.external_id,
    status: row.status,
    reason: row.reason,
    approvalId: row.approval_id,
    policyDecision: row.policy_decision,
    authorisation: authorisationOf(row.authorisation, row.authorisation_signature),
    signature: row.signature,
    signedData: row.signed_data,
    dateRequested: row.date_requested,
    datePolicyResolved: row.date_policy_resolved,
    dateSigned: row.date_signed,
  }),
);

const json = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));

/**
 * Inserts an accepted request.
 * @returns false, and changes nothing, if the organisation has used the request's externalId before
 */
export const insertSignature = async (
  connection: Connection,
  signature: SignatureRequest,
): Promise<boolean> => {
  const inserted = await connection.execute(
    `insert into signatures (id, org_id, key_id, wallet_id, network, requester, request_body, external_id, status,
       reason, approval_id, policy_decision, authorisation, authorisation_signature, date_requested,
       date_policy_resolved)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
     on conflict (org_id, external_id) do nothing`,
    [
      signature.id,
      signature.orgId,
      signature.keyId,
      signature.walletId,
      signature.network,
      JSON.stringify(signature.requester),
      JSON.stringify(signature.requestBody),
      signature.externalId,
      signature.status,
      signature.reason,
      signature.approvalId,
      json(signature.policyDecision),
      signature.authorisation?.payload,
      signature.authorisation?.signature,
      signature.dateRequested,
      signature.datePolicyResolved,
    ],
  );
  return inserted === 1;
};

/** Writes the columns of a request that can change, from `changedSignatureValues`: $1 to $11. */
export const UPDATE_SIGNATURE = `update signatures set status = $2, reason = $3, approval_id = $4, policy_decision = $5,
    authorisation = $6, authorisation_signature = $7, signature = $8, signed_data = $9, date_policy_resolved = $10,
    date_signed = $11
  where id = $1`;

export const changedSignatureValues = (signature: SignatureRequest): readonly unknown[] => [
  signature.id,
  signature.status,
  signature.reason,
  signature.approvalId,
  json(signature.policyDecision),
  signature.authorisation?.payload,
  signature.authorisation?.signature,
  json(signature.signature),
  signature.signedData,
  signature.datePolicyResolved,
  signature.dateSigned,
];

/** Writes the columns of a request that can change. */
export const updateSignature = async (connection: Connection, signature: SignatureRequest): Promise<void> => {
  const updated = await connection.execute(UPDATE_SIGNATURE, changedSignatureValues(signature));
  if (updated !== 1) throw new Error(`${signature.id} is not there to be updated`);
};

export const readSignature = async (
  connection: Pick<Connection, "rows">,
  id: SignatureId,
): Promise<SignatureRequest | undefined> => {
  const [found] = await connection.rows(signatureRowSchema, "select * from signatures where id = $1", [id]);
  return found;
};

const standingSchema = z
  .object({ status: z.enum(SIGNATURE_STATUSES), is_authorised: z.boolean() })
  .transform(({ status, is_authorised: isAuthorised }) => ({ status, isAuthorised }));

/** How far a request is. */
export type SignatureStanding = z.output<typeof standingSchema>;

/** Reads how far a request is, without what it signs: that can be long. */
export const readSignatureStanding = async (
  connection: Pick<Connection, "rows">,
  id: SignatureId,
): Promise<SignatureStanding | undefined> => {
  const [found] = await connection.rows(
    standingSchema,
    "select status, authorisation is not null as is_authorised from signatures where id = $1",
    [id],
  );
  return found;
};

/** Reads a request and locks its row until the transaction ends. */
export const lockSignature = async (
  connection: Connection,
  id: SignatureId,
): Promise<SignatureRequest | undefined> => {
  const [found] = await connection.rows(
    signatureRowSchema,
    "select * from signatures where id = $1 for update",
    [id],
  );
  return found;
};

/** Reads the request that an organisation made with this externalId. */
export const readSignatureByExternalId = async (
  connection: Pick<Connection, "rows">,
  orgId: OrganisationId,
  externalId: string,
): Promise<SignatureRequest | undefined> => {
  const [found] = await connection.rows(
    signatureRowSchema,
    "select * from signatures where org_id = $1 and external_id = $2",
    [orgId, externalId],
  );
  return found;
};

/** Whether a key was ever authorised to sign 32 bytes as they are, of which nobody can tell what they stand for. */
export const hasSignedDigest = async (
  connection: Pick<Connection, "rows">,
  keyId: KeyId,
): Promise<boolean> => {
  const [row] = await connection.rows(
    z.object({ found: z.boolean() }),
    `select exists (
       select from signatures where key_id = $1 and authorisation is not null
         and (request_body ->> 'kind' = 'Hash'
           or request_body ->> 'kind' = 'Message' and request_body ->> 'message' ~ '^(0x)?[0-9a-fA-F]{64}$')
     ) as found`,
    [keyId],
  );
  return row?.found === true;
};

/** The networks for which a key was ever authorised to sign and not send. */
export const networksSignedFor = (
  connection: Pick<Connection, "rows">,
  keyId: KeyId,
): Promise<readonly Network[]> =>
  connection.rows(
    z.object({ network: networkSchema }).transform(({ network }) => network),
    // from one network to the next in the index, however many signatures there are of each
    `with recursive signed (network) as (
       (select network from signatures where key_id = $1 and authorisation is not null and network is not null
        order by network limit 1)
       union all
       select (select s.network from signatures s
               where s.key_id = $1 and s.authorisation is not null and s.network is not null and s.network > signed.network
               order by s.network limit 1)
       from signed where signed.network is not null)
     select network from signed where network is not null`,
    [keyId],
  );

/** Selects the signatures of a wallet, or all signatures of a key, including those of its wallets. */
export type SignatureOwner = { readonly walletId: WalletId } | { readonly keyId: KeyId };

/** Lists the signatures of a wallet or key, newest first. */
export const listSignatures = (
  connection: Pick<Connection, "listed">,
  owner: SignatureOwner,
  page: Page,
): Promise<Listed<SignatureRequest>> => {
  const [column, id] =
    "walletId" in owner ? (["wallet_id", owner.walletId] as const) : (["key_id", owner.keyId] as const);
  return connection.listed(
    signatureRowSchema,
    `select * from signatures
     where ${column} = $1 and ($2::timestamptz is null or (date_requested, id) < ($2, $3))
     order by date_requested desc, id desc limit $4`,
    [id, page.after?.date ?? null, page.after?.id ?? null, page.limit],
  );
};
