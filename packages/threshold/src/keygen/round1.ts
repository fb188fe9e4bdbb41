import { encode, scalarCodecOf } from "../codec.ts";
import type { GroupPoint } from "../curve.ts";
import { COMMITMENT_ROUND, readCommitments } from "../opening.ts";
import { peersOf } from "../session/config.ts";
import type { Outgoing, Round } from "../session/round.ts";
import { evaluate } from "../sharing/polynomial.ts";
import type { KeyShare } from "./key-share.ts";
import { type KeyOpening, keyOpeningCodec } from "./opening.ts";
import { round2 } from "./round2.ts";
import type { KeyGenerationRun, OwnSecrets } from "./run.ts";

/**
 * Round 1: receives the commitments V_j of all parties. The echo makes them agree, so that no party can
 * choose its polynomial after it has seen another's, and bias the key (P12). Then this party opens its own to
 * all, and sends each party j its share σ_{i,j} = f_i(j).
 */
export const round1 = <P extends GroupPoint<P>>(
  run: KeyGenerationRun<P>,
  own: OwnSecrets<P>,
  opening: KeyOpening<P>,
): Round<KeyShare<P>> => ({
  number: 1,
  expects: COMMITMENT_ROUND,
  advance: (inbox) => {
    const { curve } = run.scheme;
    const commitments = readCommitments("keygen", peersOf(run), inbox);
    if ("kind" in commitments) return commitments;
    const shares: readonly Outgoing[] = peersOf(run).map((to) => ({
      to,
      payload: encode(scalarCodecOf(curve), evaluate(curve, own.polynomial, to)),
    }));
    const payload = encode(keyOpeningCodec(curve, run.threshold), opening);
    return {
      kind: "next",
      messages: [{ to: "all", payload }, ...shares],
      round: round2(run, own, opening, commitments),
    };
  },
});
