import { decode } from "../codec.ts";
import type { PartyIndex } from "../fault.ts";
import {
  noSmallFactorProofBytesMax,
  noSmallFactorProofCodec,
  verifyNoSmallFactor,
} from "../proofs/no-small-factor.ts";
import {
  blumModulusProofBytesMax,
  blumModulusProofCodec,
  verifyBlumModulus,
} from "../proofs/paillier-blum-modulus.ts";
import { Secret } from "../secret.ts";
import type { Inbox, Round } from "../session/round.ts";
import type { AuxiliaryInfo, OwnAuxiliary, PeerAuxiliary } from "./auxiliary-info.ts";
import { collisionOf } from "./moduli.ts";
import { type AuxiliaryRun, accuse, factorContext, modulusContext, peersOf } from "./run.ts";

/** The check of a peer's two proofs that fails, cheap Πfac first; undefined when both hold. */
const flawOfProofs = (
  run: AuxiliaryRun,
  own: OwnAuxiliary,
  bound: Uint8Array,
  peer: PartyIndex,
  n: bigint,
  inbox: Inbox,
): string | undefined => {
  const { parameters, self } = run;
  const modulusProof = decode(blumModulusProofCodec(parameters), inbox.broadcast(peer));
  if (!modulusProof.ok) return `decoding of Πmod: ${modulusProof.reason}`;
  const factorProof = decode(noSmallFactorProofCodec(parameters), inbox.direct(peer));
  if (!factorProof.ok) return `decoding of Πfac: ${factorProof.reason}`;
  const forUs = factorContext(run, bound, peer, self);
  if (!verifyNoSmallFactor(forUs, parameters, n, own.pedersen, factorProof.value)) return "Πfac";
  const forAll = modulusContext(run, bound, peer);
  return verifyBlumModulus(forAll, parameters, n, modulusProof.value) ? undefined : "Πmod";
};

/**
 * Round 3 (Figure 7, output): Πmod of every peer, and its Πfac for us. Both are needed: Πfac alone admits
 * composite factors, Πmod alone admits short ones (P1, CVE-2023-33241).
 */
export const round3 = (
  run: AuxiliaryRun,
  own: OwnAuxiliary,
  peers: ReadonlyMap<PartyIndex, PeerAuxiliary>,
  bound: Uint8Array,
): Round<AuxiliaryInfo> => ({
  number: 3,
  expects: {
    broadcast: "plain",
    direct: "plain",
    payloadBytesMax: Math.max(
      blumModulusProofBytesMax(run.parameters),
      noSmallFactorProofBytesMax(run.parameters),
    ),
  },
  advance: (inbox) => {
    for (const peer of peersOf(run)) {
      const shown = peers.get(peer);
      if (shown === undefined) throw new Error("round 2 leaves an auxiliary for every party");
      const flaw = flawOfProofs(run, own, bound, peer, shown.paillier.n, inbox);
      if (flaw !== undefined) return accuse(peer, `aux/3 ${flaw}`);
    }
    const collision = collisionOf(peers);
    if (collision !== undefined) return collision;
    const { parties, self, epoch, parameters } = run;
    return { kind: "output", output: { parties, self, epoch, parameters, peers, own: new Secret(own) } };
  },
});
