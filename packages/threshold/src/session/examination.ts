import type { Entropy } from "../entropy.ts";
import type { PartyIndex } from "../fault.ts";
import type { Secret } from "../secret.ts";
import type { Inbox, Round, Step } from "./round.ts";

/** What the check of one peer's messages came to. */
export type Verdict =
  /** @param found what only the check could learn, such as plaintexts */
  | { readonly kind: "stands"; readonly found: Secret<readonly bigint[]> }
  /** @param check of the accusation, such as "presign/2 Πaff-g of D" */
  | { readonly kind: "fails"; readonly check: string };

/**
 * The costly part of the checks of one peer's messages. It draws no chance and changes nothing, so it may be done
 * anywhere and in any order, and gives the same verdict.
 */
export interface PeerCheck {
  readonly peer: PartyIndex;
  /** Does it here. */
  readonly perform: () => Verdict;
  /** The same for another thread of this party (checks/job.ts): jobCodec, without any secret of the session. */
  readonly job: () => Uint8Array;
}

/** A round with all its messages, up to the verdicts on its peers. */
export interface Examination<Output> {
  /** at most one a peer, ascending; none of a peer that fails a cheap check already */
  readonly checks: readonly PeerCheck[];
  /**
   * Goes on with the verdicts. It asks for those of peers in ascending order and stops at the first that fails, so
   * that whom it accuses depends on no order in which checks were done.
   */
  readonly conclude: (verdictOn: (peer: PartyIndex) => Verdict, entropy: Entropy) => Step<Output>;
}

/** A round whose checks can be done elsewhere; `advance` does each here, when it is asked for. */
export const examinedRound = <Output>(
  round: Omit<Round<Output>, "advance" | "examine"> & {
    readonly examine: (inbox: Inbox) => Examination<Output>;
  },
): Round<Output> => ({
  ...round,
  advance: (inbox, entropy) => concludeHere(round.examine(inbox), entropy),
});

/** Does every check on the spot, the later ones only if the earlier ones stand. */
export const concludeHere = <Output>(
  { checks, conclude }: Examination<Output>,
  entropy: Entropy,
): Step<Output> =>
  conclude((peer) => {
    const check = checks.find((one) => one.peer === peer);
    if (check === undefined) throw new RangeError(`no check of party ${peer}`);
    return check.perform();
  }, entropy);

/** The same round with something else made of each of its steps. */
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
