import { encode, FROST_ED25519, keyShareCodec, Secret } from "@conclave/threshold";
import { INSECURE_TEST_PARAMETERS as parameters } from "@conclave/threshold/insecure-test-parameters";
import {
  insecurePartySecrets,
  insecurePeerKeys,
  insecureSchemeShares,
  seededEntropy,
  testParties,
  testParty,
} from "@conclave/threshold/testing";
import { expect, test } from "vitest";
import { sessionKey } from "../control/session-key.ts";
import { compute, openHost } from "./host.ts";
import { drop, type Host } from "./host-state.ts";

const parties = testParties(3);
const self = testParty(1);
const share = insecureSchemeShares(FROST_ED25519, 2, parties).get(self) ?? expect.fail("no share");

const sign = (host: Host, epoch: number): Host => {
  const session = sessionKey(new Uint8Array(32).fill(epoch)) ?? expect.fail("no session");
  const key = { ...share, info: { ...share.info, epoch } };
  const task = {
    kind: "open-frost",
    signers: [self, testParty(2)],
    scheme: "FROST-Ed25519",
    key: new Secret(encode(keyShareCodec(FROST_ED25519), key)),
    message: new Uint8Array(3),
  } as const;
  return drop(compute(host, session, task, seededEntropy("frost")).host, session);
};

test("a share of a FROST key is forgotten once the key signs with one of another epoch", () => {
  const host = openHost({
    self,
    parameters,
    peers: new Map(parties.map((party) => [party, insecurePeerKeys(party)])),
    secrets: new Secret(insecurePartySecrets(self)),
  });
  const twice = sign(sign(host, 1), 1);
  expect([...twice.frostKeys.values()].map(({ info }) => info.epoch)).toEqual([1]);
  expect([...sign(twice, 2).frostKeys.values()].map(({ info }) => info.epoch)).toEqual([2]);
});
