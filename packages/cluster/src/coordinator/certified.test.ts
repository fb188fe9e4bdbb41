import { type IdentityRoster, type PartyIndex, signEd25519 } from "@conclave/threshold";
import { insecurePartySecrets, insecurePeerKeys, testParties, testParty } from "@conclave/threshold/testing";
import { bytesToHex } from "@noble/hashes/utils.js";
import { describe, expect, test } from "vitest";
import { type EpochTransition, receiptBytes } from "../control/epoch-certificate.ts";
import { rosterOf } from "../testing/fixtures.ts";
import { certificateBy } from "../testing/receipts.ts";
import { type HeldEpoch, latestCertified } from "./certified.ts";

const SIZE = 5;
const transition: EpochTransition = {
  subject: "key-1",
  from: 1,
  to: 2,
  digest: new Uint8Array(32).fill(1),
  session: new Uint8Array(32).fill(2),
};
const certificate = certificateBy(SIZE, transition);

/**
 * Signer 5 holds the next epoch and was not shown the certificate; signer 2 lost everything; the others have switched.
 * @param roster by which signer 5 gives its receipt
 */
const heldBy = (roster: IdentityRoster): ReadonlyMap<PartyIndex, HeldEpoch> =>
  new Map(
    testParties(SIZE).map((signer) => {
      if (signer === 2) return [signer, { epoch: 0, pending: [] }];
      if (signer !== 5) return [signer, { epoch: 2, pending: [] }];
      const { from, to: epoch, digest, session } = transition;
      const { identity } = insecurePartySecrets(signer);
      const receipt = signEd25519(receiptBytes(roster, signer, transition), identity);
      return [
        signer,
        { epoch: 1, pending: [{ from, epoch, digest, session: bytesToHex(session), receipt }] },
      ];
    }),
  );

describe("a signer that was left at an earlier epoch", () => {
  const lost = testParty(2);
  const member = rosterOf(SIZE).get(lost) ?? expect.fail("no such member");
  const before = rosterOf(SIZE);
  const today = new Map(before).set(lost, { ...member, identity: insecurePeerKeys(testParty(9)).identity });

  test("is shown its certificate also after the identity of another signer was renewed", () => {
    const shown = { epoch: 2, certificate };
    expect(latestCertified(before, "key-1", heldBy(before), [certificate])).toMatchObject(shown);
    // a signer that has restarted since then signs its receipts by today's roster
    expect(latestCertified(today, "key-1", heldBy(today), [certificate], [before])).toMatchObject(shown);
    expect(latestCertified(today, "key-1", heldBy(before), [certificate], [before])).toMatchObject(shown);
  });

  test("is shown none by identities that the roster does not have", () => {
    expect(latestCertified(today, "key-1", heldBy(today), [certificate])).toBeUndefined();
  });

  test("shows a receipt of its own: that of another cluster keeps nobody from a new epoch", () => {
    const held = heldBy(rosterOf(SIZE - 1));
    expect(latestCertified(today, "key-1", held, [certificate], [before])).toBeUndefined();
  });
});
