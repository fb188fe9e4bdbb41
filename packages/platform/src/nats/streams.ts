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

/** Work for the orchestrators. A full stream refuses new messages rather than dropping accepted ones (INV-5). */
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

/** What happened, for anyone who listens; kept for 31 days (service interface, Events). */
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

/** What the server answers when a stream of this name has other settings (JSStreamNameExistErr). */
const OTHER_SETTINGS = 10_058;

/**
 * What the server answers when another stream has these subjects (JSStreamSubjectOverlapErr), and now and then when this
 * very stream is being made for somebody else: it looks for the name first and for the subjects later.
 */
const SUBJECTS_TAKEN = 10_065;

/** The server's own interface to its streams, as far as it is used here. */
type Streams = Pick<StreamAPI, "add" | "update">;

const refusedWith = (error: unknown, code: number): boolean =>
  error instanceof JetStreamApiError && error.code === code;

/** A stream of an earlier version keeps what it holds, and gets the settings of this one. */
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
    // by now it is found by its name, unless the subjects really are another stream's
    return addOrUpdate(streams, stream);
  });

/**
 * Makes the streams where they are missing; one that is there with these very settings is left alone.
 *
 * @returns a name of the store of requests: another one than before when the server came back without its store
 */
export const ensureStreams = async (streams: Streams): Promise<string> => {
  const created = await ensureStream(streams, REQUESTS);
  await ensureStream(streams, EVENTS);
  return created;
};
