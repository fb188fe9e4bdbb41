/** The patience of a coordinator, in milliseconds unless named otherwise. */

/** Presigning and the online round of one quorum; some 1 to 3 s on a busy laptop. */
export const SIGNING_ATTEMPT_MS = 20_000;
/** The online round alone: a message each way, and a synced write. */
export const POOLED_ATTEMPT_MS = 5_000;
/**
 * When some signers of an online round have said nothing for so long while the others wait, another quorum is asked beside them.
 * Many times what a round takes, and no less than a signer may be late without being slow (SLOW_MS).
 */
export const HEDGE_AFTER_MS = 500;
/** Two rounds of FROST; some seconds below what signers take, so that one that started is soon of use. */
export const MESSAGE_ATTEMPT_MS = 8_000;
/** One presignature for the pool; the time is generous, because live signing goes first. */
export const PRESIGNING_ATTEMPT_MS = 30_000;
/** The age at which a presignature that some of its signers do not hold is discarded at the others. */
export const ORPHAN_AGE_MS = 2 * 60_000;
/** A presignature with less than this left to live is not chosen: the clocks of its signers differ a little. */
export const PRESIGNATURE_MARGIN_MS = 60_000;
export const KEY_ATTEMPT_MS = 30_000;
/** Each signer seals its share by itself: some milliseconds, and a synced write. */
export const KEY_EXPORT_ATTEMPT_MS = 10_000;
/** A refresh or reshare of one key: four rounds of all signers. */
export const KEY_CHANGE_ATTEMPT_MS = 30_000;
/** Fresh safe primes on every signer, then proofs of some 200 KB a pair. */
export const AUXILIARY_ATTEMPT_MS = 8 * 60_000;
/** How long after a deadline, or after the first signer gave up, the others may say who was silent: two ticks of theirs. */
export const FINAL_REPORTS_MS = 2_000;
/** First cool-down of a signer that failed; doubles with each failure in a row. */
export const COOL_DOWN_MS = 1_000;
export const COOL_DOWN_MS_MAX = 30_000;
/** Cool-down of a signer that was blamed with evidence (P15). */
export const FAULT_COOL_DOWN_MS = 10 * 60_000;
/** How long a coordinator names deadlines by the clock that a signer reported; then the clocks may agree again. */
export const CLOCK_REMEMBERED_MS: number = 10 * 60_000;
/** The furthest time that a signer's clock may show; beyond it the signer is broken or lies. */
export const CLOCK_APART_MS_MAX: number = 24 * 60 * 60_000;
/** How long others are preferred to a signer that took part in a failure of unknown origin. */
export const SUSPICION_MS = 60_000;
/**
 * How long two signers that failed together are kept apart at first: longer than the attempts that liars can make fail in
 * a row take (pairs.ts). Doubles with each failure in a row.
 */
export const PAIR_APART_MS: number = 5 * 60_000;
export const PAIR_APART_MS_MAX: number = 2 * 60 * 60_000;
/** A signer that answers so much later than others of the same session is avoided where there is a choice. */
export const SLOW_MS = 250;
/** How long that is remembered; then it is tried again. */
export const LAG_MEMORY_MS: number = 60_000;
/** Quorums that are looked at to find one without a pair that is kept apart; a count. */
export const QUORUM_SEARCH_STEPS_MAX = 256;
/** Sessions that are begun one right after another before a pause; a count. */
export const ATTEMPTS_IN_ROW_MAX = 10;
/** First such pause; doubles each time. */
export const PAUSE_MS = 1_000;
export const PAUSE_MS_MAX = 30_000;
/** Attempts of one run that renews auxiliary information: what fails waits at the signers; a count. */
export const RENEWAL_ATTEMPTS_MAX = 3;
/** Attempts that all signers show alike and whose receipts are verified, the latest first; a count. */
export const ATTEMPTS_VERIFIED_MAX = 32;
/** How soon an unanswered activation or discard is asked again. */
export const ASK_AGAIN_MS = 1_000;
/** How long a certificate of auxiliary information is shown to signers that do not answer; they get it later. */
export const SWITCH_MS_MAX = 10_000;
/**
 * How long the coordinator tries to discard the pending shares of a failed key; later coordinators discard what they
 * find.
 */
export const DISCARD_MS_MAX = 5 * 60_000;
