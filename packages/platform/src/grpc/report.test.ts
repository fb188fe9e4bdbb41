import { testParty } from "@conclave/threshold/testing";
import { expect, test } from "vitest";
import { CONTROL } from "./proto.ts";
import { fromSessionEvent, type StreamReport, toSessionEvent } from "./session-event.ts";

/** As it arrives at the other end of a stream. */
const overTheWire = (report: StreamReport): StreamReport | undefined => {
  const { responseSerialize, responseDeserialize } = CONTROL.ImportKey;
  return fromSessionEvent(responseDeserialize(responseSerialize(toSessionEvent(report))));
};

test("a refused import arrives with whose shares are wrong, and how", () => {
  const report = {
    kind: "import-refused",
    refusals: [
      { kind: "entry", signer: testParty(2), flaw: { code: "ShareMismatch", field: "secret_share" } },
      {
        kind: "difference",
        field: "public_shares",
        views: [
          { digest: Buffer.alloc(32, 1), signers: [testParty(1)] },
          { digest: Buffer.alloc(32, 2), signers: [testParty(2), testParty(3)] },
        ],
      },
    ],
  } as const;
  expect(overTheWire(report)).toEqual(report);
});

test("a signer that answers with bytes that are no refusal is not heard", () => {
  const { responseSerialize, responseDeserialize } = CONTROL.ImportKey;
  const nonsense = responseSerialize({ importRefused: { refusals: [Buffer.from("00ff", "hex")] } });
  expect(fromSessionEvent(responseDeserialize(nonsense))).toBeUndefined();
});

test("an exported share arrives as it was sealed", () => {
  const report = {
    kind: "exported",
    keyId: "key-1",
    epoch: 3,
    envelope: Buffer.from("0102", "hex"),
    publicKey: Buffer.from("02ff", "hex"),
  } as const;
  expect(overTheWire(report)).toEqual(report);
});
