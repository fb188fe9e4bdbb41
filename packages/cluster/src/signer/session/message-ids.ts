import { MESSAGE_SESSIONS_REMEMBERED_MAX } from "../limits.ts";
import { emptyMap, lookUp, type PersistentMap, put } from "../records/persistent-map.ts";

/** Some ids, and the farthest deadline among them, Unix milliseconds. */
interface Ids {
  readonly ids: PersistentMap<true>;
  readonly toMs: number;
}

/**
 * Sessions that sign messages alone, of this life: a command for another life begins none (control/lives.ts). Their ids are in memory only, and
 * are forgotten all at once, an age after they came, so that no tick has to look for them. A deadline that a forgotten one may have had is
 * refused for the rest of the life: so none begins twice, whatever the clock does (begin-signing.ts).
 */
export interface MessageIds {
  readonly recent: Ids;
  readonly older: Ids;
  /** no deadline at or before this is accepted, Unix milliseconds */
  readonly refusedToMs: number;
}

const NO_IDS: Ids = { ids: emptyMap(), toMs: 0 };

export const NO_MESSAGE_IDS: MessageIds = { recent: NO_IDS, older: NO_IDS, refusedToMs: 0 };

/** The ids with that of a session that begins now. */
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

/** Forgets what came before the last turn, once every deadline of it has passed: a clock that was ahead may have gone back. */
export const turned = (ids: MessageIds, nowMs: number): MessageIds =>
  ids.older.toMs > nowMs
    ? ids
    : {
        recent: NO_IDS,
        older: ids.recent,
        refusedToMs: Math.max(ids.refusedToMs, ids.older.toMs),
      };
