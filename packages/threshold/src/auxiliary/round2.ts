import { standsUnless } from "../checks/check-result.ts";
import { checkOf } from "../checks/job.ts";
import { encode } from "../codec.ts";
import type { Entropy } from "../entropy.ts";
import type { PartyIndex } from "../fault.ts";
import { type Commitments, jointRandomness, readOpening } from "../opening.ts";
import { paillierPublicKey } from "../paillier.ts";
import { noSmallFactorProofCodec, proveNoSmallFactor } from "../proofs/no-small-factor.ts";
import { blumModulusProofCodec, proveBlumModulus } from "../proofs/paillier-blum-modulus.ts";
import type { RingPedersen } from "../ring-pedersen.ts";
import { peersOf } from "../session/config.ts";
import { examinedRound } from "../session/examination.ts";
import type { Inbox, Outgoing, Round } from "../session/round.ts";
import { accuse, type FaultStep } from "../session/steps.ts";
import type { AuxiliaryInfo, OwnAuxiliary, PeerAuxiliary } from "./auxiliary-info.ts";
import { flawOfModuli, shareModulus } from "./moduli.ts";
import { type AuxiliaryOpening, auxiliaryOpeningBytesMax, auxiliaryOpenings } from "./opening.ts";
import { flawOfParametersProof } from "./proof-check.ts";
import { round3 } from "./round3.ts";
import { type AuxiliaryRun, factorContext, modulusContext, sessionWithRho } from "./run.ts";

type Openings = ReadonlyMap<PartyIndex, AuxiliaryOpening>;

const pedersenOf = ({ nHat, s, t }: AuxiliaryOpening): RingPedersen => ({ n: nHat, s, t });

const peerAuxiliaryOf = (opening: AuxiliaryOpening): PeerAuxiliary => ({
  paillier: paillierPublicKey(opening.n),
  pedersen: pedersenOf(opening),
});

/**
 * The openings of all parties, ours included, ascending; or the fault of the first party whose opening fails
 * a check.
 */
const readOpenings = (
  run: AuxiliaryRun,
  own: AuxiliaryOpening,
  commitments: Commitments,
  inbox: Inbox,
): Openings | FaultStep => {
  const rules = auxiliaryOpenings(run);
  const openings = new Map<PartyIndex, AuxiliaryOpening>();
  for (const party of run.parties) {
    if (party === run.self) {
      openings.set(party, own);
      continue;
    }
    const opened = readOpening(rules, commitments, party, inbox);
    if ("kind" in opened) return opened;
    const { opening } = opened;
    const flaw = flawOfModuli(run.parameters, opening);
    if (flaw !== undefined) return accuse(party, `aux/2 ${flaw}`);
    // Before our opening only we know our modulus, and the peer committed before that.
    if (shareModulus(own, opening)) return accuse(party, "aux/2 moduli distinct from ours");
    openings.set(party, opening);
  }
  return openings;
};

/** ρ = ⊕ ρ_j */
const jointRho = (openings: Openings): Uint8Array =>
  jointRandomness([...openings.values()].map(({ rho }) => rho));

/** ψ_i of Πmod for all parties, and ψ′_{i,j} of Πfac for each peer j. */
const makeProofs = (
  run: AuxiliaryRun,
  own: OwnAuxiliary,
  openings: Openings,
  bound: Uint8Array,
  entropy: Entropy,
): readonly Outgoing[] => {
  const { parameters, self } = run;
  const { factors } = own.paillier;
  const modulusProof = proveBlumModulus(modulusContext(run, bound, self), parameters, factors, entropy);
  const messages: Outgoing[] = [
    { to: "all", payload: encode(blumModulusProofCodec(parameters), modulusProof) },
  ];
  for (const [peer, opening] of openings) {
    if (peer === self) continue;
    const context = factorContext(run, bound, self, peer);
    const proof = proveNoSmallFactor(context, parameters, factors, pedersenOf(opening), entropy);
    messages.push({ to: peer, payload: encode(noSmallFactorProofCodec(parameters), proof) });
  }
  return messages;
};

/**
 * Round 2 (Figure 7): receives the openings of all parties, and checks them. All cheap checks of all peers
 * come before the first Πprm. Then this party proves, bound to the joint ρ, that its N is a product of two
 * large Blum primes.
 */
export const round2 = (
  run: AuxiliaryRun,
  own: OwnAuxiliary,
  ownOpening: AuxiliaryOpening,
  commitments: Commitments,
): Round<AuxiliaryInfo> =>
  examinedRound({
    number: 2,
    expects: {
      broadcast: "plain",
      direct: "none",
      payloadBytesMax: auxiliaryOpeningBytesMax(run.parameters),
    },
    examine: (inbox) => {
      const openings = readOpenings(run, ownOpening, commitments, inbox);
      if ("kind" in openings) return { checks: [], conclude: () => openings };
      const { parameters, session, epoch, self } = run;
      const context = { session, epoch };
      const checks = [...openings].flatMap(([prover, opening]) => {
        const { proof } = opening;
        const check = { context, prover, pedersen: pedersenOf(opening), proof };
        return prover === self
          ? []
          : [
              checkOf(parameters, prover, { kind: "parameters", check }, () =>
                standsUnless(flawOfParametersProof(parameters, check)),
              ),
            ];
      });
      return {
        checks,
        conclude: (resultOf, entropy) => {
          for (const peer of peersOf(run)) {
            const result = resultOf(peer);
            if (result.kind === "fails") return accuse(peer, result.check);
          }
          const bound = sessionWithRho(run, jointRho(openings));
          const peers = new Map([...openings].map(([party, opening]) => [party, peerAuxiliaryOf(opening)]));
          return {
            kind: "next",
            messages: makeProofs(run, own, openings, bound, entropy),
            round: round3(run, own, peers, bound),
          };
        },
      };
    },
  });
