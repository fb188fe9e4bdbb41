import { standsUnless } from "../checks/check-result.ts";
import { checkOf } from "../checks/job.ts";
import { decode } from "../codec.ts";
import type { PartyIndex } from "../fault.ts";
import {
  type NoSmallFactorProof,
  noSmallFactorProofBytesMax,
  noSmallFactorProofCodec,
  verifyNoSmallFactor,
} from "../proofs/no-small-factor.ts";
import {
  type BlumModulusProof,
  blumModulusProofBytesMax,
  blumModulusProofCodec,
} from "../proofs/paillier-blum-modulus.ts";
import { Secret } from "../secret.ts";
import { peersOf } from "../session/config.ts";
import { examinedRound } from "../session/examination.ts";
import type { Inbox, Round } from "../session/round.ts";
import { accuse } from "../session/steps.ts";
import type { AuxiliaryInfo, OwnAuxiliary, PeerAuxiliary } from "./auxiliary-info.ts";
import { collisionOf } from "./moduli.ts";
import { flawOfModulusProof } from "./proof-check.ts";
import { type AuxiliaryRun, factorContext } from "./run.ts";

/** The two proofs of a peer, or the name of the check that fails when they are decoded. */
type Reading =
  | { readonly kind: "read"; readonly modulus: BlumModulusProof; readonly factors: NoSmallFactorProof }
  | { readonly kind: "fails"; readonly check: string };

const read = ({ parameters }: AuxiliaryRun, peer: PartyIndex, inbox: Inbox): Reading => {
  const modulus = decode(blumModulusProofCodec(parameters), inbox.broadcast(peer));
  if (!modulus.ok) return { kind: "fails", check: `aux/3 decoding of Πmod: ${modulus.reason}` };
  const factors = decode(noSmallFactorProofCodec(parameters), inbox.direct(peer));
  if (!factors.ok) return { kind: "fails", check: `aux/3 decoding of Πfac: ${factors.reason}` };
  return { kind: "read", modulus: modulus.value, factors: factors.value };
};

/**
 * Round 3 (Figure 7, output): verifies Πmod of every peer, and its Πfac for us. Both are needed: Πfac alone admits
 * composite factors, Πmod alone admits short ones (P1, CVE-2023-33241).
 */
export const round3 = (
  run: AuxiliaryRun,
  own: OwnAuxiliary,
  peers: ReadonlyMap<PartyIndex, PeerAuxiliary>,
  bound: Uint8Array,
): Round<AuxiliaryInfo> =>
  examinedRound({
    number: 3,
    expects: {
      broadcast: "plain",
      direct: "plain",
      payloadBytesMax: Math.max(
        blumModulusProofBytesMax(run.parameters),
        noSmallFactorProofBytesMax(run.parameters),
      ),
    },
    examine: (inbox) => {
      const { parties, self, epoch, parameters } = run;
      const provers = peersOf(run).map((peer) => {
        const n = peers.get(peer)?.paillier.n;
        if (n === undefined) throw new Error("round 2 leaves an auxiliary for every party");
        return { peer, n, reading: read(run, peer, inbox) };
      });
      const context = { session: bound, epoch };
      return {
        checks: provers.flatMap(({ peer, n, reading }) => {
          if (reading.kind === "fails") return [];
          const check = { context, prover: peer, n, proof: reading.modulus };
          return [
            checkOf(parameters, peer, { kind: "modulus", check }, () =>
              standsUnless(flawOfModulusProof(parameters, check)),
            ),
          ];
        }),
        conclude: (resultOf) => {
          for (const { peer, n, reading } of provers) {
            if (reading.kind === "fails") return accuse(peer, reading.check);
            // costs a twentieth of Πmod, and needs the secrets of our new N^, which no other thread has yet,
            // so it runs here
            const context = factorContext(run, bound, peer, self);
            const isProven = verifyNoSmallFactor(context, parameters, n, own.pedersen, reading.factors);
            if (!isProven) return accuse(peer, "aux/3 Πfac");
            const result = resultOf(peer);
            if (result.kind === "fails") return accuse(peer, result.check);
          }
          const collision = collisionOf(peers);
          if (collision !== undefined) return collision;
          return {
            kind: "output",
            output: { parties, self, epoch, parameters, peers, own: new Secret(own) },
          };
        },
      };
    },
  });
