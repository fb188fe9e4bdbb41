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

type Stream = Pick<
  StreamConfig,
  "name" | "subjects" | "retention" | "storage" | "discard" | "duplicate_window" | "max_msgs" | "max_age"
>;

/** Requests for the orchestrators. A full stream refuses new messages; it does not drop accepted ones (INV-5). */
const REQUESTS: Stream = {
  name: "REQUESTS",
  subjects: ["conclave.request.>"],
  retention: RetentionPolicy.Workqueue,
  storage: StorageType.File,
  discard: DiscardPolicy.New,
  duplicate_window: DUPLICATE_WINDOW_MS * NANOSECONDS_A_MILLISECOND,
  max_msgs: MOST_MESSAGES,
  max_age: 0,
};

/** Public events, kept for 31 days (service interface, Events). */
const EVENTS: Stream = {
  name: "EVENTS",
  subjects: ["wallet.>", "key.>", "policy.>"],
  retention: RetentionPolicy.Limits,
  storage: StorageType.File,
  discard: DiscardPolicy.Old,
  duplicate_window: DUPLICATE_WINDOW_MS * NANOSECONDS_A_MILLISECOND,
  max_msgs: MOST_MESSAGES,
  max_age: EVENT_AGE_MS * NANOSECONDS_A_MILLISECOND,
};

/** Error code of the server if a stream of this name has other settings (JSStreamNameExistErr). */
const OTHER_SETTINGS = 10_058;

/**
 * Error code of the server if another stream has these subjects (JSStreamSubjectOverlapErr). It also occurs while another
 * client creates the same stream, because the server checks the name first and the subjects later.
 */
const SUBJECTS_TAKEN = 10_065;

/** The part of the server's stream API that is used here. */
type Streams = Pick<StreamAPI, "add" | "update">;

const refusedWith = (error: unknown, code: number): boolean =>
  error instanceof JetStreamApiError && error.code === code;

/** Creates a stream. A stream of an older version keeps its messages and gets the current settings. */
const addOrUpdate = async (streams: Streams, stream: Stream): Promise<string> => {
  try {
    return (await streams.add(stream)).created;
  } catch (error) {
    if (!refusedWith(error, OTHER_SETTINGS)) throw error;
    const { name, retention: _retention, storage: _storage, ...settings } = stream;
    return (await streams.update(name, settings)).created;
  }
};

const ensureStream = (streams: Streams, stream: Stream): Promise<string> =>
  addOrUpdate(streams, stream).catch((error: unknown) => {
    if (!refusedWith(error, SUBJECTS_TAKEN)) throw error;
    // by now the stream is found by its name, unless another stream really has the subjects
    return addOrUpdate(streams, stream);
  });

/**
 * Creates missing streams. A stream that exists with the same settings is left as it is.
 *
 * @returns the name of the request store; it differs from the earlier name if the server came back without its store
 */
export const ensureStreams = async (streams: Streams): Promise<string> => {
  const created = await ensureStream(streams, REQUESTS);
  await ensureStream(streams, EVENTS);
  return created;
};
