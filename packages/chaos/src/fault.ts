import type { ClockPlace, Place } from "./place.ts";

/**
 * The effect of a link on passing bytes. A message that TCP loses comes late or breaks its connection:
 * `break` is what loss looks like above it.
 */
export type Toxic =
  | { readonly kind: "cut" }
  | { readonly kind: "delay"; readonly ms: number }
  | { readonly kind: "break"; readonly percent: number }
  | { readonly kind: "slow"; readonly bytesPerSecond: number };

/** Something that goes wrong. It lasts until it is healed; lost data and undone blocks do not heal. */
export type InjectedFault =
  /** kill -9, and started again when it heals */
  | { readonly kind: "kill"; readonly places: readonly Place[] }
  /** SIGTERM, and started again when it heals */
  | { readonly kind: "stop"; readonly places: readonly Place[] }
  /** SIGSTOP, and SIGCONT when it heals */
  | { readonly kind: "pause"; readonly places: readonly Place[] }
  /** of what one sends to the other; both ways when so said */
  | {
      readonly kind: "link";
      readonly from: Place;
      readonly to: Place;
      readonly isBothWays: boolean;
      readonly toxic: Toxic;
    }
  /** every write of a signer's store fails; or only what makes writes durable */
  | { readonly kind: "disk"; readonly signer: number; readonly failure: "full" | "unsynced" }
  /** another than the signer changes its store, while it is stopped; it starts again at once */
  | { readonly kind: "store"; readonly signer: number; readonly change: StoreChange }
  /** its clock is ahead by so much, or behind, and jumps back when it heals */
  | { readonly kind: "clock"; readonly place: ClockPlace; readonly byMs: number }
  /** a signer bends a message of a protocol, named by protocol, round and field: presign/2.D */
  | { readonly kind: "lie"; readonly signer: number; readonly message: string }
  | { readonly kind: "bus"; readonly failure: BusFailure }
  | { readonly kind: "chain"; readonly network: string; readonly failure: ChainFailure };

export type StoreChange =
  /** an entry is removed: one of those that there are with this name, or whose names begin like it where it ends in a star */
  | { readonly kind: "loses"; readonly entry: string }
  /** a copy of so long ago is put in its place; from before the load began if that is longer ago */
  | { readonly kind: "goes back"; readonly byMs: number };

export type BusFailure =
  /** it loses all that it has stored */
  | { readonly kind: "forgets" }
  /** it delivers each message twice */
  | { readonly kind: "repeats" }
  /** its store is restored from a copy of so long ago; from before the load began if that is longer ago */
  | { readonly kind: "goes back"; readonly byMs: number };

export type ChainFailure =
  /** the last blocks are undone, and their transactions wait again */
  | { readonly kind: "reorganise"; readonly blocks: number }
  /** its pool is emptied */
  | { readonly kind: "forget" }
  /** takes no transaction into a block */
  | { readonly kind: "hold" }
  /** takes no transaction from anybody */
  | { readonly kind: "refuse" }
  /**
   * another organisation sends more requests than gateways let through, with slow and large calls of a
   * contract on this chain
   */
  | { readonly kind: "overload" };

/** Where a request is in its life, as its status shows it; "signed" is a broadcast that has not happened. */
export const STAGES = ["accepted", "signed", "broadcast", "confirmed"] as const;
export type Stage = (typeof STAGES)[number];

/** When a fault begins. */
export type FaultStart =
  /** so long after the load has begun */
  | { readonly kind: "time"; readonly ms: number }
  /** when a request of the load, counted from 1, is so far */
  | { readonly kind: "request"; readonly number: number; readonly stage: Stage }
  /** when a process comes to a point of its code for the so-manieth time: it dies there, before anything else happens */
  | { readonly kind: "point"; readonly point: string; readonly hit: number };

/** A fault of a plan. */
export interface PlannedFault {
  readonly fault: InjectedFault;
  readonly start: FaultStart;
  /** how long it lasts; undefined: until the load has ended, when all is healed */
  readonly lastsMs: number | undefined;
}
