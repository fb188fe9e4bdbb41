import { problem } from "@conclave/custody";
import type { SignerEvent } from "../event.ts";
import { DISCARD_IDS_MAX, SWEEP_RECORDS_MAX } from "../limits.ts";
import { lookUp } from "../records/persistent-map.ts";
import { refuse } from "../session/begin.ts";
import { type SignerState, type SignerStep, unchanged } from "../state.ts";
import { isOverAge, readyWhere, type WaitingPresignature, without } from "./pool.ts";

type Discard = Extract<SignerEvent, { readonly kind: "discard-presignatures" }>;

/**
 * Removes ready presignatures that match. Their secrets were never used, so no tombstone is needed: an id that is not
 * ready is refused for ever.
 */
export const burnWhere = (
  state: SignerState,
  holds: (presignature: WaitingPresignature) => boolean,
): SignerState => ({
  ...state,
  pool: without(state.pool, readyWhere(state.pool, holds), "burnt"),
});

/** Burns the ready presignatures that the caller names. This is always safe: at worst they have to be made again. */
export const discardPresignatures = (state: SignerState, { call, ids }: Discard): SignerStep => {
  if (ids.length > DISCARD_IDS_MAX) {
    return refuse(state, call, problem("InvalidBody", {}, `At most ${DISCARD_IDS_MAX} ids at once.`));
  }
  const ready = [...new Set(ids)].filter((id) => lookUp(state.pool.ready, id) !== undefined);
  return {
    state: { ...state, pool: without(state.pool, ready, "burnt") },
    effects: [{ kind: "report", call, report: { kind: "presignatures-discarded", count: ready.length } }],
  };
};

/** Burns presignatures that are too old. */
export const sweepPool = (state: SignerState, nowMs: number): SignerStep => {
  const old = readyWhere(state.pool, (presignature) => isOverAge(presignature, nowMs), SWEEP_RECORDS_MAX);
  return unchanged({ ...state, pool: without(state.pool, old, "expired") });
};
