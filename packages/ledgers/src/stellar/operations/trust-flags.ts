import type { HorizonAddress } from "../address.ts";
import { accountEntry, type HorizonBooks, trustLineIn, withTrustLine } from "../books.ts";
import type { HorizonCredit } from "../xdr/asset.ts";
import type { HorizonTrustLine } from "../xdr/ledger-entry.ts";
import type { HorizonActOf } from "../xdr/operation.ts";
import type { HorizonInnerResult } from "../xdr/result.ts";
import { isAssetValid, isCodeValid } from "./asset-code.ts";
import { ACCOUNT_FLAGS, ALL_LINE_FLAGS, isLineAuthorized, LINE_AUTHORIZATION, LINE_FLAGS } from "./flags.ts";
import { actedOn, actFailed, type HorizonActed, type HorizonPlace } from "./ruling.ts";

type AllowCode = Extract<HorizonInnerResult, { readonly type: "allowTrust" }>["value"]["type"];
type FlagsCode = Extract<HorizonInnerResult, { readonly type: "setTrustLineFlags" }>["value"]["type"];

const allowed = (type: AllowCode): HorizonInnerResult => ({
  type: "allowTrust",
  value: { type, value: undefined },
});
const flagged = (type: FlagsCode): HorizonInnerResult => ({
  type: "setTrustLineFlags",
  value: { type, value: undefined },
});

const canRevoke = (books: HorizonBooks, issuer: HorizonAddress): boolean =>
  ((accountEntry(books, issuer)?.flags ?? 0) & ACCOUNT_FLAGS.revocable) !== 0;

/** Whether flags reduce a fully authorised trustline to maintaining its liabilities. */
const isReduced = (line: HorizonTrustLine, flags: number): boolean =>
  isLineAuthorized(line) && (flags & LINE_AUTHORIZATION) === LINE_FLAGS.maintainsLiabilities;

export const checkAllowTrust = (
  { trustor, asset, authorize }: HorizonActOf<"allowTrust">,
  { source }: HorizonPlace,
): HorizonInnerResult => {
  const isMalformed =
    authorize >= LINE_AUTHORIZATION || !isCodeValid(asset.type, asset.value) || trustor === source;
  return allowed(isMalformed ? "op_malformed" : "op_success");
};

/** @source stellar-core, AllowTrustOpFrame.cpp, TrustFlagsOpFrameBase.cpp */
export const applyAllowTrust = (
  books: HorizonBooks,
  { trustor, asset, authorize }: HorizonActOf<"allowTrust">,
  { source }: HorizonPlace,
): HorizonActed => {
  const revocable = canRevoke(books, source);
  if (!revocable && authorize === 0) return actFailed(allowed("op_cant_revoke"));
  const credit: HorizonCredit = { type: asset.type, value: { code: asset.value, issuer: source } };
  const line = trustLineIn(books, trustor, credit);
  if (line === undefined) return actFailed(allowed("op_no_trustline"));
  if (!revocable && isReduced(line, authorize)) return actFailed(allowed("op_cant_revoke"));
  const flags = (line.flags & ~LINE_AUTHORIZATION) | authorize;
  return actedOn(withTrustLine(books, { ...line, flags }), allowed("op_success"));
};

export const checkTrustLineFlags = (
  { trustor, asset, clearFlags, setFlags }: HorizonActOf<"setTrustLineFlags">,
  { source }: HorizonPlace,
): HorizonInnerResult => {
  const isMalformed =
    asset.type === "native" ||
    !isAssetValid(asset) ||
    asset.value.issuer !== source ||
    trustor === source ||
    (setFlags & clearFlags) !== 0 ||
    setFlags >= LINE_AUTHORIZATION ||
    (clearFlags & ~ALL_LINE_FLAGS) !== 0;
  return flagged(isMalformed ? "op_malformed" : "op_success");
};

/** @source stellar-core, SetTrustLineFlagsOpFrame.cpp, TrustFlagsOpFrameBase.cpp */
export const applyTrustLineFlags = (
  books: HorizonBooks,
  { trustor, asset, clearFlags, setFlags }: HorizonActOf<"setTrustLineFlags">,
  { source }: HorizonPlace,
): HorizonActed => {
  const revocable = canRevoke(books, source);
  if (!revocable && (clearFlags & LINE_AUTHORIZATION) !== 0) return actFailed(flagged("op_cant_revoke"));
  const line = asset.type === "native" ? undefined : trustLineIn(books, trustor, asset);
  if (line === undefined) return actFailed(flagged("op_no_trustline"));
  const flags = (line.flags & ~clearFlags) | setFlags;
  if ((flags & LINE_AUTHORIZATION) === LINE_AUTHORIZATION) return actFailed(flagged("op_invalid_state"));
  if (!revocable && isReduced(line, flags)) return actFailed(flagged("op_cant_revoke"));
  return actedOn(withTrustLine(books, { ...line, flags }), flagged("op_success"));
};
