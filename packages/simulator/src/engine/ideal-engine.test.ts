import { type ComputeResult, sessionKey } from "@conclave/cluster";
import { testParties } from "@conclave/threshold/testing";
import { expect, it } from "vitest";
import { idealEngine } from "./ideal-engine.ts";
import { IdealKeys } from "./ideal-keys.ts";

const PARTIES = testParties(2);
const SESSION = sessionKey(new Uint8Array(32)) ?? expect.fail("a session has 32 bytes");

it("INV-1 an engine says of each share that it makes, and that it takes, whose it is", () => {
  const keys = new IdealKeys("seed");
  const decoded: unknown[] = [];
  const engines = PARTIES.map((self) =>
    idealEngine(self, keys, {
      decoded: ({ keyId, party, threshold }) => decoded.push([self, keyId, party, threshold]),
      opened: () => undefined,
      partial: () => undefined,
    }),
  );
  const open = {
    kind: "open-key",
    parties: PARTIES,
    keyId: "key-a",
    scheme: "CGGMP24",
    threshold: 2,
    epoch: 1,
  } as const;
  const opened = engines.map((engine) => engine.compute(SESSION, open));
  const sent = (result: ComputeResult | undefined) =>
    result?.kind === "running" ? (result.send[0] ?? expect.fail("nothing is sent")) : expect.fail("it ended");
  const [first, second] = engines;
  const made = first?.compute(SESSION, { kind: "deliver", envelope: sent(opened[1]) });
  if (made?.kind !== "key") expect.fail("no key was made");
  second?.compute(SESSION, { kind: "deliver", envelope: sent(opened[0]) });
  expect(decoded).toEqual([
    [1, "key-a", 1, 2],
    [2, "key-a", 2, 2],
  ]);
  decoded.length = 0;
  const next = sessionKey(new Uint8Array(32).fill(1)) ?? expect.fail("a session has 32 bytes");
  // a signer that was handed another one's share says so
  second?.compute(next, {
    kind: "open-refresh",
    parties: PARTIES,
    scheme: "CGGMP24",
    key: made.share,
    nextEpoch: 2,
  });
  expect(decoded).toEqual([[2, "key-a", 1, 2]]);
});
