import { encode, scalarCodecOf } from "../codec.ts";
import { type GroupPoint, multiplyGenerator, scalarOf } from "../curve.ts";
import type { PartyIndex } from "../fault.ts";
import { type Commitments, readOpening } from "../opening.ts";
import { respondSchnorr, type SchnorrNonce } from "../proofs/schnorr.ts";
import { Secret } from "../secret.ts";
import type { Inbox, Round, Step } from "../session/round.ts";
import type { FaultStep } from "../session/steps.ts";
import { readDealtShare } from "../sharing/dealt-share.ts";
import { evaluate } from "../sharing/polynomial.ts";
import type { KeyShare } from "./key-share.ts";
import { type KeyOpening, keyOpeningBytes, keyOpenings } from "./opening.ts";
import { publicPartOf } from "./public-part.ts";
import { type DealtKey, round3 } from "./round3.ts";
import { type KeyGenerationRun, keygenContext, type OwnSecrets } from "./run.ts";

/** The contribution of one party: its opening, and f_j at our index. */
interface Contribution<P> {
  readonly opening: KeyOpening<P>;
  readonly share: bigint;
}

type Contributions<P> = ReadonlyMap<PartyIndex, Contribution<P>>;

const readContribution = <P extends GroupPoint<P>>(
  run: KeyGenerationRun<P>,
  from: PartyIndex,
  commitments: Commitments,
  inbox: Inbox,
): Contribution<P> | FaultStep => {
  const { curve } = run.scheme;
  const opened = readOpening(keyOpenings(run), commitments, from, inbox);
  if ("kind" in opened) return opened;
  const { opening } = opened;
  const dealt = readDealtShare("keygen", curve, opening.polynomial, { from, to: run.self }, inbox);
  return "kind" in dealt ? dealt : { opening, share: dealt.share };
};

/** The contributions of all parties, ours included, ascending; or the fault of the first party that fails a check. */
const readContributions = <P extends GroupPoint<P>>(
  run: KeyGenerationRun<P>,
  own: Contribution<P>,
  commitments: Commitments,
  inbox: Inbox,
): Contributions<P> | FaultStep => {
  const contributions = new Map<PartyIndex, Contribution<P>>();
  for (const party of run.parties) {
    const contribution = party === run.self ? own : readContribution(run, party, commitments, inbox);
    if ("kind" in contribution) return contribution;
    contributions.set(party, contribution);
  }
  return contributions;
};

/** x_i = Σ σ_{j,i}, and the public part of the key. */
const combine = <P extends GroupPoint<P>>(
  run: KeyGenerationRun<P>,
  contributions: Contributions<P>,
): DealtKey<P> => {
  const openings = new Map([...contributions].map(([party, { opening }]) => [party, opening]));
  const total = [...contributions.values()].reduce((part, { share }) => part + share, 0n);
  const secretShare = new Secret(scalarOf(run.scheme.curve, total));
  return { secretShare, ...publicPartOf(run, openings) };
};

/** P9: degenerate values. They occur with negligible probability in an honest run, and no party can be blamed for them. */
const flawOf = <P extends GroupPoint<P>>({
  publicKey,
  publicShares,
  secretShare,
}: DealtKey<P>): string | undefined => {
  if (publicKey.is0()) return "keygen/2 public key is the identity";
  if (secretShare.reveal() === 0n) return "keygen/2 secret share is zero";
  const isTrivial = [...publicShares.values()].some((share) => share.is0());
  return isTrivial ? "keygen/2 a public share is the identity" : undefined;
};

const prove = <P extends GroupPoint<P>>(
  run: KeyGenerationRun<P>,
  dealt: DealtKey<P>,
  nonce: SchnorrNonce<P>,
): Step<KeyShare<P>> => {
  const { curve } = run.scheme;
  const witness = dealt.secretShare.reveal();
  const statement = { point: multiplyGenerator(curve, witness), salt: dealt.rid };
  const proof = respondSchnorr(curve, keygenContext(run, run.self), statement, witness, nonce);
  const payload = encode(scalarCodecOf(curve), proof.response);
  return { kind: "next", messages: [{ to: "all", payload }], round: round3(run, dealt) };
};

/**
 * Round 2: receives the openings of all parties, and the sealed share that each sent to this party alone. A
 * share off the committed polynomial is its sender's fault; but only this party can open it, so the
 * accusation is its word alone (blame/cannot-be-shown.ts). Then this party proves knowledge of x_i, with the
 * nonce committed to in round 1.
 */
export const round2 = <P extends GroupPoint<P>>(
  run: KeyGenerationRun<P>,
  own: OwnSecrets<P>,
  opening: KeyOpening<P>,
  commitments: Commitments,
): Round<KeyShare<P>> => ({
  number: 2,
  expects: {
    broadcast: "plain",
    direct: "sealed",
    payloadBytesMax: keyOpeningBytes(run.scheme.curve, run.threshold),
  },
  advance: (inbox) => {
    const ours = { opening, share: evaluate(run.scheme.curve, own.polynomial, run.self) };
    const contributions = readContributions(run, ours, commitments, inbox);
    if ("kind" in contributions) return contributions;
    const dealt = combine(run, contributions);
    const flaw = flawOf(dealt);
    return flaw === undefined ? prove(run, dealt, own.nonce) : { kind: "abort", check: flaw };
  },
});
