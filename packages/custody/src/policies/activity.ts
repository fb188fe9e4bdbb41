import type { AddressSpelling } from "../families/address-keys.ts";
import type { KeyId, PermissionId, PolicyId, WalletId } from "../identifiers.ts";
import type { Effects } from "./effects.ts";
import type { Value } from "./prices.ts";

/** The facts about a wallet that policy filters use. */
export interface ConcernedWallet {
  readonly id: WalletId;
  readonly tags: readonly string[];
}

/** A request for a signature by a key. Its recipients are compared in the family's canonical spelling. */
export interface SigningActivity extends AddressSpelling {
  readonly kind: "Wallets:Sign";
  readonly keyId: KeyId;
  /**
   * All wallets of the key, not only the requested one: the key has the same account on every network of its
   * scheme, so a policy on one wallet guards the key. Empty while no wallet uses the key.
   */
  readonly wallets: readonly ConcernedWallet[];
  readonly effects: Effects;
}

/** The spelling for content that no family reads: its recipients are unknown. */
export const asWritten: SigningActivity["spell"] = (address) => address;

/** A requested act, as policies judge it. */
export type Activity =
  | SigningActivity
  /** a change of one policy, or of a user group that these policies name; of a group that none names, the list is empty */
  | { readonly kind: "Policies:Modify"; readonly policyIds: readonly PolicyId[] }
  | { readonly kind: "Permissions:Assign" | "Permissions:Modify"; readonly permissionId: PermissionId };

/**
 * The earlier requests of one wallet's key in a stretch of time, without failed and rejected ones. Of a
 * request and its replacements at most one lands (INV-4), so only the highest value of a replacement chain
 * counts.
 */
export interface Spent {
  readonly count: number;
  /**
   * 10^-18 of each currency: the sum of the highest known value of each replacement chain, without the judged
   * request's own
   */
  readonly EUR: bigint;
  readonly USD: bigint;
  /** the highest value of the requests that this one replaces: the higher of it and the request's own counts */
  readonly replaced: { readonly EUR: bigint; readonly USD: bigint };
  /** how many of the requests have no known value */
  readonly unknown: number;
}

export const NOTHING_SPENT: Spent = {
  count: 0,
  EUR: 0n,
  USD: 0n,
  replaced: { EUR: 0n, USD: 0n },
  unknown: 0,
};

/**
 * The facts that rules need besides the request itself; read under a lock, so that two requests never count
 * from the same state.
 */
export interface SigningFacts {
  readonly value: Value;
  /** @param subject the id of a wallet, or of the key when no wallet uses it */
  readonly spent: (subject: string, minutes: number) => Spent;
}

/** The ids under which the requests of an activity are counted: its wallets, or its key while no wallet uses it. */
export const subjectsOf = (activity: SigningActivity): readonly string[] =>
  activity.wallets.length === 0 ? [activity.keyId] : activity.wallets.map(({ id }) => id);
