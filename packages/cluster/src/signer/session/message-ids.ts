import { MESSAGE_SESSIONS_REMEMBERED_MAX } from "../limits.ts";
import { emptyMap, lookUp, type PersistentMap, put } from "../records/persistent-map.ts";

/**
 * Ids of sessions that sign messages alone: they are in memory only, for a restart refuses what may have begun before it
 * (begin-signing.ts). They are forgotten all at once, an age after they came, so that no tick has to look for them.
 */
export interface MessageIds {
  readonly recent: PersistentMap<true>;
  readonly older: PersistentMap<true>;
}

export const NO_MESSAGE_IDS: MessageIds = { recent: emptyMap(), older: emptyMap() };

export const withMessageId = (ids: MessageIds, given: string): MessageIds => ({
  ...ids,
  recent: put(ids.recent, given, true),
});

export const hasMessageId = ({ recent, older }: MessageIds, given: string): boolean =>
  lookUp(recent, given) !== undefined || lookUp(older, given) !== undefined;

export const isFullOfMessages = ({ recent, older }: MessageIds): boolean =>
  recent.size + older.size >= MESSAGE_SESSIONS_REMEMBERED_MAX;

/** Forgets what came before the last turn. Between two turns lies more time than such a session may last. */
export const turned = ({ recent }: MessageIds): MessageIds => ({ recent: emptyMap(), older: recent });
