import { signingReader } from "@conclave/chains";
import {
  fail,
  judgeSignature,
  ok,
  type Result,
  type SignatureBody,
  type SignatureSubject,
} from "@conclave/custody";
import type { Dependencies } from "../dependencies.ts";
import type { JudgedBody } from "../policy/signing-activity.ts";

/**
 * Judges what is asked for, and reads it as the signers will: what they would refuse is refused here already (INV-9).
 * @returns what `judgeSignature` refuses; TypedDataInvalid, TransactionUnreadable, NetworkNotEnabled, FeeAboveCap, or
 *   InvalidBody for a transaction that is signed already, for another chain, or of a type that is not signed
 */
export const judgeBody = (
  { families, chains }: Pick<Dependencies, "families" | "chains">,
  subject: SignatureSubject,
  body: SignatureBody,
): Result<JudgedBody> => {
  const judged = judgeSignature(families, subject, body);
  if (!judged.ok) return judged;
  const reader = signingReader(
    families,
    [...chains.values()].map(({ network }) => network),
  );
  if ("message" in judged.value) {
    const { scheme, message } = judged.value;
    const unread =
      scheme === "FROST-Ed25519" ? reader.judgeMessage(Buffer.from(message, "hex")) : ok(undefined);
    return unread.ok ? ok({ judged: judged.value, reading: undefined }) : unread;
  }
  if (judged.value.content.kind === "hash") return ok({ judged: judged.value, reading: undefined });
  const read = reader.readContent(judged.value.content);
  if (read.ok) return ok({ judged: judged.value, reading: read.value });
  const { code, message, details } = read.problem;
  return code === "TransactionMismatch"
    ? fail("InvalidBody", { ...details, issues: [{ path: "transaction", message }] }, message)
    : read;
};
