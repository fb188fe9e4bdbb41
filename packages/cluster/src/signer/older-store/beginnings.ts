import type { SignerEffect } from "../effect.ts";
import { BEGINNINGS_COUNTED_MS } from "../limits.ts";
import type { SignerState } from "../state.ts";
import { isStoreConfirmed } from "./lost-time.ts";
import { countRelease } from "./spending.ts";

/**
 * Counts that this signer begins sessions: with the first one of a life, and again after BEGINNINGS_COUNTED_MS. A session that began and released
 * nothing is as lost to an older store as a release. It could begin a second time, and this signer would look as if it had sent its peers two
 * different messages in one run (INV-7).
 *
 * Before peers have confirmed the store, signing and presigning do not begin; sessions that may, such as a key's, are not counted: the count could reach the
 * one that peers remember.
 *
 * @returns the puts that go into the step that makes the session's id durable, and the announcements that leave after it; none where it is not counted
 */
export const countBeginning = (state: SignerState, nowMs: number) => {
  const { begunAtMs } = state.spending;
  const isCounted = Math.abs(nowMs - begunAtMs) < BEGINNINGS_COUNTED_MS;
  if (isCounted || !isStoreConfirmed(state)) return { state, puts: [], announcements: [] };
  const counted = countRelease(state, undefined);
  const spending = { ...counted.state.spending, begunAtMs: nowMs };
  const announcements: readonly SignerEffect[] = counted.announcements;
  return { state: { ...counted.state, spending }, puts: [counted.write], announcements };
};
