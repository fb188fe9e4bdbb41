import { encode } from "../codec.ts";
import { COMMITMENT_ROUND, readCommitments } from "../opening.ts";
import { peersOf } from "../session/config.ts";
import type { Round } from "../session/round.ts";
import type { AuxiliaryInfo, OwnAuxiliary } from "./auxiliary-info.ts";
import { type AuxiliaryOpening, auxiliaryOpeningCodec } from "./opening.ts";
import { round2 } from "./round2.ts";
import type { AuxiliaryRun } from "./run.ts";

/**
 * Round 1 (Figure 7): receives the commitments V_j of all parties. The echo makes them agree, so that no
 * party can choose its parameters or ρ_j after it has seen another's (P12). Then this party opens its own to
 * all.
 */
export const round1 = (
  run: AuxiliaryRun,
  own: OwnAuxiliary,
  opening: AuxiliaryOpening,
): Round<AuxiliaryInfo> => ({
  number: 1,
  expects: COMMITMENT_ROUND,
  advance: (inbox) => {
    const commitments = readCommitments("aux", peersOf(run), inbox);
    if ("kind" in commitments) return commitments;
    const payload = encode(auxiliaryOpeningCodec(run.parameters), opening);
    return {
      kind: "next",
      messages: [{ to: "all", payload }],
      round: round2(run, own, opening, commitments),
    };
  },
});
