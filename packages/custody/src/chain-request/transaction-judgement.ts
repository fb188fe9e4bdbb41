import type { FamilyContent } from "../authorisation/family-content.ts";
import { fail, type Result } from "../errors.ts";
import type { FamilyTable } from "../families/rules.ts";
import { familyOf, type Network } from "../network.ts";
import type { TransactionBody } from "./transaction-body.ts";

/**
 * Judges the body of a transaction on the network of its wallet.
 * @param sender the wallet's address
 * @param publicKey the wallet's, lower-case hex; undefined where the family's bytes do not hold it
 * @returns the transaction as its family encodes it, ready to be authorised; TransactionKindNotSupported, or
 * a refusal of the family
 */
export const judgeTransaction = (
  families: FamilyTable,
  network: Network,
  body: TransactionBody,
  sender: string,
  publicKey?: string,
): Result<FamilyContent> =>
  families.find(familyOf(network))?.judgeTransaction(network, body, sender, publicKey) ??
  fail("TransactionKindNotSupported", { field: "kind", network });
