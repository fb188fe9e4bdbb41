import { MESSAGE_DEADLINES_AHEAD_MS, MESSAGE_SESSIONS_REMEMBERED_MAX } from "../limits.ts";
import { emptyMap, lookUp, type PersistentMap, put } from "../records/persistent-map.ts";
import { ACCEPTED_ID, RECORDS } from "../records/record.ts";

/** Some ids, and the farthest deadline among them, Unix milliseconds. */
interface Ids {
  readonly ids: PersistentMap<true>;
  readonly toMs: number;
}

/**
 * Sessions that sign messages alone. Their ids are in memory only, and are forgotten all at once, an age after they came, so that no tick
 * has to look for them. A deadline that a forgotten one may have had is refused for ever, in this life and in later ones: so none begins
 * twice, whatever the clock does (begin-signing.ts).
 */
export interface MessageIds {
  readonly recent: Ids;
  readonly older: Ids;
  /** no deadline at or before this is accepted, Unix milliseconds */
  readonly refusedToMs: number;
  /** as it is on the disk: no deadline beyond this was accepted, Unix milliseconds */
  readonly acceptedToMs: number;
}

const NO_IDS: Ids = { ids: emptyMap(), toMs: 0 };

export const NO_MESSAGE_IDS: MessageIds = { recent: NO_IDS, older: NO_IDS, refusedToMs: 0, acceptedToMs: 0 };

export const markOfAccepted = (toMs: number) => ({
  record: RECORDS.accepted.name(ACCEPTED_ID),
  value: RECORDS.accepted.write({ version: 1, toMs }),
});

/** At a start: the lives before accepted no deadline beyond this, Unix milliseconds. */
export const afterLives = (acceptedToMs: number): MessageIds => ({
  ...NO_MESSAGE_IDS,
  refusedToMs: acceptedToMs,
  acceptedToMs,
});

/**
 * A session that begins now.
 *
 * @returns the ids with it, and the write to be made durable before it begins: one in MESSAGE_DEADLINES_AHEAD_MS, however many begin
 */
export const withMessageId = (ids: MessageIds, given: string, expiresAtMs: number) => {
  const recent = {
    ids: put(ids.recent.ids, given, true as const),
    toMs: Math.max(ids.recent.toMs, expiresAtMs),
  };
  if (expiresAtMs <= ids.acceptedToMs) return { ids: { ...ids, recent }, writes: [] } as const;
  const acceptedToMs = expiresAtMs + MESSAGE_DEADLINES_AHEAD_MS;
  const write = { kind: "store", ...markOfAccepted(acceptedToMs) } as const;
  return { ids: { ...ids, recent, acceptedToMs }, writes: [write] } as const;
};

export const hasMessageId = ({ recent, older }: MessageIds, given: string): boolean =>
  lookUp(recent.ids, given) !== undefined || lookUp(older.ids, given) !== undefined;

export const isFullOfMessages = ({ recent, older }: MessageIds): boolean =>
  recent.ids.size + older.ids.size >= MESSAGE_SESSIONS_REMEMBERED_MAX;

/** Forgets what came before the last turn, once every deadline of it has passed: a clock that was ahead may have gone back. */
export const turned = (ids: MessageIds, nowMs: number): MessageIds =>
  ids.older.toMs > nowMs
    ? ids
    : {
        ...ids,
        recent: NO_IDS,
        older: ids.recent,
        refusedToMs: Math.max(ids.refusedToMs, ids.older.toMs),
      };
