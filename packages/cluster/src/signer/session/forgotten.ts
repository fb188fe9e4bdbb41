import { type Problem, problem } from "@conclave/custody";
import { FORGOTTEN_PER_SWEEP_MS, SESSION_MEMORY_MS } from "../limits.ts";
import type { SignerState, SignerStep } from "../state.ts";
import { markOf } from "./forgotten-mark.ts";

/**
 * Has all forgotten whose time is up: session ids, tombstones, what requests were bound to. How far that may have come is
 * written before: if the clock goes back, what is that old stays refused.
 *
 * This signer's clock alone makes it forget nothing. It forgets up to the date at which the authority signed what it accepted last in this
 * life; so nothing that an honest authority dated lately, and no session of that time, is forgotten or refused. Clocks of authority and
 * signer may be wrong together for a while, so a sweep goes only some minutes further than the one before.
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

/** Why nothing more is signed for a request; undefined while what was signed for it is remembered (INV-4). */
export const whyRequestForgotten = (
  { forgotten }: Pick<SignerState, "forgotten">,
  { forgetAtMs }: { readonly forgetAtMs: number },
): Problem | undefined =>
  forgetAtMs <= forgotten.toMs
    ? problem("AuthorisationInvalid", {}, "The authorisation is too old.")
    : undefined;

/** Whether a session of this deadline may have begun before and be forgotten (INV-2, INV-7). */
export const isSessionForgotten = (
  { forgotten }: Pick<SignerState, "forgotten">,
  expiresAtMs: number,
): boolean => expiresAtMs + SESSION_MEMORY_MS <= forgotten.toMs;
