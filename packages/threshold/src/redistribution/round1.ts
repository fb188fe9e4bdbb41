import { decode, encode, fixedBytes, scalarCodecOf } from "../codec.ts";
import type { GroupPoint } from "../curve.ts";
import type { PartyIndex } from "../fault.ts";
import { peersOf } from "../keygen/run.ts";
import type { Outgoing, Round } from "../session/round.ts";
import { evaluate, type Polynomial } from "../sharing/polynomial.ts";
import { HASH_BYTES, NOTHING, type Opening, openingCodec } from "./messages.ts";
import { round2 } from "./round2.ts";
import { accuse, isDealer, isReceiver, type Redistributed, type RedistributionRun } from "./run.ts";

/** The polynomial of a dealer, and the opening of its commitment. */
export interface Dealing<P> {
  /** g_i */
  readonly polynomial: Polynomial;
  readonly opening: Opening<P>;
}

/** The secrets of one party during a redistribution. */
export interface OwnPart<P> {
  /** the value that dealt shares are added to: x_i in a refresh, else 0 */
  readonly kept: bigint;
  /** undefined when we only receive */
  readonly dealing: Dealing<P> | undefined;
}

/** Our opening to all and g_i(j) to each receiver j; empty messages for everything else. */
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
    dealing === undefined ? NOTHING : encode(openingCodec(curve, run.threshold), dealing.opening);
  return [{ to: "all", payload: opening }, ...peersOf(run).map((to) => ({ to, payload: shareOf(to) }))];
};

/**
 * Round 1: receives the commitments V_i of all dealers. The echo makes them agree, so that no dealer can choose its
 * polynomial after it saw another's (P12). Then dealers open theirs to all, and send each receiver j its g_i(j).
 */
export const round1 = <P extends GroupPoint<P>>(
  run: RedistributionRun<P>,
  own: OwnPart<P>,
): Round<Redistributed<P>> => ({
  number: 1,
  expects: { broadcast: "echo", direct: "none", payloadBytesMax: HASH_BYTES },
  advance: (inbox) => {
    const commitments = new Map<PartyIndex, Uint8Array>();
    for (const peer of peersOf(run)) {
      const length = isDealer(run, peer) ? HASH_BYTES : NOTHING.length;
      const commitment = decode(fixedBytes(length), inbox.broadcast(peer));
      if (!commitment.ok) return accuse(run, peer, `1 decoding: ${commitment.reason}`);
      commitments.set(peer, commitment.value);
    }
    return { kind: "next", messages: deal(run, own.dealing), round: round2(run, own, commitments) };
  },
});
