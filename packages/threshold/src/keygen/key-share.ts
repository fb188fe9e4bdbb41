import type { PartyIndex } from "../fault.ts";
import type { Point } from "../group.ts";
import type { Secret } from "../secret.ts";

/** What everybody may know of a key. */
export interface PublicKeyInfo {
  readonly keyId: string;
  /** t: this many parties sign together */
  readonly threshold: number;
  /** ascending, distinct; party i holds f(i) */
  readonly parties: readonly PartyIndex[];
  /** Y = f(0)·G */
  readonly publicKey: Point;
  /** X_j = f(j)·G for every party j */
  readonly publicShares: ReadonlyMap<PartyIndex, Point>;
  /** c, 32 bytes */
  readonly chainCode: Uint8Array;
  readonly epoch: number;
}

/** One party's part of a key: x_i = f(i), and what is public. */
export interface KeyShare {
  readonly info: PublicKeyInfo;
  readonly self: PartyIndex;
  readonly secretShare: Secret<bigint>;
}
