import { bytesToHex } from "@noble/hashes/utils.js";
import { accountEntry, type HorizonBooks, withAccountEntry } from "../books.ts";
import { type HorizonSignerKey, xdrSignerKey } from "../xdr/account.ts";
import { encodeXdr } from "../xdr/codec.ts";
import { type HorizonAccount, MOST_SIGNERS } from "../xdr/ledger-entry.ts";
import type { HorizonActOf } from "../xdr/operation.ts";
import type { HorizonInnerResult } from "../xdr/result.ts";
import { ACCOUNT_FLAGS, ALL_ACCOUNT_FLAGS } from "./flags.ts";
import { withoutSubentry, withSubentry } from "./reserve.ts";
import { actedOn, actFailed, actRefused, type HorizonActed, type HorizonPlace } from "./ruling.ts";

type OptionsCode = Extract<HorizonInnerResult, { readonly type: "setOptions" }>["value"]["type"];
type Options = HorizonActOf<"setOptions">;

const MOST_WEIGHT = 255;

const coded = (type: OptionsCode): HorizonInnerResult => ({
  type: "setOptions",
  value: { type, value: undefined },
});

/** Whether a text is printable ASCII, as the protocol requires. */
export const isPrintableAscii = (bytes: Uint8Array): boolean =>
  bytes.every((byte) => byte >= 0x20 && byte < 0x7f);

const isSignerBad = ({ signer }: Options, { source }: HorizonPlace): boolean => {
  if (signer === undefined) return false;
  const { key, weight } = signer;
  if (key.type === "ed25519" && key.value === source) return true;
  return weight > MOST_WEIGHT || (key.type === "signedPayload" && key.value.payload.length === 0);
};

const flawOf = (options: Options, place: HorizonPlace): OptionsCode => {
  const { setFlags = 0, clearFlags = 0, homeDomain } = options;
  if (((setFlags | clearFlags) & ~ALL_ACCOUNT_FLAGS) !== 0) return "op_unknown_flag";
  if ((setFlags & clearFlags) !== 0) return "op_bad_flags";
  const { masterWeight, lowThreshold, mediumThreshold, highThreshold } = options;
  const weights = [masterWeight, lowThreshold, mediumThreshold, highThreshold];
  if (weights.some((weight = 0) => weight > MOST_WEIGHT)) return "op_threshold_out_of_range";
  if (isSignerBad(options, place)) return "op_bad_signer";
  return homeDomain === undefined || isPrintableAscii(homeDomain) ? "op_success" : "op_invalid_home_domain";
};

export const checkOptions = (options: Options, place: HorizonPlace): HorizonInnerResult =>
  coded(flawOf(options, place));

const textOf = (key: HorizonSignerKey): string => bytesToHex(encodeXdr(xdrSignerKey, key));

/** Adds a signer, changes its weight, or removes it if the weight is 0. */
const withSigner = (
  account: HorizonAccount,
  { key, weight }: NonNullable<Options["signer"]>,
  baseReserve: bigint,
): HorizonAccount | "op_low_reserve" | "op_too_many_signers" | "op_too_many_subentries" => {
  const others = account.signers.filter((signer) => textOf(signer.key) !== textOf(key));
  const isKnown = others.length < account.signers.length;
  if (weight === 0) return isKnown ? withoutSubentry({ ...account, signers: others }) : account;
  if (!isKnown && others.length >= MOST_SIGNERS) return "op_too_many_signers";
  const grown = isKnown ? account : withSubentry(account, baseReserve);
  if (typeof grown === "string") return grown;
  const signers = [...others, { key, weight }].sort((a, b) => (textOf(a.key) < textOf(b.key) ? -1 : 1));
  return { ...grown, signers };
};

const withFlags = (account: HorizonAccount, options: Options): HorizonAccount | OptionsCode => {
  const { setFlags = 0, clearFlags = 0 } = options;
  const isImmutable = (account.flags & ACCOUNT_FLAGS.immutable) !== 0;
  if (isImmutable && (setFlags | clearFlags) !== 0) return "op_cant_change";
  const flags = (account.flags & ~clearFlags) | setFlags;
  const clawsBackForGood = (flags & ACCOUNT_FLAGS.clawback) !== 0 && (flags & ACCOUNT_FLAGS.revocable) === 0;
  return clawsBackForGood ? "op_auth_revocable_required" : { ...account, flags };
};

const withThresholds = (account: HorizonAccount, options: Options): HorizonAccount => {
  const { masterWeight, lowThreshold, mediumThreshold, highThreshold } = options;
  const given = [masterWeight, lowThreshold, mediumThreshold, highThreshold];
  return { ...account, thresholds: account.thresholds.map((old, at) => given[at] ?? old) };
};

/** @source stellar-core, SetOptionsOpFrame.cpp */
export const applyOptions = (books: HorizonBooks, options: Options, place: HorizonPlace): HorizonActed => {
  const { inflationDestination, homeDomain, signer } = options;
  const account = accountEntry(books, place.source);
  if (account === undefined) return actRefused("op_no_source_account");
  if (inflationDestination !== undefined && accountEntry(books, inflationDestination) === undefined) {
    return actFailed(coded("op_invalid_inflation"));
  }
  const flagged = withFlags(account, options);
  if (typeof flagged === "string") return actFailed(coded(flagged));
  const changed = {
    ...withThresholds(flagged, options),
    homeDomain: homeDomain ?? flagged.homeDomain,
    inflationDestination: inflationDestination ?? flagged.inflationDestination,
  };
  const signed = signer === undefined ? changed : withSigner(changed, signer, place.baseReserve);
  if (signed === "op_too_many_subentries") return actRefused(signed);
  if (typeof signed === "string") return actFailed(coded(signed));
  return actedOn(withAccountEntry(books, signed), coded("op_success"));
};
