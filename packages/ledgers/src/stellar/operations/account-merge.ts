import { accountEntry, type HorizonBooks, withAccountEntry, withoutStellarEntry } from "../books.ts";
import type { HorizonActOf } from "../xdr/operation.ts";
import type { HorizonInnerResult } from "../xdr/result.ts";
import { firstSequence } from "./create-account.ts";
import { ACCOUNT_FLAGS } from "./flags.ts";
import { MOST_STROOPS } from "./reserve.ts";
import { actedOn, actFailed, actRefused, type HorizonActed, type HorizonPlace } from "./ruling.ts";

type MergeResult = Extract<HorizonInnerResult, { readonly type: "accountMerge" }>["value"];

const failing = (type: Exclude<MergeResult["type"], "op_success">): HorizonInnerResult => ({
  type: "accountMerge",
  value: { type, value: undefined },
});
const merged = (value: bigint): HorizonInnerResult => ({
  type: "accountMerge",
  value: { type: "op_success", value },
});

export const checkMerge = (
  destination: HorizonActOf<"accountMerge">,
  { source }: HorizonPlace,
): HorizonInnerResult => (destination.account === source ? failing("op_malformed") : merged(0n));

/** @source stellar-core, MergeOpFrame.cpp */
export const applyMerge = (
  books: HorizonBooks,
  destination: HorizonActOf<"accountMerge">,
  { source }: HorizonPlace,
): HorizonActed => {
  const heir = accountEntry(books, destination.account);
  if (heir === undefined) return actFailed(failing("op_no_account"));
  const account = accountEntry(books, source);
  if (account === undefined) return actRefused("op_no_source_account");
  if ((account.flags & ACCOUNT_FLAGS.immutable) !== 0) return actFailed(failing("op_immutable_set"));
  if (account.subentries !== account.signers.length) return actFailed(failing("op_has_sub_entries"));
  if (account.sequence >= firstSequence(books.ledger)) return actFailed(failing("op_seq_num_too_far"));
  const balance = heir.balance + account.balance;
  if (balance > MOST_STROOPS) return actFailed(failing("op_dest_full"));
  const paid = withAccountEntry(books, { ...heir, balance });
  const key = { type: "account" as const, value: { account: source } };
  return actedOn(withoutStellarEntry(paid, key), merged(account.balance));
};
