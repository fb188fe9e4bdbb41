import type { ClockPlace, Place } from "./place.ts";

/**
 * The effect of a link on passing bytes. TCP hides packet loss: a lost segment arrives late, or its connection breaks.
 * `break` simulates the latter.
 */
export type Toxic =
  | { readonly kind: "cut" }
  | { readonly kind: "delay"; readonly ms: number }
  | { readonly kind: "break"; readonly percent: number }
  | { readonly kind: "slow"; readonly bytesPerSecond: number };

/** Something that goes wrong, until it is healed. Lost data and undone blocks cannot be healed. */
export type InjectedFault =
  /** SIGKILL; started again when it heals */
  | { readonly kind: "kill"; readonly places: readonly Place[] }
  /** SIGTERM; started again when it heals */
  | { readonly kind: "stop"; readonly places: readonly Place[] }
  /**
   * the power of signers' machines fails; they start again when it heals, and find what their disks had synced. Only a simulator can do
   * this
   */
  | { readonly kind: "power"; readonly places: readonly Place[] }
  /** the machines of signers or orchestrators are gone for good: they stay away when all else is healed. Only a simulator can do this */
  | { readonly kind: "lose"; readonly places: readonly Place[] }
  /** SIGSTOP, and SIGCONT when it heals */
  | { readonly kind: "pause"; readonly places: readonly Place[] }
  /** of bytes from one place to the other; in both directions if the plan says so */
  | {
      readonly kind: "link";
      readonly from: Place;
      readonly to: Place;
      readonly isBothWays: boolean;
      readonly toxic: Toxic;
    }
  /** every write to a signer's store fails, or only every fsync */
  | { readonly kind: "disk"; readonly signer: number; readonly failure: "full" | "unsynced" }
  /** the signer is stopped, its store is changed from outside, and it is started again at once */
  | { readonly kind: "store"; readonly signer: number; readonly change: StoreChange }
  /** the clock of a place is moved ahead or back by this much, and returns when it heals */
  | { readonly kind: "clock"; readonly place: ClockPlace; readonly byMs: number }
  /** a signer alters a message of a protocol, which protocol, round and field name: presign/2.D */
  | { readonly kind: "lie"; readonly signer: number; readonly message: string }
  | { readonly kind: "bus"; readonly failure: BusFailure }
  | { readonly kind: "chain"; readonly network: string; readonly failure: ChainFailure };

export type StoreChange =
  /** removes one entry: the one with this name or, if the name ends in a star, one whose name has this prefix */
  | { readonly kind: "loses"; readonly entry: string }
  /** replaces the store with a copy of this age, or with one from before the load began if the age reaches further back */
  | { readonly kind: "goes back"; readonly byMs: number };

export type BusFailure =
  /** the bus loses all that it has stored */
  | { readonly kind: "forgets" }
  /** the bus delivers each message twice */
  | { readonly kind: "repeats" }
  /**
   * restores the store of the bus from a copy of this age, or from before the load began if the age reaches further back
   */
  | { readonly kind: "goes back"; readonly byMs: number };

export type ChainFailure =
  /** the last blocks are undone, and their transactions return to the pool */
  | { readonly kind: "reorganise"; readonly blocks: number }
  /** the node drops every transaction of its pool */
  | { readonly kind: "forget" }
  /** the node puts no transaction into a block */
  | { readonly kind: "hold" }
  /** the node rejects every submitted transaction */
  | { readonly kind: "refuse" }
  /**
   * another organisation sends more requests than gateways let through, including slow and large contract calls on this
   * chain
   */
  | { readonly kind: "overload" };

/** How far a request is, by its status; "signed" means that its broadcast has not happened yet. */
export const STAGES = ["accepted", "signed", "broadcast", "confirmed"] as const;
export type Stage = (typeof STAGES)[number];

/** When a fault begins. */
export type FaultStart =
  /** milliseconds after the load began */
  | { readonly kind: "time"; readonly ms: number }
  /** when a request of the load, counted from 1, reaches a stage */
  | { readonly kind: "request"; readonly number: number; readonly stage: Stage }
  /** when the code of a process reaches a named point for the nth time: the process dies there at once */
  | { readonly kind: "point"; readonly point: string; readonly hit: number };

/** A fault of a plan. */
export interface PlannedFault {
  readonly fault: InjectedFault;
  readonly start: FaultStart;
  /** how long it lasts; undefined: until the load ends, when everything is healed */
  readonly lastsMs: number | undefined;
}
