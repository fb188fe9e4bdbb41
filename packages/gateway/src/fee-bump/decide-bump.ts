import type { FeeBid, FeeBumps } from "@conclave/chains";
import type { FamilyContent, Problem, Result } from "@conclave/custody";

/** The counted outcomes of a check of a waiting transaction. */
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
 * The greatest age of a request whose fee is raised. Signers forget after 90 days what they signed for a request
 * (REQUEST_AGE_MS_MAX). An orchestrator could then show one that landed, or was cancelled, as waiting, and have it paid
 * again (INV-4). A raise can live at most as long again (WANTED of the renewed authorisations); the sum is well below
 * 90 days.
 */
const ASKED_MS_MAX = 30 * 24 * 60 * 60_000;

/** The facts of a waiting transaction that the decision needs. */
export interface StuckRequest {
  readonly rule: FeeBumps;
  /** number of blocks without it, since it was first seen to wait or since the last look */
  readonly waitedBlocks: bigint;
  /** age of the request, milliseconds */
  readonly askedMs: number;
  /** whether an earlier transaction of its account has not landed: then it waits for that one, and not because of its fee */
  readonly isBehind: boolean;
  /** how often the service has already raised the fee of its replacement chain */
  readonly bumps: number;
  /** the current bid, or why there is none: the requester has lost the right, or the chain does not replace it */
  readonly bid: Result<FeeBid>;
}

export type BumpDecision =
  | { readonly kind: "wait" }
  /** its row gets the reason, and no fee is raised */
  | { readonly kind: "leave"; readonly outcome: BumpOutcome; readonly reason: string }
  | { readonly kind: "bump"; readonly content: FamilyContent };

/** Decides whether to raise the fee of a waiting transaction. */
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

/** Words a refusal for a fee that no person asked to raise. */
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

/** The reason why a fee is not raised, in the words that its request shows. */
const leave = (outcome: BumpOutcome, why: string): Left => ({
  kind: "leave",
  outcome,
  reason: `it waits to land, and its fee is not raised: ${why}`,
});
