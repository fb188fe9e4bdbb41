import type { PartyIndex } from "../fault.ts";
import type { Step } from "./round.ts";

/** The step of a round that found a cheat. */
export type FaultStep = Extract<Step<never>, { readonly kind: "fault" }>;

/** The step of a round that failed, where no party can be shown to have caused it. */
export type AbortStep = Extract<Step<never>, { readonly kind: "abort" }>;

/** Accuses a peer of a failed check, such as "keygen/2 opening of V". */
export const accuse = (culprit: PartyIndex, check: string): FaultStep => ({
  kind: "fault",
  accusation: { culprit, check },
});

/** Ends a run without naming a party; everything of the session must be discarded. */
export const abort = (check: string): AbortStep => ({ kind: "abort", check });
