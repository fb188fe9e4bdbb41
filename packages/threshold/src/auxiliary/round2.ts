import { checkOf } from "../checks/job.ts";
import { standsUnless } from "../checks/verdict.ts";
import { decode, encode } from "../codec.ts";
import type { Entropy } from "../entropy.ts";
import type { PartyIndex } from "../fault.ts";
import { paillierPublicKey } from "../paillier.ts";
import { noSmallFactorProofCodec, proveNoSmallFactor } from "../proofs/no-small-factor.ts";
import { blumModulusProofCodec, proveBlumModulus } from "../proofs/paillier-blum-modulus.ts";
import type { RingPedersen } from "../ring-pedersen.ts";
import { examinedRound } from "../session/examination.ts";
import type { Inbox, Outgoing, Round, Step } from "../session/round.ts";
import type { AuxiliaryInfo, OwnAuxiliary, PeerAuxiliary } from "./auxiliary-info.ts";
import { flawOf, shareModulus } from "./moduli.ts";
import { type Opening, openingBytesMax, openingCodec, opensTo, RANDOMIZER_BYTES } from "./opening.ts";
import { flawOfParametersProof } from "./proof-check.ts";
import { round3 } from "./round3.ts";
import { type AuxiliaryRun, accuse, factorContext, modulusContext, peersOf, sessionWithRho } from "./run.ts";

type Commitments = ReadonlyMap<PartyIndex, Uint8Array>;
type Openings = ReadonlyMap<PartyIndex, Opening>;
type Refusal = Extract<Step<never>, { readonly kind: "fault" }>;

const pedersenOf = ({ nHat, s, t }: Opening): RingPedersen => ({ n: nHat, s, t });

const peerAuxiliaryOf = (opening: Opening): PeerAuxiliary => ({
  paillier: paillierPublicKey(opening.n),
  pedersen: pedersenOf(opening),
});

/** The openings of all parties, ours included, ascending; or the fault of the first that fails a check. */
const readOpenings = (
  run: AuxiliaryRun,
  own: Opening,
  commitments: Commitments,
  inbox: Inbox,
): Openings | Refusal => {
  const openings = new Map<PartyIndex, Opening>();
  for (const party of run.parties) {
    if (party === run.self) {
      openings.set(party, own);
      continue;
    }
    const opening = decode(openingCodec(run.parameters), inbox.broadcast(party));
    if (!opening.ok) return accuse(party, `aux/2 decoding: ${opening.reason}`);
    const commitment = commitments.get(party);
    if (commitment === undefined || !opensTo(run, party, opening.value, commitment)) {
      return accuse(party, "aux/2 opening of V");
    }
    const flaw = flawOf(run.parameters, opening.value);
    if (flaw !== undefined) return accuse(party, `aux/2 ${flaw}`);
    // Only we know our modulus before our opening, and the peer had to commit before that.
    if (shareModulus(own, opening.value)) return accuse(party, "aux/2 moduli distinct from ours");
    openings.set(party, opening.value);
  }
  return openings;
};

/** ρ = ⊕ ρ_j */
const jointRho = (openings: Openings): Uint8Array => {
  const rho = new Uint8Array(RANDOMIZER_BYTES);
  for (const opening of openings.values()) {
    for (const [i, byte] of opening.rho.entries()) rho[i] = (rho[i] ?? 0) ^ byte;
  }
  return rho;
};

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
 * Round 2 (Figure 7): receives the openings of all parties, and checks them. All cheap checks of all peers come before the
 * first Πprm. Then we prove, bound to the joint ρ, that our N is a product of two large Blum primes.
 */
export const round2 = (
  run: AuxiliaryRun,
  own: OwnAuxiliary,
  ownOpening: Opening,
  commitments: Commitments,
): Round<AuxiliaryInfo> =>
  examinedRound({
    number: 2,
    expects: { broadcast: "plain", direct: "none", payloadBytesMax: openingBytesMax(run.parameters) },
    examine: (inbox) => {
      const openings = readOpenings(run, ownOpening, commitments, inbox);
      if ("kind" in openings) return { checks: [], conclude: () => openings };
      const { parameters, session, epoch, self } = run;
      const place = { session, epoch };
      const checks = [...openings].flatMap(([prover, opening]) => {
        const { proof } = opening;
        const check = { place, prover, pedersen: pedersenOf(opening), proof };
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
        conclude: (verdictOn, entropy) => {
          for (const peer of peersOf(run)) {
            const verdict = verdictOn(peer);
            if (verdict.kind === "fails") return accuse(peer, verdict.check);
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
