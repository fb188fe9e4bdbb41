import { problem } from "@conclave/custody";
import type { SignerEffect } from "../effect.ts";
import type { SignerEvent } from "../event.ts";
import { DISCARD_IDS_MAX, SWEEP_RECORDS_MAX } from "../limits.ts";
import { lookUp } from "../records/persistent-map.ts";
import { RECORDS, type ReadyRecord } from "../records/record.ts";
import { refuse } from "../session/begin.ts";
import { type SignerState, type SignerStep, unchanged } from "../state.ts";
import { groupOf, isOverAge, type Pool, type PresignatureFate, readyWhere, without } from "./pool.ts";

type Discard = Extract<SignerEvent, { readonly kind: "discard-presignatures" }>;

const erasure = (
  ids: readonly string[],
  sync: boolean,
  shreds: readonly string[] = [],
): readonly SignerEffect[] =>
  ids.length + shreds.length === 0
    ? []
    : [{ kind: "batch", puts: [], erases: ids.map((id) => RECORDS.presignature.name(id)), shreds, sync }];

/** The groups of some ready presignatures in which no other is left. */
const emptiedGroups = (before: Pool, ids: readonly string[], after: Pool): readonly string[] => {
  const groups = (pool: Pool, chosen: Iterable<string>) =>
    new Set(
      [...chosen].flatMap((id) => {
        const record = lookUp(pool.ready, id);
        return record === undefined ? [] : [groupOf(record)];
      }),
    );
  const left = groups(
    after,
    readyWhere(after, () => true),
  );
  return [...groups(before, ids)].filter((group) => !left.has(group));
};

/**
 * Removes ready presignatures for which something holds: their secrets were never used, so no tombstone is needed, and an
 * id that is not ready is refused for ever. A whole epoch that goes is shredded: no copy of the disk gives it back.
 *
 * @param over groups that are over; of what was spent of them, a disk keeps copies too
 */
export const burnWhere = (
  state: SignerState,
  holds: (record: ReadyRecord) => boolean,
  over: readonly string[] = [],
): SignerStep => {
  const ids = readyWhere(state.pool, holds);
  const pool = without(state.pool, ids, "burnt");
  const shreds = [...new Set([...emptiedGroups(state.pool, ids, pool), ...over])];
  return { state: { ...state, pool }, effects: erasure(ids, true, shreds) };
};

/**
 * Burns the presignatures that the caller names and that are ready. This is always safe: at worst they have to be
 * made again.
 */
export const discardPresignatures = (state: SignerState, { call, ids }: Discard): SignerStep => {
  if (ids.length > DISCARD_IDS_MAX) {
    return refuse(state, call, problem("InvalidBody", {}, `At most ${DISCARD_IDS_MAX} ids at once.`));
  }
  const ready = [...new Set(ids)].filter((id) => lookUp(state.pool.ready, id) !== undefined);
  return {
    state: { ...state, pool: without(state.pool, ready, "burnt") },
    effects: [
      ...erasure(ready, true),
      { kind: "report", call, report: { kind: "presignatures-discarded", count: ready.length } },
    ],
  };
};

/** Burns presignatures that waited too long. If such a write is lost, the next sweep makes it again. */
export const sweepPool = (state: SignerState, nowMs: number): SignerStep => {
  const fate: PresignatureFate = "expired";
  const old = readyWhere(state.pool, (record) => isOverAge(record, nowMs), SWEEP_RECORDS_MAX);
  return old.length === 0
    ? unchanged(state)
    : { state: { ...state, pool: without(state.pool, old, fate) }, effects: erasure(old, false) };
};
