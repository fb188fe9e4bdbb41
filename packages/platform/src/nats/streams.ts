import { EVENT_KINDS } from "@conclave/custody";
import {
  DiscardPolicy,
  JetStreamApiError,
  RetentionPolicy,
  StorageType,
  type StreamAPI,
  type StreamConfig,
} from "@nats-io/jetstream";

const NANOSECONDS_A_MILLISECOND = 1_000_000;
const DUPLICATE_WINDOW_MS = 120_000;
const MOST_MESSAGES = 1_000_000;
const EVENT_AGE_MS = 31 * 24 * 3_600_000;

/** Settings of the event stream. */
export interface EventStorage {
  /** when the stream is full, the oldest events are dropped; they stay in the database */
  readonly maxBytes: number;
  /** how many servers of a NATS cluster store it, 1 to 5 */
  readonly replicas: number;
}

export const EVENTS_DEFAULTS: EventStorage = { maxBytes: 256 * 1024 * 1024, replicas: 1 };

type Stream = Pick<
  StreamConfig,
  | "name"
  | "subjects"
  | "retention"
  | "storage"
  | "discard"
  | "duplicate_window"
  | "max_msgs"
  | "max_bytes"
  | "max_age"
  | "num_replicas"
>;

/** The subjects of all kinds of event: an event is published under its kind. */
const SUBJECTS = [...new Set(EVENT_KINDS.map((kind) => `${kind.slice(0, kind.indexOf("."))}.>`))];

/**
 * Public events, kept for 31 days (service interface, Events). When full it drops the oldest events, and never refuses
 * a new one.
 */
const eventsStream = ({ maxBytes, replicas }: EventStorage): Stream => ({
  name: "EVENTS",
  subjects: SUBJECTS,
  retention: RetentionPolicy.Limits,
  storage: StorageType.File,
  discard: DiscardPolicy.Old,
  duplicate_window: DUPLICATE_WINDOW_MS * NANOSECONDS_A_MILLISECOND,
  max_msgs: MOST_MESSAGES,
  max_bytes: maxBytes,
  max_age: EVENT_AGE_MS * NANOSECONDS_A_MILLISECOND,
  num_replicas: replicas,
});

/** Earlier versions sent requests through this stream. Its content is in the database too. */
const FORMER_STREAM = "REQUESTS";

/** Error code of the server if a stream of this name has other settings (JSStreamNameExistErr). */
const OTHER_SETTINGS = 10_058;

/**
 * Error code of the server if another stream has these subjects (JSStreamSubjectOverlapErr). It also occurs while another
 * client creates the same stream, because the server checks the name first and the subjects later.
 */
const SUBJECTS_TAKEN = 10_065;

/** Error code of the server if there is no such stream (JSStreamNotFoundErr). */
const NOT_FOUND = 10_059;

/** The part of the server's stream API that is used here. */
type Streams = Pick<StreamAPI, "add" | "update" | "delete">;

const refusedWith = (error: unknown, code: number): boolean =>
  error instanceof JetStreamApiError && error.code === code;

/** Creates a stream. A stream of an older version keeps its messages and gets the current settings. */
const addOrUpdate = async (streams: Streams, stream: Stream): Promise<void> => {
  try {
    await streams.add(stream);
  } catch (error) {
    if (!refusedWith(error, OTHER_SETTINGS)) throw error;
    const { name, retention: _retention, storage: _storage, ...settings } = stream;
    await streams.update(name, settings);
  }
};

/**
 * Creates the stream of events if it is missing, applies these settings, and removes the stream that former versions
 * had beside it.
 */
export const ensureEvents = async (streams: Streams, storage: EventStorage): Promise<void> => {
  const stream = eventsStream(storage);
  await addOrUpdate(streams, stream).catch((error: unknown) => {
    if (!refusedWith(error, SUBJECTS_TAKEN)) throw error;
    // by now the stream exists under its name, unless another stream really has the subjects
    return addOrUpdate(streams, stream);
  });
  await streams.delete(FORMER_STREAM).catch((error: unknown) => {
    if (!refusedWith(error, NOT_FOUND)) throw error;
  });
};
