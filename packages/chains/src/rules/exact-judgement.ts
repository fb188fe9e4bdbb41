import { type FamilyRules, fail, lowerHex, ok, type Result } from "@conclave/custody";

/** The parts in which families with exact-bytes transactions differ. */
interface ExactTerms {
  /** Validates the wallet's address. */
  parse(text: string, field: string): Result<string>;
  /** the kinds of signature that the family's keys make, named when another is refused */
  readonly signs: readonly string[];
  /** The key as a field, in families whose bytes hold it: clients let the service fill it in. */
  keyOf?(publicKey: string | undefined): { readonly signingPubKey?: string };
}

/**
 * Judges transactions that callers built. The family's decoder judges the bytes; these functions accept any, for the wallet's
 * own account.
 * @returns judgements that refuse every body but a `Transaction` with TransactionKindNotSupported and
 * SignatureKindNotSupported, and a content without a network with InvalidBody
 */
export const exactJudgements = ({
  parse,
  signs,
  keyOf = () => ({}),
}: ExactTerms): Pick<FamilyRules, "judgeTransaction" | "judgeContent"> => ({
  judgeTransaction: (network, body, sender, publicKey) => {
    if (body.kind !== "Transaction") {
      return fail("TransactionKindNotSupported", { field: "kind", network, kinds: ["Transaction"] });
    }
    const from = parse(sender, "from");
    return from.ok
      ? ok({ kind: "Exact", from: from.value, unsigned: lowerHex(body.transaction), ...keyOf(publicKey) })
      : from;
  },
  judgeContent: (network, body, publicKey) => {
    if (body.kind !== "Transaction")
      return fail("SignatureKindNotSupported", { field: "kind", kinds: signs });
    return network === undefined
      ? needsNetwork()
      : ok({
          kind: "transaction",
          network,
          transaction: lowerHex(body.transaction),
          ...keyOf(publicKey),
        });
  },
});

/** Refuses to sign a transaction for which no network is named. */
export const needsNetwork = (): Result<never> => {
  const message = "is needed to sign a transaction with a key";
  return fail("InvalidBody", { issues: [{ path: "network", message }] }, `network ${message}`);
};
