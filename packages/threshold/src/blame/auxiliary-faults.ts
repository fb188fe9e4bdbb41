import { flawOfModuli, shareModulus } from "../auxiliary/moduli.ts";
import { type AuxiliaryOpening, auxiliaryOpenings } from "../auxiliary/opening.ts";
import { flawOfModulusProof, flawOfParametersProof } from "../auxiliary/proof-check.ts";
import { type AuxiliaryRun, factorContext, sessionWithRho } from "../auxiliary/run.ts";
import { decode } from "../codec.ts";
import type { PartyIndex } from "../fault.ts";
import { jointRandomness } from "../opening.ts";
import { isNoSmallFactorProof, noSmallFactorProofCodec } from "../proofs/no-small-factor.ts";
import { blumModulusProofCodec } from "../proofs/paillier-blum-modulus.ts";
import type { RingPedersen } from "../ring-pedersen.ts";
import { commitmentFault, openingsOf, readAccusedOpening } from "./openings.ts";
import { broadcastOf, directOf, isShown, notShown, type SignedRecord } from "./signed-record.ts";

const runOf = ({ attempt, session, accused, parameters }: SignedRecord): AuxiliaryRun => {
  const { parties, epoch } = attempt;
  return { session, self: accused, parties, epoch, parameters };
};

const pedersenOf = ({ nHat, s, t }: AuxiliaryOpening): RingPedersen => ({ n: nHat, s, t });

/** Whether another party opened one of the accused's moduli, and the evidence shows that it had committed in time. */
const sharesModulus = (record: SignedRecord, own: AuxiliaryOpening): boolean => {
  const run = runOf(record);
  const others = run.parties.filter((party) => party !== record.accused && isShown(record, 2, party));
  const openings = openingsOf(record, auxiliaryOpenings(run), 2, others);
  return [...openings.values()].some((other) => shareModulus(own, other));
};

const round2 = (record: SignedRecord, check: string): string | undefined => {
  const { parameters, accused, session, attempt } = record;
  const opened = readAccusedOpening(record, auxiliaryOpenings(runOf(record)), 2);
  if ("fault" in opened) return opened.fault;
  const { opening } = opened;
  const flaw = flawOfModuli(parameters, opening);
  if (flaw !== undefined) return `aux/2 ${flaw}`;
  const shared = "aux/2 moduli distinct from ours";
  if (check === shared) return sharesModulus(record, opening) ? shared : undefined;
  const context = { session, epoch: attempt.epoch };
  const proven = { context, prover: accused, pedersen: pedersenOf(opening), proof: opening.proof };
  return flawOfParametersProof(parameters, proven);
};

const openingIn = (
  openings: ReadonlyMap<PartyIndex, AuxiliaryOpening>,
  party: PartyIndex,
): AuxiliaryOpening => openings.get(party) ?? notShown(`party ${party} opened nothing`);

const round3 = (record: SignedRecord, check: string): string | undefined => {
  const { parameters, accused } = record;
  const run = runOf(record);
  const openings = () => openingsOf(record, auxiliaryOpenings(run), 2, run.parties);
  const shared = "aux/3 moduli distinct across parties";
  if (check === shared) {
    const own = readAccusedOpening(record, auxiliaryOpenings(run), 2);
    return !("fault" in own) && sharesModulus(record, own.opening) ? shared : undefined;
  }
  const boundTo = (all: ReadonlyMap<PartyIndex, AuxiliaryOpening>): Uint8Array =>
    sessionWithRho(run, jointRandomness([...all.values()].map(({ rho }) => rho)));
  if (check.includes("Πfac")) {
    const { to, payload } = directOf(record, 3);
    const factors = decode(noSmallFactorProofCodec(parameters), payload);
    if (!factors.ok) return `aux/3 decoding of Πfac: ${factors.reason}`;
    const all = openings();
    const context = factorContext(run, boundTo(all), accused, to);
    const { n } = openingIn(all, accused);
    const verifier = pedersenOf(openingIn(all, to));
    return isNoSmallFactorProof(context, parameters, n, verifier, factors.value) ? undefined : "aux/3 Πfac";
  }
  const modulus = decode(blumModulusProofCodec(parameters), broadcastOf(record, 3, accused));
  if (!modulus.ok) return `aux/3 decoding of Πmod: ${modulus.reason}`;
  const all = openings();
  const context = { session: boundTo(all), epoch: run.epoch };
  const { n } = openingIn(all, accused);
  return flawOfModulusProof(parameters, { context, prover: accused, n, proof: modulus.value });
};

/** The check that the accused fails in a round of auxiliary generation; undefined when it passes. */
export const auxiliaryFault = (record: SignedRecord, round: number, check: string): string | undefined => {
  switch (round) {
    case 1:
      return commitmentFault(record, "aux", 1);
    case 2:
      return round2(record, check);
    case 3:
      return round3(record, check);
    default:
      return notShown("auxiliary generation has no such round");
  }
};
