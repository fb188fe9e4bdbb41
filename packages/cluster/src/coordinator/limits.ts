/** Time limits of coordinators, in milliseconds unless named otherwise. */

/** Presigning and the online round of one quorum; some 1 to 3 s on a busy laptop. */
export const SIGNING_ATTEMPT_MS = 20_000;
/** The online round alone: a message each way, and a synced write. */
export const POOLED_ATTEMPT_MS = 5_000;
/**
 * Wait before a second quorum is asked in parallel, when some signers of an online round have not answered and the
 * others wait. Many times the length of a round, and no shorter than the lag that counts as slow (SLOW_MS).
 */
export const HEDGE_AFTER_MS = 500;
/** Two rounds of FROST; some seconds below the farthest deadline that signers accept (MESSAGE_SESSION_MS_MAX). */
export const MESSAGE_ATTEMPT_MS = 8_000;
/** One presignature for the pool; generous, because live signing goes first. */
export const PRESIGNING_ATTEMPT_MS = 30_000;
/** Age from which a presignature that some of its signers lack is discarded at the others. */
export const ORPHAN_AGE_MS = 2 * 60_000;
/** Least remaining lifetime of a presignature that is chosen: the clocks of its signers differ a little. */
export const PRESIGNATURE_MARGIN_MS = 60_000;
export const KEY_ATTEMPT_MS = 30_000;
/** Each signer seals its share alone: some milliseconds, and a synced write. */
export const KEY_EXPORT_ATTEMPT_MS = 10_000;
/** A refresh or reshare of one key: four rounds of all signers. */
export const KEY_CHANGE_ATTEMPT_MS = 30_000;
/** Fresh safe primes on every signer, then proofs of some 200 KB a pair. */
export const AUXILIARY_ATTEMPT_MS = 8 * 60_000;
/**
 * How long after a deadline, or after the first signer gave up, the others may report whom they waited for: two of
 * their ticks.
 */
export const FINAL_REPORTS_MS = 2_000;
/** First cool-down of a signer that failed; doubles with each failure in a row. */
export const COOL_DOWN_MS = 1_000;
export const COOL_DOWN_MS_MAX = 30_000;
/** Cool-down of a signer that was blamed with evidence (P15). */
export const FAULT_COOL_DOWN_MS = 10 * 60_000;
/** How long a coordinator uses the clock that a signer reported; after that the clocks may agree again. */
export const CLOCK_REMEMBERED_MS: number = 10 * 60_000;
/** Greatest credible difference of a signer's clock; with a greater one the signer is broken or lies. */
export const CLOCK_APART_MS_MAX: number = 24 * 60 * 60_000;
/** How long other signers are preferred to one that took part in a failure of unknown origin. */
export const SUSPICION_MS = 60_000;
/**
 * How long two signers that failed together are first kept apart: longer than the attempts take that liars can make
 * fail in a row (pairs.ts). Doubles with each failure in a row.
 */
export const PAIR_APART_MS: number = 5 * 60_000;
export const PAIR_APART_MS_MAX: number = 2 * 60 * 60_000;
/** Lag, compared with others of the same session, from which a signer is avoided where there is a choice. */
export const SLOW_MS = 250;
/** How long a measured lag counts; then the signer is tried again. */
export const LAG_MEMORY_MS: number = 60_000;
/** Limit of the search for a quorum without a pair that is kept apart; a count. */
export const QUORUM_SEARCH_STEPS_MAX = 256;
/** Sessions that are begun without a pause; a count. */
export const ATTEMPTS_IN_ROW_MAX = 10;
/** First such pause; doubles each time. */
export const PAUSE_MS = 1_000;
export const PAUSE_MS_MAX = 30_000;
/** Attempts in one run that renews auxiliary information, as each failed one stays pending at the signers; a count. */
export const RENEWAL_ATTEMPTS_MAX = 3;
/** Attempts whose receipts are verified, of those that all signers show alike, the latest first; a count. */
export const ATTEMPTS_VERIFIED_MAX = 32;
/** Wait before an unanswered activation or discard is repeated. */
export const ASK_AGAIN_MS = 1_000;
/** How long a certificate of auxiliary information is shown to signers that do not answer; they get it later. */
export const SWITCH_MS_MAX = 10_000;
/**
 * How long the coordinator tries to discard the pending shares of a failed key; later coordinators discard what they
 * find.
 */
export const DISCARD_MS_MAX = 5 * 60_000;
