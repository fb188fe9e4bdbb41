import { AUTHORISATION_AGE_MS_MAX } from "@conclave/custody";

/**
 * Every limit of a signer, with its unit. The signer refuses or ignores what exceeds a limit, and queues nothing
 * without bound.
 */

/** Sessions that run at once. */
export const SESSIONS_MAX = 64;
/** The farthest deadline that a session may name: auxiliary generation with fresh safe primes is the longest. */
export const SESSION_LIFETIME_MS_MAX = 10 * 60_000;
/** The farthest deadline of a session that signs a message. Its id is remembered in memory alone, which this bounds. */
export const MESSAGE_SESSION_MS_MAX = 10_000;
export const MESSAGE_SESSIONS_REMEMBERED_MAX = 100_000;
/** How long a session id stays refused after its deadline. */
export const SESSION_MEMORY_MS = 60 * 60_000;
/** Sessions that begin in a second, on the average of an hour: several times what a signer can serve. */
const SESSIONS_PER_SECOND_MAX = 500;
/** Ids of sessions on the disk: each has some 300 bytes there, and none in memory. */
export const SESSIONS_REMEMBERED_MAX: number =
  (SESSIONS_PER_SECOND_MAX * (SESSION_LIFETIME_MS_MAX + SESSION_MEMORY_MS)) / 1_000;
/**
 * The oldest request that is signed, however lately it was authorised; what was signed for it is remembered as long, in the store
 * alone (INV-4). How many requests that are, the authority decides: a record takes an authorisation of its own.
 */
export const REQUEST_AGE_MS_MAX: number = 90 * 24 * 60 * 60_000;
/** Transactions of one request that exclude others differently, or have another deadline: its record holds all of them. */
export const BOUND_TRANSACTIONS_MAX = 128;
/**
 * The exclusions of all of them, in bytes: 14 transactions of the longest exclusion, or BOUND_TRANSACTIONS_MAX of a hundred
 * coins each.
 */
export const BOUND_EXCLUSION_BYTES_MAX: number = 512 * 1024;
/**
 * Unsigned transactions of one request that are kept whole, in bytes of all of them: the longest transaction, alone. An answer that
 * names them fits into one gRPC message.
 */
export const BOUND_BYTES_MAX: number = 512 * 1024;
/** How long after the deadline in a transaction a signer believes that it cannot land: clocks differ, blocks come late. */
export const DEADLINE_MARGIN_MS = 60_000;
/**
 * The furthest deadline of a transaction that was built for a request. Nothing else is signed for the request before it has passed, and an
 * orchestrator chooses it: one of decades would keep the request from ever being built again (INV-5). Clocks of chains differ from ours.
 */
export const DEADLINE_AHEAD_MS_MAX: number = 24 * 60 * 60_000;
/** The oldest request for a key's next epoch that is acted upon: an operator waits for it. */
export const KEY_CHANGE_AGE_MS_MAX: number = AUTHORISATION_AGE_MS_MAX;
/** The oldest request for an import that is acted upon, however lately it was authorised: its client does not wait longer. */
export const KEY_IMPORT_AGE_MS_MAX: number = 60 * 60_000;
/** The oldest request for an export that is acted upon: a client waits for it, and nobody signs it anew. */
export const KEY_EXPORT_AGE_MS_MAX: number = AUTHORISATION_AGE_MS_MAX;
/** Requests for which one key is handed out; each stays on record with the key. */
export const EXPORTS_PER_KEY_MAX = 32;
/** Requests that were bound lately and are in memory: all keys together have that many. */
export const RECENT_BINDINGS_MAX = 4_096;
/** Shares of new epochs of one key that wait here because they never became active. Each has some 10 KB at most. */
export const PENDING_EPOCHS_MAX = 4_096;
/** New epochs of auxiliary information that are shown of those that wait here: the latest. */
export const PENDING_AUXILIARY_SHOWN_MAX = 64;
/** How far above the active epoch a new one may be: failed attempts use up numbers; a wild one would use up all. */
export const EPOCHS_AHEAD_MAX: number = 2 ** 24;
/** The highest number of a first epoch of auxiliary information, which takes no authority. */
export const FIRST_EPOCH_MAX = 1_024;
/** First epochs that wait here; a further one takes the place of the lowest. */
export const FIRST_EPOCHS_KEPT = 4;
/** Attempts that the authority had discarded; they are remembered for ever. */
export const WAIVERS_MAX = 4_096;
/** The oldest authorisation of new auxiliary information that is acted upon: an operator waits for it, attempt by attempt. */
export const AUXILIARY_AGE_MS_MAX: number = AUTHORISATION_AGE_MS_MAX;
/** publicKeyInfoCodec of 64 holders has some 3 KB. */
export const PUBLIC_INFO_BYTES_MAX: number = 8 * 1024;
export const KEYS_MAX = 100_000;
/**
 * Envelopes of imports that a signer remembers, for ever: when there are as many, it takes no further one. Each has some
 * 300 bytes on the disk and 500 in memory.
 */
export const IMPORT_ENVELOPES_REMEMBERED_MAX = 1_000_000;
export const AUTHORISATION_BYTES_MAX = 64 * 1024;
/** A PSBT of 192 KiB in hex is the longest content, and something stands around it. */
export const SIGNING_AUTHORISATION_BYTES_MAX = 400 * 1024;
/** A transaction with what proves its coins: with the longest authorisation of what has its bytes elsewhere it fits into one gRPC message. */
export const TRANSACTION_BYTES_MAX = 512 * 1024;
/** Envelopes that one peer may send to one session: three times what any protocol needs, for what is sent again. */
export const ENVELOPES_PER_PEER_MAX = 48;
/** Envelopes of one peer that wait for sessions which have not begun here. */
export const MAIL_ENVELOPES_PER_PEER_MAX = 512;
export const MAIL_BYTES_PER_PEER_MAX = 4 * 1024 * 1024;
/** How long such an envelope waits. */
export const MAIL_AGE_MS_MAX = 30_000;
/** How long envelopes of a session that ended here are known as such, at least: as long as they would wait in the mail. */
export const ENDED_RUN_MS: number = MAIL_AGE_MS_MAX;
/** Runs that are remembered for that, in memory alone; some 200 bytes each. */
export const ENDED_RUNS_MAX = 16_384;
/** Presignatures of one key and one quorum that wait here, those being made included. */
export const PRESIGNATURES_PER_SET_MAX = 32;
/** Presignatures that wait here in all. */
export const PRESIGNATURES_MAX = 4_096;
/** Presignatures that are made at once, of the sessions that run at once: live signing keeps its room. */
export const PRESIGNINGS_MAX = 8;
/** How long a presignature may wait, in the memory of the process that made it. */
export const PRESIGNATURE_AGE_MS_MAX: number = 6 * 60 * 60_000;
/**
 * How far clocks may differ: a presignature from further in the future has an age that nobody knows, and is burnt; an
 * authorisation from further in the future is not acted upon yet.
 */
export const CLOCK_SKEW_MS_MAX = 60_000;
/** How long a spent presignature's tombstone outlives the presignature, in the store alone; each took a presigning to get. */
export const TOMBSTONE_MEMORY_MS = 24 * 60 * 60_000;
/**
 * How long a signer that starts waits for all its peers to confirm its store, before those that have answered suffice: each that has a link is asked
 * twice meanwhile.
 */
export const CONFIRMING_MS_MAX = 3_000;
/** How often peers are asked after a start whether they remember more spendings than we do, at first and at last. */
export const ASK_SPENDING_MS = 2_000;
export const ASK_SPENDING_MS_MAX = 10_000;
/** Presignatures that one call may discard. */
export const DISCARD_IDS_MAX = 4_096;
/** Sets of signers whose presignatures are counted one by one; the longest unchanged is forgotten first. */
export const SETS_COUNTED_MAX = 1_024;
/** How often old records are looked for. */
export const SWEEP_INTERVAL_MS = 60_000;
/** How much further a sweep may mark as forgotten: the clocks of authority and signer may be wrong together, for as long as that. */
export const FORGOTTEN_PER_SWEEP_MS: number = 5 * 60_000;
/** Presignatures forgotten in one sweep, so that a sweep is short. */
export const SWEEP_RECORDS_MAX = 1_000;
/** The longest time between two ticks while a session is open. */
export const TICK_MS_MAX = 1_000;
