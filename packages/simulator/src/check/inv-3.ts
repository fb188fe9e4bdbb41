import type { JudgePartial } from "./made-partial.ts";
import type { JudgeAnswer } from "./payload/answered-command.ts";
import type { AskedPayload, AskedPayloads } from "./payload/asked-payloads.ts";

/** The name of what differs; undefined where the transaction is what was authorised. */
const difference = ({ transaction, authorised, keyId }: AskedPayload): string | undefined => {
  if (authorised === undefined) return "no authorised transfer";
  const { to, amount } = authorised.transfer;
  if (authorised.keyId !== keyId) return "another key";
  if (transaction.to?.toLowerCase() !== to.toLowerCase()) return "another recipient";
  if (transaction.amount !== BigInt(amount)) return "another amount";
  return transaction.strange;
};

/**
 * INV-3: a signer signs the digest of a payload that it was given, and the payload is what the authorised request asks for. Both are read
 * by other code than the cluster's.
 */
export const asAuthorised =
  (asked: AskedPayloads): JudgePartial =>
  ({ atMs, signer, keyId, digest }) => {
    const payloads = asked.of(signer, digest).filter((payload) => payload.keyId === keyId);
    const differences = payloads.map(difference);
    if (differences.includes(undefined)) return [];
    const [reason = "a digest of no payload that it was given"] = differences;
    return [{ invariant: "INV-3", words: `signer-${signer} signed ${digest}: ${reason}`, atMs }];
  };

/** INV-3: signatures that a signer reports for a command are of the payload of this command, which is what its authorised request asks for. */
export const signedAsAsked: JudgeAnswer = ({ atMs, signer, asked, digests }) => {
  const others = digests.filter(
    (digest) => digest === undefined || !asked.transaction.digests.includes(digest),
  );
  const reason =
    others.length > 0
      ? `${others.length} of ${digests.length} signatures are of another payload`
      : difference(asked);
  if (reason === undefined) return [];
  return [{ invariant: "INV-3", words: `signer-${signer} answers a command: ${reason}`, atMs }];
};
