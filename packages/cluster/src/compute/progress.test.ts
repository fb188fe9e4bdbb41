import { NO_MATERIAL, type Progress, Secret } from "@conclave/threshold";
import { insecurePartySecrets, testParty } from "@conclave/threshold/testing";
import { expect, test } from "vitest";
import { unfinished } from "./progress.ts";

const envelope = {
  session: new Uint8Array(32),
  round: 1,
  kind: 1,
  from: 2,
  to: 0,
  payload: new Uint8Array(5),
  signature: new Uint8Array(64),
};
const config = {
  session: envelope.session,
  self: testParty(1),
  parties: [testParty(1), testParty(2)],
  peers: new Map(),
  secrets: new Secret(insecurePartySecrets(testParty(1))),
};

test("P13 a fault among sixty-four signers comes with no more messages than evidence may have, the accused's first", () => {
  const messages = Array.from({ length: 330 }, (_, round) => ({ ...envelope, round: round % 256 }));
  const check = "keygen/4 confirmation of the key";
  const fault = { culprit: testParty(2), check, messages, material: NO_MATERIAL };
  const outcome = { kind: "fault", fault } as const;
  const ended: Progress<never> = { session: { config, outcome, waiting: undefined }, send: [], outcome };
  const result = unfinished("keygen", ended);
  expect(result).toEqual({ kind: "fault", fault: { ...fault, messages: messages.slice(0, 320) }, send: [] });
});
