import { generateKeyPairSync, sign } from "node:crypto";
import { type Roster, renewalBytes } from "@conclave/platform/config";
import { insecurePeerKeys, testParty } from "@conclave/threshold/testing";
import { testRoster } from "./equivocation.ts";

const authority = generateKeyPairSync("ed25519");
const authorityKey = Buffer.from(authority.publicKey.export({ format: "jwk" }).x ?? "", "base64url").toString(
  "hex",
);

/** The date of the renewal. */
export const RENEWED = "2026-02-03T04:05:06.789Z";

/** The roster of the test cluster after a signer lost its identity: that one is the test party's, and today's is another. */
export const renewedRoster = (signer: number): Roster => {
  const identityKey = Buffer.from(insecurePeerKeys(testParty(9)).identity).toString("hex");
  const lost = testRoster.signers.find(({ index }) => index === signer);
  if (lost === undefined) throw new Error(`there is no signer ${signer}`);
  const renewal = { signer, identityKey: lost.identityKey, date: RENEWED, signature: "" };
  const roster: Roster = {
    ...testRoster,
    authorityKey,
    signers: testRoster.signers.map((each) => (each === lost ? { ...each, identityKey } : each)),
    renewals: [renewal],
  };
  const signature = sign(null, renewalBytes(roster), authority.privateKey).toString("hex");
  return { ...roster, renewals: [{ ...renewal, signature }] };
};
