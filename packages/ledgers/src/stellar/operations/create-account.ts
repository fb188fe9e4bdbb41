import { accountEntry, type HorizonBooks, withAccountEntry } from "../books.ts";
import { newHorizonAccount } from "../genesis.ts";
import type { HorizonActOf } from "../xdr/operation.ts";
import type { HorizonInnerResult } from "../xdr/result.ts";
import { reserveOf, spendable } from "./reserve.ts";
import { actedOn, actFailed, actRefused, type HorizonActed, type HorizonPlace } from "./ruling.ts";

type CreationCode = Extract<HorizonInnerResult, { readonly type: "createAccount" }>["value"]["type"];

const coded = (type: CreationCode): HorizonInnerResult => ({
  type: "createAccount",
  value: { type, value: undefined },
});

/**
 * The first sequence number of an account contains the ledger of its creation, so that a recreated account never reuses a
 * number.
 */
export const firstSequence = (ledger: number): bigint => BigInt(ledger) << 32n;

export const checkCreation = (
  { destination, startingBalance }: HorizonActOf<"createAccount">,
  { source }: HorizonPlace,
): HorizonInnerResult =>
  coded(startingBalance < 0n || destination === source ? "op_malformed" : "op_success");

/** @source stellar-core, CreateAccountOpFrame.cpp */
export const applyCreation = (
  books: HorizonBooks,
  { destination, startingBalance }: HorizonActOf<"createAccount">,
  { source, baseReserve }: HorizonPlace,
): HorizonActed => {
  if (accountEntry(books, destination) !== undefined) return actFailed(coded("op_already_exists"));
  if (startingBalance < reserveOf({ subentries: 0 }, baseReserve)) return actFailed(coded("op_low_reserve"));
  const payer = accountEntry(books, source);
  if (payer === undefined) return actRefused("op_no_source_account");
  if (spendable(payer, baseReserve) < startingBalance) return actFailed(coded("op_underfunded"));
  const paid = withAccountEntry(books, { ...payer, balance: payer.balance - startingBalance });
  const created = newHorizonAccount(destination, startingBalance, firstSequence(books.ledger));
  return actedOn(withAccountEntry(paid, created), coded("op_success"));
};
