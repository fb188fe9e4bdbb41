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
import { withAuthorisation } from "../table/authorisation.ts";
import { mappedTable } from "../table/table.ts";

const columns = {
  id: signatureIdSchema,
  orgId: organisationIdSchema,
  keyId: keyIdSchema,
  walletId: optional(walletIdSchema),
  network: optional(networkSchema),
  requester: requesterSchema,
  requestBody: signatureBodySchema,
  externalId: optional(z.string()),
  status: z.enum(SIGNATURE_STATUSES),
  reason: optional(z.string()),
  approvalId: optional(z.string()),
  policyDecision: optional(policyDecisionSchema),
  authorisation: optional(bytes),
  authorisationSignature: optional(bytes),
  signature: optional(signatureValueSchema),
  signedData: optional(z.string()),
  dateRequested: date,
  datePolicyResolved: optional(date),
  dateSigned: optional(date),
};

export const signatures = mappedTable(
  "signatures",
  columns,
  {
    row: z.object(columns).transform((row): SignatureRequest => withAuthorisation(row)),
    derived: ({ authorisation }: SignatureRequest) => ({
      authorisation: authorisation?.payload,
      authorisationSignature: authorisation?.signature,
    }),
  },
  {
    changing: [
      "status",
      "reason",
      "approvalId",
      "policyDecision",
      "authorisation",
      "authorisationSignature",
      "signature",
      "signedData",
      "datePolicyResolved",
      "dateSigned",
    ],
    pagedBy: "dateRequested",
  },
);

/**
 * Inserts an accepted request.
 * @returns false, and changes nothing, if the organisation has used the request's externalId before
 */
export const insertSignature = (connection: Connection, signature: SignatureRequest): Promise<boolean> =>
  signatures.insert(connection, signature, "on conflict (org_id, external_id) do nothing");

export const readSignature = (
  connection: Pick<Connection, "rows">,
  id: SignatureId,
): Promise<SignatureRequest | undefined> => signatures.one(connection, { id });

const standing = z.object({ status: columns.status, isAuthorised: z.boolean() });

/** The status of a request, and whether it is authorised. */
export type SignatureStanding = Readonly<z.output<typeof standing>>;

/** Reads the status of a request without its content, which can be long. */
export const readSignatureStanding = async (
  connection: Pick<Connection, "rows">,
  id: SignatureId,
): Promise<SignatureStanding | undefined> => {
  const [found] = await connection.rows(
    standing,
    `select status, authorisation is not null as "isAuthorised" from signatures where id = $1`,
    [id],
  );
  return found;
};

/** Reads a request and locks its row until the transaction ends. */
export const lockSignature = (
  connection: Connection,
  id: SignatureId,
): Promise<SignatureRequest | undefined> => signatures.one(connection, { id }, "for update");

/** Reads the request that an organisation made with this externalId. */
export const readSignatureByExternalId = (
  connection: Pick<Connection, "rows">,
  orgId: OrganisationId,
  externalId: string,
): Promise<SignatureRequest | undefined> => signatures.one(connection, { orgId, externalId });

/** Whether a key was ever authorised to sign a raw 32-byte digest, whose meaning nobody can tell. */
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

/** The networks for which a key was ever authorised to sign transactions that the service does not send. */
export const networksSignedFor = (
  connection: Pick<Connection, "rows">,
  keyId: KeyId,
): Promise<readonly Network[]> =>
  connection.rows(
    z.object({ network: networkSchema }).transform(({ network }) => network),
    // jumps from one network to the next in the index, whatever number of signatures each has
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
  return signatures.page(connection, `${column} = $1`, [id], page);
};
