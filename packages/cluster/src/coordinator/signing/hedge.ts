import type { PartyIndex } from "@conclave/threshold";
import { HEDGE_AFTER_MS } from "../limits.ts";
import type { ReadyPresignature } from "../presigning/inventory.ts";
import type { SigningAttempt } from "./attempt.ts";

/**
 * Signers that hold an attempt up: they have sent no report while at least half of the quorum waits, because a process
 * hangs or a host is too busy. If more than half are silent, the load is general, and another attempt would only add to
 * it.
 */
export const holdUp = ({
  quorum,
  heard,
}: Pick<SigningAttempt, "quorum" | "heard">): readonly PartyIndex[] => {
  const silent = quorum.filter((signer) => !heard.has(signer));
  return 2 * silent.length > quorum.length ? [] : silent;
};

/** Presignatures that need none of these signers. */
export const sparing = (
  presignatures: readonly ReadyPresignature[],
  signers: readonly PartyIndex[],
): readonly ReadyPresignature[] =>
  presignatures.filter((each) => !each.signers.some((signer) => signers.includes(signer)));

/**
 * When to check whether an attempt is held up, in milliseconds of the monotonic clock; undefined when no second attempt may
 * run beside it.
 */
export const hedgeAtMs = (
  { path, isHedged }: { readonly path: SigningAttempt["path"]; readonly isHedged: boolean },
  nowMs: number,
): number | undefined => (path.kind === "pooled" && !isHedged ? nowMs + HEDGE_AFTER_MS : undefined);
