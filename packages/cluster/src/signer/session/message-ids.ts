import { MESSAGE_SESSIONS_REMEMBERED_MAX } from "../limits.ts";
import { emptyMap, lookUp, type PersistentMap, put } from "../records/persistent-map.ts";

/** Some ids, and the farthest deadline among them, Unix milliseconds. */
interface Ids {
  readonly ids: PersistentMap<true>;
  readonly toMs: number;
}

/**
 * Ids of sessions of this life that sign only messages; a command for another life begins none (control/lives.ts). They
 * are in memory only, and forgotten in groups, so that no tick has to search them. From then on, deadlines that a
 * forgotten one may have had are refused for the rest of the life, so no session begins twice, whatever the clock does
 * (begin-signing.ts).
 */
export interface MessageIds {
  readonly recent: Ids;
  readonly older: Ids;
  /** no deadline at or before this is accepted, Unix milliseconds */
  readonly refusedToMs: number;
}

const NO_IDS: Ids = { ids: emptyMap(), toMs: 0 };

export const NO_MESSAGE_IDS: MessageIds = { recent: NO_IDS, older: NO_IDS, refusedToMs: 0 };

/** Adds the id of a session that begins now. */
export const withMessageId = (ids: MessageIds, given: string, expiresAtMs: number): MessageIds => ({
  ...ids,
  recent: {
    ids: put(ids.recent.ids, given, true as const),
    toMs: Math.max(ids.recent.toMs, expiresAtMs),
  },
});

export const hasMessageId = ({ recent, older }: MessageIds, given: string): boolean =>
  lookUp(recent.ids, given) !== undefined || lookUp(older.ids, given) !== undefined;

export const isFullOfMessages = ({ recent, older }: MessageIds): boolean =>
  recent.ids.size + older.ids.size >= MESSAGE_SESSIONS_REMEMBERED_MAX;

/** Forgets the older group once all its deadlines have passed; a clock that was ahead may have gone back. */
export const turned = (ids: MessageIds, nowMs: number): MessageIds =>
  ids.older.toMs > nowMs
    ? ids
    : {
        recent: NO_IDS,
        older: ids.recent,
        refusedToMs: Math.max(ids.refusedToMs, ids.older.toMs),
      };
