import {
  type KnownSigners,
  type ReadyPresignature,
  type SigningCoordinator,
  type SigningResult,
  type SigningStep,
  stepSigningCoordinator,
} from "@conclave/cluster";
import type { Machine } from "@conclave/platform/coordination";

/** Limit on a request's attempts with presignatures of the pool, so that one that always fails does not use up the stock. */
const POOLED_ATTEMPTS_MAX = 3;

/** The source of presignatures for signatures. */
export interface PresignatureSource {
  /** notes that a request for this key takes this many presignatures */
  noteUse(keyId: string, count: number): void;
  /** the presignatures from which an attempt may choose now, best first */
  offer(keyId: string): readonly ReadyPresignature[];
  /** an attempt began with these; must be called in the same turn as the offer */
  take(taken: readonly ReadyPresignature[]): void;
}

interface Offered {
  readonly presignatures: readonly ReadyPresignature[];
}

interface Drawing {
  readonly open: (known: KnownSigners & Offered, nowMs: number) => SigningStep;
  /** undefined for a request that uses no presignature of the stock */
  readonly source: PresignatureSource | undefined;
  readonly keyId: string;
}

/**
 * A signing coordinator that is offered the stock before each step. Presignatures with which a step began an attempt
 * leave the stock; all others stay in it, so that a signature takes no more than it uses.
 */
export const drawing = ({ open, source, keyId }: Drawing): Machine<SigningCoordinator, SigningResult> => {
  let attempts = 0;
  const drawn = (advance: (offered: Offered) => SigningStep): SigningStep => {
    const offered = attempts < POOLED_ATTEMPTS_MAX ? (source?.offer(keyId) ?? []) : [];
    const step = advance({ presignatures: offered });
    const left = new Set(step.state.presignatures);
    const used = offered.filter((each) => !left.has(each));
    if (used.length > 0) {
      attempts += 1;
      source?.take(used);
    }
    return step;
  };
  return {
    open: (known, nowMs) => drawn((offered) => open({ ...known, ...offered }, nowMs)),
    step: (state, event, nowMs) =>
      drawn((offered) => stepSigningCoordinator({ ...state, ...offered }, event, nowMs)),
  };
};
