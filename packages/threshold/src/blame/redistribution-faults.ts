import { equalBytes } from "@noble/curves/utils.js";
import { decode, fixedBytes } from "../codec.ts";
import type { GroupPoint } from "../curve.ts";
import { COMMITMENT_BYTES } from "../opening.ts";
import { schnorrCodec, verifySchnorr } from "../proofs/schnorr.ts";
import { epochConfirmation } from "../redistribution/confirmation.ts";
import { dealingOpenings, NOTHING } from "../redistribution/messages.ts";
import { newInfo } from "../redistribution/new-info.ts";
import { constantOf, isDealer, type RedistributionRun, shareContext } from "../redistribution/run.ts";
import { refreshRun } from "../refresh/refresh.ts";
import { reshareRun } from "../reshare/reshare.ts";
import type { Scheme } from "../scheme.ts";
import { agreedDealers, agreedNextEpoch, agreedReceivers } from "./agreed-values.ts";
import { keyOf } from "./key-material.ts";
import { commitmentFault, openingsOf, readAccusedOpening } from "./openings.ts";
import { broadcastOf, notShown, type SignedRecord } from "./signed-record.ts";

/** The refresh or reshare that the session id binds. */
const runOf = <P extends GroupPoint<P>>(scheme: Scheme<P>, record: SignedRecord): RedistributionRun<P> => {
  const { attempt, session, accused } = record;
  const info = keyOf(record, scheme);
  const nextEpoch = agreedNextEpoch(attempt);
  if (attempt.protocol === "key-refresh") {
    return refreshRun({ session, key: { self: accused, info }, nextEpoch });
  }
  const { threshold } = attempt;
  const receivers = agreedReceivers(attempt);
  const dealers = agreedDealers(attempt);
  return reshareRun({ session, self: accused, info, dealers, receivers, threshold, nextEpoch });
};

const mustBeEmpty = (record: SignedRecord, name: string, at: number): string | undefined => {
  const nothing = decode(fixedBytes(NOTHING.length), broadcastOf(record, at, record.accused));
  return nothing.ok ? undefined : `${name} decoding: ${nothing.reason}`;
};

/** The public part of the new epoch, which anybody can compute from the openings of all dealers. */
const newInfoOf = <P extends GroupPoint<P>>(
  record: SignedRecord,
  run: RedistributionRun<P>,
  after: number,
) => {
  const openings = openingsOf(record, dealingOpenings(run), after + 2, [...run.weights.keys()]);
  const commitments = [...openings].map(([dealer, { coefficients }]) => [
    constantOf(run, dealer),
    ...coefficients,
  ]);
  return newInfo(run, commitments);
};

/**
 * The check that the accused fails in a round of a redistribution; undefined when it passes.
 *
 * @param round counted as in the names of its checks; the session's round is `after` higher
 */
export const redistributionFault = <P extends GroupPoint<P>>(
  record: SignedRecord,
  run: RedistributionRun<P>,
  round: number,
  after = 0,
): string | undefined => {
  const { accused } = record;
  const { curve } = run.old.scheme;
  const at = after + round;
  const name = `${run.protocol}/${round}`;
  switch (round) {
    case 1:
      return commitmentFault(
        record,
        run.protocol,
        at,
        isDealer(run, accused) ? COMMITMENT_BYTES : NOTHING.length,
      );
    case 2: {
      if (!isDealer(run, accused)) return mustBeEmpty(record, name, at);
      const opened = readAccusedOpening(record, dealingOpenings(run), at);
      return "fault" in opened ? opened.fault : undefined;
    }
    case 3: {
      if (!run.receivers.includes(accused)) return mustBeEmpty(record, name, at);
      const proof = decode(schnorrCodec(curve), broadcastOf(record, at, accused));
      if (!proof.ok) return `${name} decoding: ${proof.reason}`;
      const info = newInfoOf(record, run, after);
      const point = info.publicShares.get(accused) ?? notShown("the accused receives nothing");
      const statement = { point, salt: epochConfirmation(run, info) };
      const isProven = verifySchnorr(curve, shareContext(run, accused), statement, proof.value);
      return isProven ? undefined : `${name} Πsch`;
    }
    case 4: {
      const expected = epochConfirmation(run, newInfoOf(record, run, after));
      const isSame = equalBytes(broadcastOf(record, at, accused), expected);
      return isSame ? undefined : `${name} confirmation of the new shares`;
    }
    default:
      return notShown("a redistribution has no such round");
  }
};

/** The check that the accused fails in a round of a refresh or a reshare; undefined when it passes. */
export const keyChangeFault = <P extends GroupPoint<P>>(
  scheme: Scheme<P>,
  record: SignedRecord,
  round: number,
): string | undefined => redistributionFault(record, runOf(scheme, record), round);
