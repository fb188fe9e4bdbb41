import type { Entropy } from "../entropy.ts";
import type { PartyIndex } from "../fault.ts";
import type { Secret } from "../secret.ts";
import type { Inbox, Round, Step } from "./round.ts";

/** The result of checking one peer's messages. */
export type Verdict =
  /** @param found values that only the check could compute, such as plaintexts */
  | { readonly kind: "stands"; readonly found: Secret<readonly bigint[]> }
  /** @param check of the accusation, such as "presign/2 Πaff-g of D" */
  | { readonly kind: "fails"; readonly check: string };

/**
 * The costly part of the checks of one peer's messages. It is deterministic and has no effects, so it gives the same result
 * on any thread and in any order.
 */
export interface PeerCheck {
  readonly peer: PartyIndex;
  /** Performs the check on this thread. */
  readonly perform: () => Verdict;
  /** The check as bytes (jobCodec of checks/job.ts) for another thread of this party; without any secret of the session. */
  readonly job: () => Uint8Array;
}

/** A round that has all its messages and needs the results of its checks. */
export interface Examination<Output> {
  /** at most one for each peer, ascending; none for a peer that already failed a cheap check */
  readonly checks: readonly PeerCheck[];
  /**
   * Continues with the results. It asks for them in ascending order of peers and stops at the first failure, so that the
   * accused does not depend on the order in which the checks were performed.
   */
  readonly conclude: (verdictOn: (peer: PartyIndex) => Verdict, entropy: Entropy) => Step<Output>;
}

/** A round whose checks another thread can perform; `advance` performs each on this thread when its result is needed. */
export const examinedRound = <Output>(
  round: Omit<Round<Output>, "advance" | "examine"> & {
    readonly examine: (inbox: Inbox) => Examination<Output>;
  },
): Round<Output> => ({
  ...round,
  advance: (inbox, entropy) => concludeHere(round.examine(inbox), entropy),
});

/** Performs the checks on this thread, each one only if all earlier ones stand. */
export const concludeHere = <Output>(
  { checks, conclude }: Examination<Output>,
  entropy: Entropy,
): Step<Output> =>
  conclude((peer) => {
    const check = checks.find((one) => one.peer === peer);
    if (check === undefined) throw new RangeError(`no check of party ${peer}`);
    return check.perform();
  }, entropy);

/** The same round with `change` applied to each of its steps. */
export const changeSteps = <From, To>(
  round: Round<From>,
  change: (step: Step<From>) => Step<To>,
): Round<To> => {
  const { number, expects, advance, examine } = round;
  const changed = (inbox: Inbox, entropy: Entropy): Step<To> => change(advance(inbox, entropy));
  if (examine === undefined) return { number, expects, advance: changed };
  return {
    number,
    expects,
    advance: changed,
    examine: (inbox) => {
      const { checks, conclude } = examine(inbox);
      return { checks, conclude: (verdictOn, entropy) => change(conclude(verdictOn, entropy)) };
    },
  };
};
