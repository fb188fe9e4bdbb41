import { type ReadableNetwork, readContent } from "@conclave/chains";
import {
  fail,
  type JudgedSignature,
  judgeSignature,
  type Result,
  type SignatureBody,
  type SignatureSubject,
} from "@conclave/custody";

/**
 * Judges what is asked for, and reads it as the signers will: what they would refuse is refused here already (INV-9).
 * @param networks those that this cluster serves
 * @returns what `judgeSignature` refuses; TypedDataInvalid, TransactionUnreadable, NetworkNotEnabled, FeeAboveCap, or
 *   InvalidBody for a transaction that is signed already, for another chain, or of a type that is not signed
 */
export const judgeBody = (
  networks: readonly ReadableNetwork[],
  subject: SignatureSubject,
  body: SignatureBody,
): Result<JudgedSignature> => {
  const judged = judgeSignature(subject, body);
  if (!judged.ok || judged.value.scheme !== "ECDSA" || judged.value.content.kind === "hash") return judged;
  const read = readContent(networks, judged.value.content);
  if (read.ok) return judged;
  const { code, message, details } = read.problem;
  return code === "TransactionMismatch"
    ? fail("InvalidBody", { ...details, issues: [{ path: "transaction", message }] }, message)
    : read;
};
