import { z } from "zod";
import { requesterViewSchema } from "../requester.ts";
import { SIGNATURE_STATUSES, type SignatureRequest } from "./signature.ts";
import { signatureBodySchema } from "./signature-body.ts";

const valueSchema = z.object({
  r: z.string(),
  s: z.string(),
  recid: z.int().optional(),
  encoded: z.string().describe("r and s, and on EVM chains v (1b or 1c), in one"),
});

/** The Signature in API responses (wire interface, section G). */
export const signatureViewSchema = z.object({
  id: z.string(),
  keyId: z.string(),
  walletId: z.string().optional(),
  network: z.string().optional(),
  requester: requesterViewSchema,
  requestBody: signatureBodySchema,
  status: z.enum(SIGNATURE_STATUSES),
  reason: z.string().optional(),
  signature: valueSchema.optional(),
  /** all signatures of the request: exactly one, for the supported kinds */
  signatures: z.array(valueSchema).max(1).readonly().optional(),
  signedData: z.string().optional().describe("Of a transaction: the whole of it, signed"),
  externalId: z.string().optional(),
  approvalId: z.string().optional(),
  dateRequested: z.string(),
  datePolicyResolved: z.string().optional(),
  dateSigned: z.string().optional(),
});
export type SignatureView = z.infer<typeof signatureViewSchema>;

/** Shows a request for a signature; fields without a value are left out. */
export const signatureView = (request: SignatureRequest): SignatureView => {
  const { signature, walletId, network, reason, signedData, externalId, approvalId } = request;
  const { datePolicyResolved, dateSigned } = request;
  return {
    id: request.id,
    keyId: request.keyId,
    ...(walletId === undefined ? {} : { walletId }),
    ...(network === undefined ? {} : { network }),
    requester: request.requester,
    requestBody: request.requestBody,
    status: request.status,
    ...(reason === undefined ? {} : { reason }),
    ...(signature === undefined ? {} : { signature, signatures: [signature] }),
    ...(signedData === undefined ? {} : { signedData }),
    ...(externalId === undefined ? {} : { externalId }),
    ...(approvalId === undefined ? {} : { approvalId }),
    dateRequested: request.dateRequested,
    ...(datePolicyResolved === undefined ? {} : { datePolicyResolved }),
    ...(dateSigned === undefined ? {} : { dateSigned }),
  };
};
