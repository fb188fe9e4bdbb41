import type { FamilyContent } from "../authorisation/family-content.ts";
import { fail, type Result } from "../errors.ts";
import type { FamilyTable } from "../families/rules.ts";
import { familyOf, type Network } from "../network.ts";
import type { TransactionBody } from "./transaction-body.ts";

/**
 * Judges what a broadcast asks for on the network of its wallet.
 * @param sender the wallet's address
 * @param publicKey the wallet's, lower-case hex; undefined where the family's bytes have none
 * @returns the transaction as its family writes it, ready to be authorised; TransactionKindNotSupported, or what the
 *   family refuses
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
