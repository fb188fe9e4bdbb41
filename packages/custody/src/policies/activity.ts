import type { AddressSpelling } from "../families/address-keys.ts";
import type { KeyId, PermissionId, PolicyId, WalletId } from "../identifiers.ts";
import type { Effects } from "./effects.ts";
import type { Value } from "./prices.ts";

/** A wallet as far as filters of policies look at it. */
export interface ConcernedWallet {
  readonly id: WalletId;
  readonly tags: readonly string[];
}

/** A signature that a key is asked for. Its recipients are compared as the family spells addresses. */
export interface SigningActivity extends AddressSpelling {
  readonly kind: "Wallets:Sign";
  readonly keyId: KeyId;
  /**
   * All wallets of the key, whichever of them was asked to sign: the key has the same account on every network of a scheme, so
   * that a policy which guards one wallet guards the key. None while no wallet uses it.
   */
  readonly wallets: readonly ConcernedWallet[];
  readonly effects: Effects;
}

/** The spelling of what no family reads: none of its recipients is known. */
export const asWritten: SigningActivity["spell"] = (address) => address;

/** A requested act, as policies judge it. */
export type Activity =
  | SigningActivity
  | { readonly kind: "Policies:Modify"; readonly policyId: PolicyId }
  | { readonly kind: "Permissions:Assign" | "Permissions:Modify"; readonly permissionId: PermissionId };

/**
 * Earlier requests of one wallet's key in a stretch of time, those that failed or were rejected left out. Of a request and those
 * that replace it at most one lands (INV-4), so that the highest of them is what all can spend.
 */
export interface Spent {
  readonly count: number;
  /** 10^-18 of each currency, of the requests whose value is known: of each line the highest, without the request's own */
  readonly EUR: bigint;
  readonly USD: bigint;
  /** the highest of those that the request replaces: of this and of the request, the higher one counts */
  readonly replaced: { readonly EUR: bigint; readonly USD: bigint };
  /** how many of them have no known value */
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
 * The facts that rules need beyond the request itself; read under a lock, so that two requests never see the
 * same past.
 */
export interface SigningFacts {
  readonly value: Value;
  /** @param subject the id of a wallet, or of the key when no wallet uses it */
  readonly spent: (subject: string, minutes: number) => Spent;
}

/** Under which ids the requests of an activity are counted: its wallets, or its key while no wallet uses it. */
export const subjectsOf = (activity: SigningActivity): readonly string[] =>
  activity.wallets.length === 0 ? [activity.keyId] : activity.wallets.map(({ id }) => id);
