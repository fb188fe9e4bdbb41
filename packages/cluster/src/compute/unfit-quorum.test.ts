import {
  auxiliaryInfoCodec,
  CGGMP24,
  encode,
  FROST_ED25519,
  keyShareCodec,
  Secret,
} from "@conclave/threshold";
import { INSECURE_TEST_PARAMETERS as parameters } from "@conclave/threshold/insecure-test-parameters";
import {
  insecureAuxiliaryInfo,
  insecureKeyShares,
  insecurePartySecrets,
  insecurePeerKeys,
  insecureSchemeShares,
  seededEntropy,
  testParties,
  testParty,
} from "@conclave/threshold/testing";
import { describe, expect, it } from "vitest";
import { sessionKey } from "../control/session-key.ts";
import { compute, openHost } from "./host.ts";
import type { ComputeTask } from "./task.ts";

const holders = testParties(3);
const self = testParty(1);
const session = sessionKey(new Uint8Array(32).fill(1)) ?? expect.fail("no session");

/** Signer 1 of a roster that signer 4 joined after the key and the auxiliary info were made. */
const host = openHost({
  self,
  parameters,
  peers: new Map(testParties(4).map((party) => [party, insecurePeerKeys(party)])),
  secrets: new Secret(insecurePartySecrets(self)),
});

const signers = [self, testParty(4)];
const share = insecureKeyShares(2, holders).get(self) ?? expect.fail("no share");
const wide = insecureKeyShares(2, testParties(4)).get(self) ?? expect.fail("no share");
const frost = insecureSchemeShares(FROST_ED25519, 2, holders).get(self) ?? expect.fail("no share");
const info = insecureAuxiliaryInfo(holders).get(self) ?? expect.fail("no auxiliary info");
const auxiliary = new Secret(encode(auxiliaryInfoCodec(parameters), info));

const presigningWith = (key: typeof share): ComputeTask => ({
  kind: "open-presigning",
  purpose: "request",
  signers,
  key: new Secret(encode(keyShareCodec(CGGMP24), key)),
  auxiliary,
});

const cases: readonly (readonly [string, ComputeTask])[] = [
  ["a signer without a share", presigningWith(share)],
  ["a signer without auxiliary info", presigningWith(wide)],
  [
    "a signer without a share of a FROST key",
    {
      kind: "open-frost",
      signers,
      scheme: "FROST-Ed25519",
      key: new Secret(encode(keyShareCodec(FROST_ED25519), frost)),
      message: new Uint8Array(3),
    },
  ],
  [
    "fewer signers than the threshold of a key that was made under another roster",
    { ...presigningWith(insecureKeyShares(3, holders).get(self) ?? expect.fail("no share")) },
  ],
];

describe("a quorum of the roster that does not fit what it would sign with", () => {
  it.each(cases)("ends the session instead of the worker: %s", (_, task) => {
    expect(compute(host, session, task, seededEntropy("unfit")).result).toMatchObject({ kind: "abort" });
  });
});
