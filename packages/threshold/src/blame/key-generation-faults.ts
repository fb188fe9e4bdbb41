import { equalBytes } from "@noble/curves/utils.js";
import { decode, scalarCodecOf } from "../codec.ts";
import type { GroupPoint } from "../curve.ts";
import { keyConfirmation } from "../keygen/confirmation.ts";
import { keyOpenings } from "../keygen/opening.ts";
import { publicPartOf } from "../keygen/public-part.ts";
import { keyInfoOf } from "../keygen/round3.ts";
import { type KeyGenerationRun, keygenContext } from "../keygen/run.ts";
import { verifySchnorr } from "../proofs/schnorr.ts";
import type { Scheme } from "../scheme.ts";
import { commitmentFault, openingsOf, readAccusedOpening } from "./openings.ts";
import { broadcastOf, notShown, type SignedRecord } from "./signed-record.ts";

const runOf = <P extends GroupPoint<P>>(scheme: Scheme<P>, record: SignedRecord): KeyGenerationRun<P> => {
  const { parties, threshold, keyId, epoch } = record.attempt;
  return { session: record.session, self: record.accused, parties, threshold, keyId, epoch, scheme };
};

/** The check that the accused fails in a round of key generation; undefined when it passes. */
export const keyGenerationFault = <P extends GroupPoint<P>>(
  scheme: Scheme<P>,
  record: SignedRecord,
  round: number,
): string | undefined => {
  const { accused, session } = record;
  const run = runOf(scheme, record);
  const dealt = () => publicPartOf(run, openingsOf(record, keyOpenings(run), 2, run.parties));
  switch (round) {
    case 1:
      return commitmentFault(record, "keygen", 1);
    case 2: {
      const opened = readAccusedOpening(record, keyOpenings(run), 2);
      return "fault" in opened ? opened.fault : undefined;
    }
    case 3: {
      const response = decode(scalarCodecOf(scheme.curve), broadcastOf(record, 3, accused));
      if (!response.ok) return `keygen/3 decoding: ${response.reason}`;
      const { publicShares, schnorr, rid: salt } = dealt();
      const [point, commitment] = [publicShares.get(accused), schnorr.get(accused)];
      if (point === undefined || commitment === undefined) return notShown("the accused dealt nothing");
      const proof = { commitment, response: response.value };
      const isProven = verifySchnorr(scheme.curve, keygenContext(run, accused), { point, salt }, proof);
      return isProven ? undefined : "keygen/3 Πsch";
    }
    case 4: {
      const expected = keyConfirmation(session, keyInfoOf(run, dealt()));
      const isSame = equalBytes(broadcastOf(record, 4, accused), expected);
      return isSame ? undefined : "keygen/4 confirmation of the key";
    }
    default:
      return notShown("key generation has no such round");
  }
};
