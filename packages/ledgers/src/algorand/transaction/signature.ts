import { ed25519 } from "@noble/curves/ed25519.js";
import { granted, type Ruling, refusedWith } from "../../ruling.ts";
import { type AlgodAddress, keyOfAddress } from "../address.ts";
import { messageToSign } from "./identity.ts";
import type { AlgodSubmission } from "./transaction.ts";

/** The address whose key signed, as the submission claims. */
export const authorizerOf = ({ signer, transaction }: AlgodSubmission): AlgodAddress =>
  signer ?? transaction.sender;

const verifies = (submission: AlgodSubmission, signature: Uint8Array): boolean => {
  const key = keyOfAddress(authorizerOf(submission));
  return ed25519.verify(signature, messageToSign(submission.fields), key, { zip215: false });
};

/**
 * Verifies the one signature of a transaction under the key that it names. The ledger's state decides later whether this
 * key may sign for the sender.
 * @source go-algorand, data/transactions/verify/txn.go: stxnCoreChecks
 */
export const checkSignature = (submission: AlgodSubmission): Ruling<undefined> => {
  const { id, signature, otherSignature, signer, transaction } = submission;
  const invalid = (flaw: string): Ruling<never> => refusedWith(`transaction ${id} invalid : ${flaw}`);
  if (signer === transaction.sender) return invalid("AuthAddr must be different from Sender");
  if (otherSignature !== undefined) {
    return invalid(
      signature === undefined
        ? `this simulated ledger does not check signatures of kind ${otherSignature}`
        : "signedtxn should have only one type of signature",
    );
  }
  if (signature === undefined) return invalid("signedtxn has no sig");
  return verifies(submission, signature)
    ? granted(undefined)
    : refusedWith("At least one signature didn't pass verification");
};
