import { decode, encode } from "../codec.ts";
import type { Entropy } from "../entropy.ts";
import type { PartyIndex } from "../fault.ts";
import { GENERATOR, multiplyBase } from "../group.ts";
import { proveElGamalLog } from "../proofs/elgamal-log.ts";
import { verifyPaillierElGamal } from "../proofs/paillier-elgamal.ts";
import type { Inbox, Outgoing, Round, Step } from "../session/round.ts";
import type { Committed } from "./commitment-secrets.ts";
import { convertWith, prepareConversion } from "./conversion.ts";
import {
  type Commitments,
  type Conversions,
  commitmentProofsCodec,
  commitmentsCodec,
  conversionProofsCodec,
  conversionsCodec,
  payloadBytesMax,
} from "./messages.ts";
import type { Presignature } from "./presignature.ts";
import { type Masks, round2 } from "./round2.ts";
import { accuse, contextOf, type Peer, type PresignRun } from "./run.ts";

/** The peer's commitments when both its Πenc-elg stand, else the accusation. */
const receive = (run: PresignRun, peer: Peer, inbox: Inbox): Commitments | Step<never> => {
  const { index, paillier } = peer;
  const broadcast = decode(commitmentsCodec(run.parameters), inbox.broadcast(index));
  if (!broadcast.ok) return accuse(index, `presign/1 decoding: ${broadcast.reason}`);
  const direct = decode(commitmentProofsCodec(run.parameters), inbox.direct(index));
  if (!direct.ok) return accuse(index, `presign/1 decoding: ${direct.reason}`);

  const { K, G, Y, A1, A2, B1, B2 } = broadcast.value;
  const { pedersen } = run.own;
  const common = { encryption: paillier, A: Y, pedersen: pedersen.parameters };
  const at = (name: string) => contextOf(run, index, run.self, `presign/1 ${name}`);
  const ofK = { ...common, C: K, B: A1, X: A2 };
  if (!verifyPaillierElGamal(at("K"), run.parameters, ofK, direct.value.K, pedersen)) {
    return accuse(index, "presign/1 Πenc-elg of K");
  }
  const ofG = { ...common, C: G, B: B1, X: B2 };
  if (!verifyPaillierElGamal(at("G"), run.parameters, ofG, direct.value.G, pedersen)) {
    return accuse(index, "presign/1 Πenc-elg of G");
  }
  return broadcast.value;
};

/**
 * Round 1 (Figure 8): everybody's commitments, agreed upon by echo (P12), each with Πenc-elg for us. Then we
 * publish Γ_i, and turn the products of our γ_i and x_i with every peer's k_j into sums.
 */
export const round1 = (run: PresignRun, own: Committed): Round<Presignature> => ({
  number: 1,
  expects: {
    broadcast: "echo",
    direct: "plain",
    payloadBytesMax: payloadBytesMax(run.parameters, run.peers.length).round1,
  },
  advance: (inbox, entropy) => {
    const commitments = new Map<PartyIndex, Commitments>([[run.self, own.commitments]]);
    for (const peer of run.peers) {
      const received = receive(run, peer, inbox);
      if ("kind" in received) return received;
      commitments.set(peer.index, received);
    }
    return multiplyShares(run, own, commitments, entropy);
  },
});

const multiplyShares = (
  run: PresignRun,
  { secrets, commitments: { Y, B1, B2 } }: Committed,
  commitments: ReadonlyMap<PartyIndex, Commitments>,
  entropy: Entropy,
): Step<Presignature> => {
  const { gamma, y, b } = secrets;
  const Gamma = multiplyBase(gamma);
  const proof = proveElGamalLog(
    contextOf(run, run.self, "all", "presign/2 Γ"),
    { L: B1, M: B2, X: Y, Y: Gamma, H: GENERATOR },
    { y: gamma, lambda: b, x: y },
    entropy,
  );

  const masks = new Map<PartyIndex, Masks>();
  const pairs = [];
  const proofs: Outgoing[] = [];
  for (const peer of run.peers) {
    const K = commitments.get(peer.index)?.K;
    if (K === undefined) throw new Error("round 1 keeps the commitments of every peer");
    const prepared = () => prepareConversion(run.parameters, run.own, peer, entropy);
    const [forNonce = prepared(), forKey = prepared()] = run.masks.peers.get(peer.index)?.conversions ?? [];
    const nonce = convertWith(run, peer, K, gamma, Gamma, "presign/2 D", forNonce);
    const key = convertWith(run, peer, K, run.share, run.publicShare, "presign/2 D^", forKey);
    masks.set(peer.index, { nonce: nonce.beta, key: key.beta });
    pairs.push({ nonce: nonce.conversion, key: key.conversion });
    const payload = encode(conversionProofsCodec(run.parameters), { nonce: nonce.proof, key: key.proof });
    proofs.push({ to: peer.index, payload });
  }
  const said: Conversions = { Gamma, proof, pairs };
  const payload = encode(conversionsCodec(run.parameters, run.peers.length), said);
  return {
    kind: "next",
    messages: [{ to: "all", payload }, ...proofs],
    round: round2({ run, secrets, commitments, masks, own: said }),
  };
};
