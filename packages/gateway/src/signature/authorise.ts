import type {
  AuthorisedMessage,
  AuthorisedSignature,
  JudgedSignature,
  PolicyDecision,
  SignatureRequest,
} from "@conclave/custody";

type Facts = Pick<SignatureRequest, "id" | "orgId" | "keyId" | "walletId" | "dateRequested">;

/** The authority's statement on a request: the whole content to sign (INV-3), and the decision (INV-8). */
export const authorisedSignatureOf = (
  { id, orgId, keyId, walletId, dateRequested }: Facts,
  judged: JudgedSignature,
  policy: PolicyDecision,
): AuthorisedSignature | AuthorisedMessage => {
  const common = { requestId: id, orgId, keyId, policy, dateRequested } as const;
  if ("message" in judged) {
    return { ...common, version: 1, kind: "message", ...judged };
  }
  const { scheme, content } = judged;
  return {
    ...common,
    version: 2,
    kind: "signature",
    scheme,
    content,
    ...(walletId === undefined ? {} : { walletId }),
  };
};
