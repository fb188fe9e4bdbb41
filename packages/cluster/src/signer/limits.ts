import { AUTHORISATION_AGE_MS_MAX } from "@conclave/custody";

/**
 * Every limit of a signer, with its unit. The signer refuses or ignores what exceeds a limit, and queues nothing
 * without bound.
 */

/** Sessions that run at the same time. */
export const SESSIONS_MAX = 64;
/** The farthest deadline that a session may name; auxiliary generation with fresh safe primes is the longest. */
export const SESSION_LIFETIME_MS_MAX = 10 * 60_000;
/** The farthest deadline of a session that signs a message: it limits how many of its kind's ids must be kept in memory. */
export const MESSAGE_SESSION_MS_MAX = 10_000;
export const MESSAGE_SESSIONS_REMEMBERED_MAX = 100_000;
/** How long a session id stays refused after its deadline. */
export const SESSION_MEMORY_MS = 60 * 60_000;
/** Sessions that may begin per second, averaged over an hour: several times what a signer can serve. */
const SESSIONS_PER_SECOND_MAX = 500;
/** Session ids on the disk: each takes some 300 bytes there, and none in memory. */
export const SESSIONS_REMEMBERED_MAX: number =
  (SESSIONS_PER_SECOND_MAX * (SESSION_LIFETIME_MS_MAX + SESSION_MEMORY_MS)) / 1_000;
/**
 * Age from which a request is not signed, however recent its authorisation; its bindings are kept as long, in the store
 * alone (INV-4). The authority decides how many requests there are: a record needs an authorisation of its own.
 */
export const REQUEST_AGE_MS_MAX: number = 90 * 24 * 60 * 60_000;
/** Transactions of one request with different exclusions or deadlines: its record holds all of them. */
export const BOUND_TRANSACTIONS_MAX = 128;
/**
 * Total size of their exclusions, in bytes: 14 transactions of the longest exclusion, or BOUND_TRANSACTIONS_MAX of a
 * hundred coins each.
 */
export const BOUND_EXCLUSION_BYTES_MAX: number = 512 * 1024;
/**
 * Total size of the unsigned transactions that are kept for one request, in bytes: the longest transaction alone. An
 * answer with all of them fits into one gRPC message.
 */
export const BOUND_BYTES_MAX: number = 512 * 1024;
/** Time after the deadline in a transaction from which a signer considers it dead: clocks differ, and blocks come late. */
export const DEADLINE_MARGIN_MS = 60_000;
/**
 * The farthest deadline of a transaction that was built for a request. Until it has passed, no other transaction is
 * signed for the request. As an orchestrator chooses it, a deadline decades ahead would prevent the request from ever
 * being built again (INV-5). Clocks of chains differ from ours.
 */
export const DEADLINE_AHEAD_MS_MAX: number = 24 * 60 * 60_000;
/** Age from which a request for a key's next epoch is refused: an operator waits for it. */
export const KEY_CHANGE_AGE_MS_MAX: number = AUTHORISATION_AGE_MS_MAX;
/** Age from which a request for an import is refused, however recent its authorisation: its client does not wait longer. */
export const KEY_IMPORT_AGE_MS_MAX: number = 60 * 60_000;
/** Age from which a request for an export is refused: a client waits for it, and its authorisation is not renewed. */
export const KEY_EXPORT_AGE_MS_MAX: number = AUTHORISATION_AGE_MS_MAX;
/** Exports of one key; each stays recorded with the key. */
export const EXPORTS_PER_KEY_MAX = 32;
/** Recently bound requests in memory, of all keys together. */
export const RECENT_BINDINGS_MAX = 4_096;
/** Pending shares of one key, whose epochs never became active. Each has some 10 KB at most. */
export const PENDING_EPOCHS_MAX = 4_096;
/** Pending epochs of auxiliary information in a status, the latest. */
export const PENDING_AUXILIARY_SHOWN_MAX = 64;
/** How far a new epoch may be above the active one: failed attempts use numbers up, and one extreme number would use up all. */
export const EPOCHS_AHEAD_MAX: number = 2 ** 24;
/** The highest number of a first epoch of auxiliary information, which needs no authorisation. */
export const FIRST_EPOCH_MAX = 1_024;
/** Pending first epochs; a further one replaces the lowest. */
export const FIRST_EPOCHS_KEPT = 4;
/** Discarded attempts, which are remembered for ever. */
export const WAIVERS_MAX = 4_096;
/** Age from which a request for new auxiliary information is refused: an operator waits for it, attempt by attempt. */
export const AUXILIARY_AGE_MS_MAX: number = AUTHORISATION_AGE_MS_MAX;
/** publicKeyInfoCodec of 64 holders has some 3 KB. */
export const PUBLIC_INFO_BYTES_MAX: number = 8 * 1024;
export const KEYS_MAX = 100_000;
/**
 * Envelopes of imports that a signer remembers, for ever; at this number it takes no more. Each has some 300 bytes on
 * the disk and 500 in memory.
 */
export const IMPORT_ENVELOPES_REMEMBERED_MAX = 1_000_000;
export const AUTHORISATION_BYTES_MAX = 64 * 1024;
/** Size of an authorisation to sign: the longest content is a PSBT of 192 KiB in hex. */
export const SIGNING_AUTHORISATION_BYTES_MAX = 400 * 1024;
/**
 * Size of a transaction with the proofs of its coins; together with the longest authorisation of such a transaction it
 * fits into one gRPC message.
 */
export const TRANSACTION_BYTES_MAX = 512 * 1024;
/** Envelopes that one peer may send to one session: three times what any protocol needs, to allow for repetitions. */
export const ENVELOPES_PER_PEER_MAX = 48;
/** Envelopes of one peer for sessions that have not begun here. */
export const MAIL_ENVELOPES_PER_PEER_MAX = 512;
export const MAIL_BYTES_PER_PEER_MAX = 4 * 1024 * 1024;
/** How long such an envelope is kept. */
export const MAIL_AGE_MS_MAX = 30_000;
/** How long the runs of ended sessions are at least remembered: as long as an envelope may wait in the mail. */
export const ENDED_RUN_MS: number = MAIL_AGE_MS_MAX;
/** Ended runs in memory; some 200 bytes each. */
export const ENDED_RUNS_MAX = 16_384;
/** Presignatures of one key and one quorum, including those being made. */
export const PRESIGNATURES_PER_SET_MAX = 32;
/** Presignatures in all. */
export const PRESIGNATURES_MAX = 4_096;
/** Sessions that make presignatures at the same time, so that live signing keeps its room. */
export const PRESIGNINGS_MAX = 8;
/** How long a presignature may wait in memory. */
export const PRESIGNATURE_AGE_MS_MAX: number = 6 * 60 * 60_000;
/**
 * How far clocks may differ: a presignature dated further ahead has an unknown age, and is burnt; an authorisation
 * dated further ahead is not accepted yet.
 */
export const CLOCK_SKEW_MS_MAX = 60_000;
/** How long the tombstone of a spent presignature outlives it, in the store alone; each took a presigning to get. */
export const TOMBSTONE_MEMORY_MS = 24 * 60 * 60_000;
/**
 * How long a signer waits after its start for all peers to confirm its store, before those that have answered suffice:
 * each connected peer is asked twice in that time.
 */
export const CONFIRMING_MS_MAX = 3_000;
/**
 * How often peers are asked after a start whether they remember a higher count than ours: the first and the longest
 * interval.
 */
export const ASK_SPENDING_MS = 2_000;
export const ASK_SPENDING_MS_MAX = 10_000;
/** Presignatures that one call may discard. */
export const DISCARD_IDS_MAX = 4_096;
/** Sets of signers with separate counts; the one unchanged for longest is dropped first. */
export const SETS_COUNTED_MAX = 1_024;
/** How often old records are forgotten. */
export const SWEEP_INTERVAL_MS = 60_000;
/**
 * How much further one sweep may move the mark of forgetting: the clocks of authority and signer may both be wrong for
 * a while.
 */
export const FORGOTTEN_PER_SWEEP_MS: number = 5 * 60_000;
/** Presignatures forgotten in one sweep, so that a sweep is short. */
export const SWEEP_RECORDS_MAX = 1_000;
/** The longest time between two ticks while a session is open. */
export const TICK_MS_MAX = 1_000;
