import {
  accountEntry,
  type HorizonBooks,
  trustLineIn,
  withAccountEntry,
  withoutStellarEntry,
  withTrustLine,
} from "../books.ts";
import { withAssetContract } from "../soroban/asset-contract.ts";
import type { HorizonCredit } from "../xdr/asset.ts";
import type { HorizonAccount } from "../xdr/ledger-entry.ts";
import type { HorizonActOf } from "../xdr/operation.ts";
import type { HorizonInnerResult } from "../xdr/result.ts";
import { isAssetValid } from "./asset-code.ts";
import { ACCOUNT_FLAGS, LINE_FLAGS } from "./flags.ts";
import { withoutSubentry, withSubentry } from "./reserve.ts";
import { actedOn, actFailed, actRefused, type HorizonActed, type HorizonPlace } from "./ruling.ts";

type TrustCode = Extract<HorizonInnerResult, { readonly type: "changeTrust" }>["value"]["type"];

const coded = (type: TrustCode): HorizonInnerResult => ({
  type: "changeTrust",
  value: { type, value: undefined },
});

export const checkChangeTrust = (
  { line, limit }: HorizonActOf<"changeTrust">,
  { source }: HorizonPlace,
): HorizonInnerResult => {
  const isMalformed =
    limit < 0n || line.type === "native" || !isAssetValid(line) || line.value.issuer === source;
  return coded(isMalformed ? "op_malformed" : "op_success");
};

/** The flags of a new trustline, which the issuer's flags determine. */
const firstFlags = ({ flags }: HorizonAccount): number =>
  ((flags & ACCOUNT_FLAGS.required) === 0 ? LINE_FLAGS.authorized : 0) |
  ((flags & ACCOUNT_FLAGS.clawback) === 0 ? 0 : LINE_FLAGS.clawback);

const openLine = (
  books: HorizonBooks,
  asset: HorizonCredit,
  limit: bigint,
  { source, baseReserve, networkId }: HorizonPlace,
): HorizonActed => {
  if (limit === 0n) return actFailed(coded("op_invalid_limit"));
  const issuer = accountEntry(books, asset.value.issuer);
  if (issuer === undefined) return actFailed(coded("op_no_issuer"));
  const account = accountEntry(books, source);
  if (account === undefined) return actRefused("op_no_source_account");
  const grown = withSubentry(account, baseReserve);
  if (grown === "op_low_reserve") return actFailed(coded(grown));
  if (grown === "op_too_many_subentries") return actRefused(grown);
  const line = {
    account: source,
    asset,
    balance: 0n,
    limit,
    flags: firstFlags(issuer),
    extension: undefined,
  };
  const opened = withTrustLine(withAccountEntry(books, grown), line);
  return actedOn(withAssetContract(opened, asset, networkId), coded("op_success"));
};

/** @source stellar-core, ChangeTrustOpFrame.cpp */
export const applyChangeTrust = (
  books: HorizonBooks,
  { line: asset, limit }: HorizonActOf<"changeTrust">,
  place: HorizonPlace,
): HorizonActed => {
  if (asset.type === "native") return actFailed(coded("op_malformed"));
  const line = trustLineIn(books, place.source, asset);
  if (line === undefined) return openLine(books, asset, limit, place);
  if (limit < line.balance) return actFailed(coded("op_invalid_limit"));
  if (limit > 0n) {
    return accountEntry(books, asset.value.issuer) === undefined
      ? actFailed(coded("op_no_issuer"))
      : actedOn(withTrustLine(books, { ...line, limit }), coded("op_success"));
  }
  const account = accountEntry(books, place.source);
  if (account === undefined) return actRefused("op_no_source_account");
  const key = { type: "trustLine" as const, value: { account: place.source, asset } };
  const closed = withoutStellarEntry(withAccountEntry(books, withoutSubentry(account)), key);
  return actedOn(closed, coded("op_success"));
};
