import type { FeeBid, FeeBumps } from "@conclave/chains";
import type { FamilyContent, Problem, Result } from "@conclave/custody";

/** The outcome of a check of a waiting transaction: as it is counted. */
export const BUMP_OUTCOMES = [
  "raised",
  "most-reached",
  "above-cap",
  "callers-fee",
  "not-permitted",
  "policy",
  "not-possible",
] as const;
export type BumpOutcome = (typeof BUMP_OUTCOMES)[number];

/**
 * Signers forget after 90 days what they signed for a request (REQUEST_AGE_MS_MAX). An orchestrator could then show one that landed, or
 * was cancelled, as one that waits, and have it paid once more (INV-4). A raise lives as long again at the most (WANTED of the
 * authorisations that are renewed), which together is well below that.
 */
const ASKED_MS_MAX = 30 * 24 * 60 * 60_000;

/** A transaction that waits, as far as a decision needs it. */
export interface StuckRequest {
  readonly rule: FeeBumps;
  /** blocks without it, since it was first seen to wait or since the last look */
  readonly waitedBlocks: bigint;
  /** how long ago it was asked for, milliseconds */
  readonly askedMs: number;
  /** whether a transaction of its account in a lower place has not landed: then its fee is not what it waits for */
  readonly isBehind: boolean;
  /** how often the service has raised the fee of its line before */
  readonly bumps: number;
  /** the bid now, or why there is none: the requester may not, or the chain does not replace it */
  readonly bid: Result<FeeBid>;
}

export type BumpDecision =
  | { readonly kind: "wait" }
  /** its row gets the reason; nothing is raised */
  | { readonly kind: "leave"; readonly outcome: BumpOutcome; readonly reason: string }
  | { readonly kind: "bump"; readonly content: FamilyContent };

/** Decides what becomes of a transaction that waits. */
export const decideBump = ({
  rule,
  waitedBlocks,
  askedMs,
  isBehind,
  bumps,
  bid,
}: StuckRequest): BumpDecision => {
  if (waitedBlocks < BigInt(rule.afterBlocks) || isBehind) return { kind: "wait" };
  if (askedMs > ASKED_MS_MAX) return leave("not-possible", "it was asked for more than 30 days ago");
  if (bumps >= rule.most) {
    return leave("most-reached", `it was raised ${bumps} times, and this network allows ${rule.most}`);
  }
  if (!bid.ok) return leaveBecause(bid.problem);
  switch (bid.value.kind) {
    case "bid":
      return { kind: "bump", content: bid.value.content };
    case "above-cap":
      return leave(
        "above-cap",
        `the least that takes its place is ${bid.value.least}, above the cap of ${rule.cap}`,
      );
    case "callers-fee":
      return leave("callers-fee", "its caller chose the fee, and may speed it up");
  }
};

type Left = Extract<BumpDecision, { kind: "leave" }>;

/** The words of a refusal for a request that nobody asked for. */
export const leaveBecause = ({ code, message }: Problem): Left => {
  switch (code) {
    case "PolicyBlocked":
      return leave("policy", message);
    case "PermissionMissing":
    case "WalletNotFound":
    case "KeyDelegated":
      return leave("not-permitted", message);
    default:
      return leave("not-possible", message);
  }
};

/** Why a fee is not raised, in the words that its request shows. */
const leave = (outcome: BumpOutcome, why: string): Left => ({
  kind: "leave",
  outcome,
  reason: `it waits to land, and its fee is not raised: ${why}`,
});
