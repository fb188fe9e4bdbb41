import type { Requester } from "../requester.ts";
import type { SignatureRequest, SignatureStatus, SignatureValue } from "./signature.ts";
import type { SignatureBody } from "./signature-body.ts";

/** The Signature that the API answers (wire interface, section G). */
export interface SignatureView {
  readonly id: string;
  readonly keyId: string;
  readonly walletId?: string;
  readonly network?: string;
  readonly requester: Requester;
  readonly requestBody: SignatureBody;
  readonly status: SignatureStatus;
  readonly reason?: string;
  readonly signature?: SignatureValue;
  /** of everything that was signed: one, for these kinds */
  readonly signatures?: readonly SignatureValue[];
  readonly signedData?: string;
  readonly externalId?: string;
  readonly approvalId?: string;
  readonly dateRequested: string;
  readonly datePolicyResolved?: string;
  readonly dateSigned?: string;
}

/** Shows a request for a signature; unknown fields are left out. */
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
