import type { PartyIndex } from "@conclave/threshold";
import { HEDGE_AFTER_MS } from "../limits.ts";
import type { ReadyPresignature } from "../presigning/inventory.ts";
import type { SigningAttempt } from "./attempt.ts";

/**
 * Signers that hold an attempt up: they have not said a word while at least half of the quorum waits. A process that hangs, or
 * a host that is too busy. When more are late, all are: another attempt would only add to their work.
 */
export const holdUp = ({
  quorum,
  heard,
}: Pick<SigningAttempt, "quorum" | "heard">): readonly PartyIndex[] => {
  const silent = quorum.filter((signer) => !heard.has(signer));
  return 2 * silent.length > quorum.length ? [] : silent;
};

/** Presignatures that do without these signers. */
export const sparing = (
  presignatures: readonly ReadyPresignature[],
  signers: readonly PartyIndex[],
): readonly ReadyPresignature[] =>
  presignatures.filter((each) => !each.signers.some((signer) => signers.includes(signer)));

/** When it is looked whether an attempt is held up, in milliseconds of the clock that only counts; undefined when no other may run beside it. */
export const hedgeAtMs = (
  { path, isHedged }: { readonly path: SigningAttempt["path"]; readonly isHedged: boolean },
  nowMs: number,
): number | undefined => (path.kind === "pooled" && !isHedged ? nowMs + HEDGE_AFTER_MS : undefined);
