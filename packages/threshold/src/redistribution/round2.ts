import { encode } from "../codec.ts";
import { type GroupPoint, scalarOf } from "../curve.ts";
import type { Entropy } from "../entropy.ts";
import type { PartyIndex } from "../fault.ts";
import { type Commitments, readOpening } from "../opening.ts";
import { proveSchnorr, schnorrCodec } from "../proofs/schnorr.ts";
import { Secret } from "../secret.ts";
import { peersOf } from "../session/config.ts";
import type { Inbox, Round } from "../session/round.ts";
import { type AbortStep, abort, type FaultStep } from "../session/steps.ts";
import { readDealtShare } from "../sharing/dealt-share.ts";
import type { PolynomialCommitment } from "../sharing/feldman.ts";
import { evaluate } from "../sharing/polynomial.ts";
import { epochConfirmation } from "./confirmation.ts";
import { checkNoShare, checkNothing, dealingOpeningBytes, dealingOpenings, NOTHING } from "./messages.ts";
import { type DealtEpoch, flawOfNewInfo, newInfo } from "./new-info.ts";
import type { OwnPart } from "./own-part.ts";
import { round3 } from "./round3.ts";
import {
  constantOf,
  isDealer,
  isReceiver,
  type Redistributed,
  type RedistributionRun,
  shareContext,
} from "./run.ts";

/** The contribution of one dealer. */
interface Contribution<P> {
  /** the commitment to g_i, constant term included */
  readonly commitment: PolynomialCommitment<P>;
  /** g_i at our index; 0 when this party is no receiver */
  readonly share: bigint;
}

const readContribution = <P extends GroupPoint<P>>(
  run: RedistributionRun<P>,
  from: PartyIndex,
  commitments: Commitments,
  inbox: Inbox,
): Contribution<P> | FaultStep => {
  const { curve } = run.old.scheme;
  const opened = readOpening(dealingOpenings(run), commitments, from, inbox);
  if ("kind" in opened) return opened;
  const commitment = [constantOf(run, from), ...opened.opening.coefficients];
  if (!isReceiver(run, run.self))
    return checkNoShare(run, from, inbox.direct(from)) ?? { commitment, share: 0n };
  const dealt = readDealtShare(run.protocol, curve, commitment, { from, to: run.self }, inbox);
  return "kind" in dealt ? dealt : { commitment, share: dealt.share };
};

const ownContribution = <P extends GroupPoint<P>>(
  run: RedistributionRun<P>,
  { dealing }: OwnPart<P>,
): readonly Contribution<P>[] => {
  if (dealing === undefined) return [];
  const { curve } = run.old.scheme;
  const commitment = [constantOf(run, run.self), ...dealing.opening.coefficients];
  return [
    { commitment, share: isReceiver(run, run.self) ? evaluate(curve, dealing.polynomial, run.self) : 0n },
  ];
};

/** The contributions of all dealers, ours included; or the fault of the first message that fails a check. */
const readContributions = <P extends GroupPoint<P>>(
  run: RedistributionRun<P>,
  own: OwnPart<P>,
  commitments: Commitments,
  inbox: Inbox,
): readonly Contribution<P>[] | FaultStep => {
  const contributions = [...ownContribution(run, own)];
  for (const peer of peersOf(run)) {
    if (isDealer(run, peer)) {
      const contribution = readContribution(run, peer, commitments, inbox);
      if ("kind" in contribution) return contribution;
      contributions.push(contribution);
    } else {
      const fault =
        checkNothing(run, 2, peer, inbox.broadcast(peer)) ?? checkNoShare(run, peer, inbox.direct(peer));
      if (fault !== undefined) return fault;
    }
  }
  return contributions;
};

/** x'_j = kept + Σ g_i(j), and the public part of the new epoch; or an abort when no party can accept it. */
const combine = <P extends GroupPoint<P>>(
  run: RedistributionRun<P>,
  own: OwnPart<P>,
  contributions: readonly Contribution<P>[],
): DealtEpoch<P> | AbortStep => {
  const info = newInfo(
    run,
    contributions.map(({ commitment }) => commitment),
  );
  const flaw = flawOfNewInfo(info);
  if (flaw !== undefined) return abort(`${run.protocol}/2 ${flaw}`);
  const total = contributions.reduce((part, { share }) => part + share, own.kept);
  const secretShare = isReceiver(run, run.self)
    ? new Secret(scalarOf(run.old.scheme.curve, total))
    : undefined;
  return { info, secretShare, confirmation: epochConfirmation(run, info) };
};

/** ψ_i of a receiver. Its salt covers all public values, which no party knew before all dealers had dealt. */
const proofOf = <P extends GroupPoint<P>>(
  run: RedistributionRun<P>,
  { secretShare, info, confirmation }: DealtEpoch<P>,
  entropy: Entropy,
): Uint8Array => {
  const point = info.publicShares.get(run.self);
  if (secretShare === undefined || point === undefined) return NOTHING;
  const { curve } = info.scheme;
  const statement = { point, salt: confirmation };
  const proof = proveSchnorr(curve, shareContext(run, run.self), statement, secretShare.reveal(), entropy);
  return encode(schnorrCodec(curve), proof);
};

/**
 * Round 2: receives every dealer's opening, and the sealed share that it dealt to this party alone. A share
 * off the committed polynomial is its sender's fault; but only this party can open it, so the accusation is
 * its word alone (blame/cannot-be-shown.ts). A dealer cannot deal another secret than w_i·x_i, because
 * receivers compute the commitment to the constant term themselves. Then this party proves knowledge of its
 * new share.
 */
export const round2 = <P extends GroupPoint<P>>(
  run: RedistributionRun<P>,
  own: OwnPart<P>,
  commitments: Commitments,
): Round<Redistributed<P>> => ({
  number: 2,
  expects: {
    broadcast: "plain",
    direct: "sealed",
    payloadBytesMax: dealingOpeningBytes(run.old.scheme.curve, run.threshold),
  },
  advance: (inbox, entropy) => {
    const contributions = readContributions(run, own, commitments, inbox);
    if ("kind" in contributions) return contributions;
    const dealt = combine(run, own, contributions);
    if ("kind" in dealt) return dealt;
    const payload = proofOf(run, dealt, entropy);
    return { kind: "next", messages: [{ to: "all", payload }], round: round3(run, dealt) };
  },
});
