import { accountEntry, type HorizonBooks, withAccountEntry } from "../books.ts";
import type { HorizonActOf } from "../xdr/operation.ts";
import type { HorizonInnerResult } from "../xdr/result.ts";
import { actedOn, actRefused, type HorizonActed, type HorizonPlace } from "./ruling.ts";

type BumpCode = Extract<HorizonInnerResult, { readonly type: "bumpSequence" }>["value"]["type"];

const coded = (type: BumpCode): HorizonInnerResult => ({
  type: "bumpSequence",
  value: { type, value: undefined },
});

export const checkBumpSequence = (to: HorizonActOf<"bumpSequence">): HorizonInnerResult =>
  coded(to < 0n ? "op_bad_seq" : "op_success");

/** A sequence number already passed is left unchanged. @source stellar-core, BumpSequenceOpFrame.cpp */
export const applyBumpSequence = (
  books: HorizonBooks,
  to: HorizonActOf<"bumpSequence">,
  { source }: HorizonPlace,
): HorizonActed => {
  const account = accountEntry(books, source);
  if (account === undefined) return actRefused("op_no_source_account");
  const sequence = to > account.sequence ? to : account.sequence;
  return actedOn(withAccountEntry(books, { ...account, sequence }), coded("op_success"));
};
