import { encode, scalarCodecOf } from "../codec.ts";
import type { GroupPoint } from "../curve.ts";
import type { PartyIndex } from "../fault.ts";
import { COMMITMENT_BYTES, COMMITMENT_ROUND, readCommitments } from "../opening.ts";
import { peersOf } from "../session/config.ts";
import type { Outgoing, Round } from "../session/round.ts";
import { evaluate } from "../sharing/polynomial.ts";
import { dealingOpeningCodec, NOTHING } from "./messages.ts";
import type { Dealing, OwnPart } from "./own-part.ts";
import { round2 } from "./round2.ts";
import { isDealer, isReceiver, type Redistributed, type RedistributionRun } from "./run.ts";

/** Our opening to all and g_i(j) to each receiver j; otherwise empty messages. */
const deal = <P extends GroupPoint<P>>(
  run: RedistributionRun<P>,
  dealing: Dealing<P> | undefined,
): readonly Outgoing[] => {
  const { curve } = run.old.scheme;
  const shareOf = (to: PartyIndex): Uint8Array =>
    dealing !== undefined && isReceiver(run, to)
      ? encode(scalarCodecOf(curve), evaluate(curve, dealing.polynomial, to))
      : NOTHING;
  const opening =
    dealing === undefined ? NOTHING : encode(dealingOpeningCodec(curve, run.threshold), dealing.opening);
  return [{ to: "all", payload: opening }, ...peersOf(run).map((to) => ({ to, payload: shareOf(to) }))];
};

/**
 * Round 1: receives the commitments V_i of all dealers. The echo makes them agree, so that no dealer can
 * choose its polynomial after it has seen another's (P12). Then dealers open theirs to all, and send each
 * receiver j its g_i(j).
 */
export const round1 = <P extends GroupPoint<P>>(
  run: RedistributionRun<P>,
  own: OwnPart<P>,
): Round<Redistributed<P>> => ({
  number: 1,
  expects: COMMITMENT_ROUND,
  advance: (inbox) => {
    const bytesOf = (peer: PartyIndex): number => (isDealer(run, peer) ? COMMITMENT_BYTES : NOTHING.length);
    const commitments = readCommitments(run.protocol, peersOf(run), inbox, bytesOf);
    if ("kind" in commitments) return commitments;
    return { kind: "next", messages: deal(run, own.dealing), round: round2(run, own, commitments) };
  },
});
