import { judgeSigner, signingReader } from "@conclave/chains";
import {
  fail,
  type JudgedSignature,
  judgeSignature,
  type Network,
  type Problem,
  type Result,
  type SignatureBody,
} from "@conclave/custody";
import { callersMistake } from "../chain-request/callers-mistake.ts";
import type { ReadableChains, ReadableSubject } from "../reading/readable.ts";
import { judgeUnreadable } from "./judge-unreadable.ts";

/**
 * Judges the requested content, reading it as the signers will: content that they would refuse is refused here already
 * (INV-9).
 * @param networks of all wallets of the key: content that one of their chains may accept as consent is not signed as a
 * message
 * @returns the refusals of `judgeSignature`; TypedDataInvalid, TransactionUnreadable, NetworkNotEnabled, FeeAboveCap,
 * or InvalidBody for a transaction that is signed already, for another chain, of an unsupported type, or of an account
 * for which the key cannot sign
 */
export const judgeBody = (
  { families, chains }: ReadableChains,
  subject: ReadableSubject,
  body: SignatureBody,
  networks: readonly Network[],
): Result<JudgedSignature> => {
  const judged = judgeSignature(families, subject, body);
  if (!judged.ok) return judged;
  const reader = signingReader(
    families,
    [...chains.values()].map(({ network }) => network),
  );
  if ("message" in judged.value) {
    const { scheme, message } = judged.value;
    if (scheme !== "FROST-Ed25519") return judged;
    const bytes = Buffer.from(message, "hex");
    const unread = reader.judgeMessage(bytes);
    if (!unread.ok) return unread;
    const consent = judgeUnreadable(families, networks, bytes);
    return consent.ok ? judged : consent;
  }
  if (judged.value.content.kind === "hash") return judged;
  const read = reader.readContent(judged.value.content);
  if (!read.ok) return refused(read.problem);
  const signer = judgeSigner(families, read.value, Buffer.from(subject.publicKey, "hex"));
  return signer.ok ? judged : refused(signer.problem);
};

const refused = (refusal: Problem): Result<never> => {
  const { code, details } = refusal;
  const message = callersMistake(refusal);
  return code === "TransactionMismatch"
    ? fail("InvalidBody", { ...details, issues: [{ path: "transaction", message }] }, message)
    : { ok: false, problem: refusal };
};
