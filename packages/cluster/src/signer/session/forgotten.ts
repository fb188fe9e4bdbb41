import { type Problem, problem } from "@conclave/custody";
import { FORGOTTEN_PER_SWEEP_MS, SESSION_MEMORY_MS } from "../limits.ts";
import type { SignerState, SignerStep } from "../state.ts";
import { markOf } from "./forgotten-mark.ts";

/**
 * Forgets session ids, tombstones and bindings of requests whose time is up. The mark is written before that: records
 * that old stay refused if the clock goes back.
 *
 * This signer's clock alone does not make it forget anything. It forgets at most up to the date of the last
 * authorisation that it accepted in this life, so nothing that an honest authority dated recently, and no session of
 * that time, is forgotten or refused. The clocks of authority and signer may both be wrong for a while, so a sweep
 * moves the mark only some minutes further than the one before.
 */
export const forgetPast = (state: SignerState, nowMs: number): SignerStep => {
  const { authorisedAtMs, forgotten } = state;
  if (authorisedAtMs === undefined) return { state, effects: [] };
  const furthestMs = forgotten.toMs === 0 ? nowMs : forgotten.toMs + FORGOTTEN_PER_SWEEP_MS;
  const untilMs = Math.min(nowMs, authorisedAtMs, furthestMs);
  const next = { ...forgotten, toMs: Math.max(forgotten.toMs, untilMs) };
  return {
    state: { ...state, forgotten: next },
    effects: [
      { kind: "batch", puts: [markOf(next)], erases: [], sync: false },
      { kind: "forget", untilMs },
    ],
  };
};

/**
 * The reason to sign nothing more for a request whose bindings may be forgotten; undefined while they are remembered
 * (INV-4).
 */
export const whyRequestForgotten = (
  { forgotten }: Pick<SignerState, "forgotten">,
  { forgetAtMs }: { readonly forgetAtMs: number },
): Problem | undefined =>
  forgetAtMs <= forgotten.toMs
    ? problem("AuthorisationInvalid", {}, "The authorisation is too old.")
    : undefined;

/** Whether a session with this deadline may have begun before and been forgotten (INV-2, INV-7). */
export const isSessionForgotten = (
  { forgotten }: Pick<SignerState, "forgotten">,
  expiresAtMs: number,
): boolean => expiresAtMs + SESSION_MEMORY_MS <= forgotten.toMs;
