import { generateKeyPairSync, sign } from "node:crypto";
import { lastEventBytes, type Roster, type RosterChange } from "@conclave/platform/config";
import { insecurePeerKeys, testParty } from "@conclave/threshold/testing";
import { testRoster } from "./equivocation.ts";

const authority = generateKeyPairSync("ed25519");
const authorityKey = Buffer.from(authority.publicKey.export({ format: "jwk" }).x ?? "", "base64url").toString(
  "hex",
);

/** The date of the renewal. */
export const RENEWED = "2026-02-03T04:05:06.789Z";

const renew = (before: Roster, signer: number, date: string): Roster => {
  const { renewals: earlier = [] } = before;
  const identityKey = Buffer.from(insecurePeerKeys(testParty(9 + earlier.length)).identity).toString("hex");
  const lost = before.signers.find(({ index }) => index === signer);
  if (lost === undefined) throw new Error(`there is no signer ${signer}`);
  const renewal = { signer, identityKey: lost.identityKey, date, signature: "" };
  const roster: Roster = {
    ...before,
    signers: before.signers.map((each) => (each === lost ? { ...each, identityKey } : each)),
    renewals: [...earlier, renewal],
  };
  const signature = sign(null, lastEventBytes(roster), authority.privateKey).toString("hex");
  return { ...roster, renewals: [...earlier, { ...renewal, signature }] };
};

/**
 * The roster of the test cluster after signers got new identities, one after the other; the former identities are the
 * test parties'.
 */
export const renewedRoster = (signers: number | readonly number[], date = RENEWED): Roster =>
  [signers]
    .flat()
    .reduce<Roster>((roster, signer) => renew(roster, signer, date), { ...testRoster, authorityKey });

/** The roster of the test cluster after a signer was removed on that date; the others are the test parties. */
export const rosterWithout = (
  signer: number,
  reason: RosterChange["removed"][number]["reason"],
  date = RENEWED,
): Roster => {
  const { id, identityKey } = testRoster.signers.find(({ index }) => index === signer) ?? {};
  if (id === undefined || identityKey === undefined) throw new Error(`there is no signer ${signer}`);
  const removed = [{ index: signer, id, identityKey, reason }];
  const change = { renewals: 0, threshold: testRoster.threshold, added: [], removed, date, signature: "" };
  const signers = testRoster.signers.filter(({ index }) => index !== signer);
  const roster: Roster = { ...testRoster, authorityKey, signers, changes: [change] };
  const signature = sign(null, lastEventBytes(roster), authority.privateKey).toString("hex");
  return { ...roster, changes: [{ ...change, signature }] };
};
