import { FAMILIES, type NetworkEntry } from "@conclave/chains";
import {
  type AuthorisedSignature,
  authorisedSignatureSchema,
  networkSchema,
  type SignatureRequest,
  signatureBodySchema,
  signatureIdSchema,
  userIdSchema,
} from "@conclave/custody";
import { freshId } from "@conclave/platform";
import { signatureTask } from "../signatures/signature-task.ts";

const DATE = "2026-01-02T03:04:05.678Z";

/** A caller's own bytes, to be signed and not broadcast. */
interface ToSign {
  readonly entry: NetworkEntry;
  readonly scheme: AuthorisedSignature["scheme"];
  readonly publicKey: Uint8Array;
  /** the family's content of the authorisation, without the network */
  readonly content: object;
  /** the request's body, from the caller */
  readonly body: object;
}

/** The orchestrator's task for an authorised signature with a key. */
export const signatureTaskOf = ({ entry, scheme, publicKey, content, body }: ToSign) => {
  const network = networkSchema.parse(entry.network);
  const authorised = authorisedSignatureSchema.parse({
    version: 2,
    kind: "signature",
    requestId: freshId(signatureIdSchema, "sig"),
    orgId: "or-aaaaa-bbbbb-ccccccccccccccc",
    keyId: "key-aaaaa-bbbbb-ccccccccccccccc",
    scheme,
    content: { kind: "readable", family: entry.family, content: { ...content, network } },
    policy: { outcome: "Allowed", policies: [], date: DATE },
    dateRequested: DATE,
    dateAuthorised: DATE,
  });
  const { requestId: id, orgId, keyId, policy: policyDecision } = authorised;
  const request: SignatureRequest = {
    id,
    orgId,
    keyId,
    walletId: undefined,
    network,
    requester: { userId: freshId(userIdSchema, "us") },
    requestBody: signatureBodySchema.parse(body),
    externalId: undefined,
    status: "Executing",
    reason: undefined,
    approvalId: undefined,
    policyDecision,
    authorisation: undefined,
    signature: undefined,
    signedData: undefined,
    dateRequested: DATE,
    datePolicyResolved: DATE,
    dateSigned: undefined,
  };
  const payload = Buffer.from(JSON.stringify(authorised));
  return signatureTask(
    { families: FAMILIES, networks: [entry] },
    request,
    { payload, signature: new Uint8Array(64) },
    { publicKey: Buffer.from(publicKey).toString("hex"), internalKey: undefined },
  );
};
