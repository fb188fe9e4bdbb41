import type { Reached } from "../watch/reached.ts";
import type { Violation } from "./violation.ts";

/** All that a run left on record about signers that are said to deviate. */
export interface BlameFacts {
  /** faults in the database */
  readonly faults: readonly {
    readonly culprit: number;
    readonly reporter: number;
    readonly checkName: string;
  }[];
  /** entries of signers' stores by which these sign nothing with a peer */
  readonly quarantines: readonly { readonly signer: string; readonly entry: string }[];
  readonly reached: Reached;
}

/** Log events and answers that say that a signer is proven to deviate. */
const SAYS_BLAME =
  / (?:logs (?:peer-deviated|peer-quarantined|signer-deviated|fault-not-stored)|is answered: fault|is refused: PeerFault)$/;

/** INV-7: an honest signer is never blamed. No signer of a world deviates, so that any blame is of an honest one. */
export const blamedSigners = ({ faults, quarantines, reached }: BlameFacts): readonly Violation[] =>
  [
    ...faults.map(
      ({ culprit, reporter, checkName }) =>
        `the database has a fault of signer-${culprit}, which signer-${reporter} reported: ${checkName}`,
    ),
    ...quarantines.map(({ signer, entry }) => `${signer} keeps ${entry}, though no peer deviates`),
    ...Object.keys(reached)
      .filter((name) => SAYS_BLAME.test(name))
      .map((name) => `no signer deviates, and a process ${name}`),
  ].map((words) => ({ invariant: "INV-7", words }));
