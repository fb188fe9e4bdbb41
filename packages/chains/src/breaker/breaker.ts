/** Calls in a row that end in silence before a node is left alone. */
const SILENCES_MOST = 3;
/** The first pause without calls; it doubles after each probe that ends in silence. */
const PAUSE_MS_LEAST = 1_000;
const PAUSE_MS_MOST = 15_000;

/** The knowledge from past calls whether a node answers. */
export type Breaker =
  /** every call goes out */
  | { readonly kind: "closed"; readonly silences: number }
  /** no call goes out, but for a probe after each pause */
  | { readonly kind: "open"; readonly pauseMs: number };

export const CLOSED: Breaker = { kind: "closed", silences: 0 };

/**
 * Notes how a call ended.
 * @param wasSilent the node did not answer in its time; what it refuses, or refuses at once to be reached, costs nobody time
 */
export const afterCall = (breaker: Breaker, wasSilent: boolean): Breaker => {
  if (!wasSilent) return CLOSED;
  // one that went out before is no news
  if (breaker.kind === "open") return breaker;
  const silences = breaker.silences + 1;
  return silences < SILENCES_MOST ? { kind: "closed", silences } : { kind: "open", pauseMs: PAUSE_MS_LEAST };
};

/**
 * Notes how a probe ended that a slow piece of a caller's work gave rise to: the probe alone tells whether the node is silent.
 * @param wasSilent the probe was not answered in its time
 */
export const afterSuspicion = (breaker: Breaker, wasSilent: boolean): Breaker => {
  if (breaker.kind === "open") return breaker;
  return wasSilent ? { kind: "open", pauseMs: PAUSE_MS_LEAST } : CLOSED;
};

/** Notes how a probe ended. */
export const afterProbe = (breaker: Breaker, wasSilent: boolean): Breaker =>
  wasSilent && breaker.kind === "open"
    ? { kind: "open", pauseMs: Math.min(2 * breaker.pauseMs, PAUSE_MS_MOST) }
    : CLOSED;
