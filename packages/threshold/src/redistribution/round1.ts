import { decode, encode, fixedBytes, scalarCodecOf } from "../codec.ts";
import type { GroupPoint } from "../curve.ts";
import type { PartyIndex } from "../fault.ts";
import { peersOf } from "../keygen/run.ts";
import type { Outgoing, Round } from "../session/round.ts";
import { evaluate, type Polynomial } from "../sharing/polynomial.ts";
import { HASH_BYTES, NOTHING, type Opening, openingCodec } from "./messages.ts";
import { round2 } from "./round2.ts";
import { accuse, isDealer, isReceiver, type Redistributed, type RedistributionRun } from "./run.ts";

/** What a dealer deals. */
export interface Dealing<P> {
  /** g_i */
  readonly polynomial: Polynomial;
  readonly opening: Opening<P>;
}

/** What a party alone knows while shares are dealt. */
export interface OwnPart<P> {
  /** what our new share adds to: x_i in a refresh, else 0 */
  readonly kept: bigint;
  /** undefined when we only receive */
  readonly dealing: Dealing<P> | undefined;
}

/** Our opening to all and g_i(j) to each receiver j; nothing to whom nothing is due. */
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
 * Round 1: the commitments V_i of all dealers, agreed upon by echo, so that nobody can choose its polynomial after it
 * saw another's (P12). Then dealers open theirs to all, and give to each receiver j its g_i(j).
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
