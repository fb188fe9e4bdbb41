import { importSigners, signersListing } from "@conclave/platform";
import { expect, test } from "vitest";
import { exportedShares } from "./exported-shares.ts";

/** Points of secp256k1: the generator, its double and its triple. */
const POINTS = [
  "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
  "02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5",
  "02f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9",
];
const signer = (at: number) => ({
  index: at + 1,
  id: `signer-${at + 1}`,
  address: "127.0.0.1:1",
  identityKey: "",
  encryptionKey: "",
  importKey: `01${POINTS[at]}`,
});
const roster = { clusterId: "test", signers: [signer(0), signer(1), signer(2)] };
const ids = (signersListing(roster).clusters[0]?.signers ?? []).map(({ signerId }) => signerId);

test("an export answers with the envelopes of those that sealed one, under the ids of the listing", () => {
  const parties = importSigners(roster)?.map(({ party }) => party) ?? [];
  const envelopes = new Map(parties.slice(1).map((party) => [party, Uint8Array.of(party)]));
  expect(exportedShares(roster, envelopes)).toEqual([
    { signerId: ids[1], encryptedKeyShare: "Ag==" },
    { signerId: ids[2], encryptedKeyShare: "Aw==" },
  ]);
});
