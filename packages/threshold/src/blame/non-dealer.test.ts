import { numberToBytesBE } from "@noble/curves/utils.js";
import { expect, test } from "vitest";
import { keyDigest } from "../redistribution/key-digest.ts";
import { startReshare } from "../reshare/reshare.ts";
import { type Envelope, signEnvelope } from "../session/envelope.ts";
import { testParties, testParty } from "../testing/insecure-auxiliary.ts";
import { insecureKeyShares } from "../testing/insecure-key-shares.ts";
import { testAttempt, testRoster } from "../testing/mutation/attempts.ts";
import { insecurePartySecrets, runSessions, testConfigs } from "../testing/session-network.ts";
import { EPOCH_BYTES, partiesMask } from "./agreed-values.ts";
import { evidenceOf } from "./evidence.ts";
import { verifyFault } from "./verify-fault.ts";

const receivers = testParties(3);
const [honest, dealer, newcomer] = [testParty(1), testParty(2), testParty(3)];
const dealers = [honest, dealer];
const shares = insecureKeyShares(2, dealers);
const { info } = shares.get(honest) ?? expect.fail("dealers hold a share");
const nextEpoch = 7;

test("INV-7 P15 a party that does not deal and says something in the round of the dealers is proved to", () => {
  const { attempt, session } = testAttempt("a newcomer speaks", receivers, {
    protocol: "key-reshare",
    agreed: [
      keyDigest(info),
      numberToBytesBE(nextEpoch, EPOCH_BYTES),
      partiesMask(dealers),
      partiesMask(receivers),
    ],
  });
  const lie = (envelope: Envelope): Envelope =>
    envelope.from === newcomer && envelope.round === 2 && envelope.to === 0
      ? signEnvelope(envelope, Uint8Array.of(1), insecurePartySecrets(newcomer).identity)
      : envelope;
  const { outcomes } = runSessions({
    configs: testConfigs(receivers, session),
    start: (config) => {
      const common = { session, self: config.self, info, dealers, receivers, threshold: 2, nextEpoch };
      const secretShare = shares.get(config.self)?.secretShare;
      return startReshare(secretShare === undefined ? common : { ...common, secretShare });
    },
    seed: "a newcomer speaks",
    wire: ({ to, envelope }) => [{ to, envelope: lie(envelope) }],
  });
  const outcome = outcomes.get(honest);
  const fault = outcome?.kind === "fault" ? outcome.fault : expect.fail("the newcomer is named");
  expect(verifyFault(evidenceOf(attempt, fault), testRoster(receivers))).toMatchObject({
    kind: "proven",
    culprit: newcomer,
  });
});
