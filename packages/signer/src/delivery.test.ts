import type { SignerEvent } from "@conclave/cluster";
import { ENVELOPES_PER_REQUEST_MAX } from "@conclave/platform/grpc";
import { ENVELOPE_KIND, encode, envelopeCodec, type PartyIndex } from "@conclave/threshold";
import { testParties } from "@conclave/threshold/testing";
import { beforeEach, expect, test } from "vitest";
import { type Deliver, deliveryTo } from "./delivery.ts";

const [ONE, TWO] = testParties(2);
if (ONE === undefined || TWO === undefined) throw new Error("there are two");

const envelopeOf = (from: PartyIndex): Uint8Array =>
  encode(envelopeCodec, {
    session: new Uint8Array(32),
    round: 1,
    kind: ENVELOPE_KIND.broadcast,
    from,
    to: 0,
    payload: new Uint8Array(8),
    signature: new Uint8Array(64),
  });

let heard: SignerEvent[];
let isBusy: boolean;
let deliver: Deliver;
beforeEach(() => {
  heard = [];
  isBusy = false;
  deliver = deliveryTo({ isBusy: () => isBusy, dispatch: (event) => void heard.push(event) });
});

test("envelopes of the peer that delivers them are taken in order", () => {
  expect(deliver(TWO, [envelopeOf(TWO), envelopeOf(TWO)])).toBeUndefined();
  expect(heard).toMatchObject(Array(2).fill({ kind: "envelope", from: TWO, envelope: { from: TWO } }));
});

test.each([
  ["in the name of another signer", TWO, [envelopeOf(TWO), envelopeOf(ONE)], "of another sender"],
  ["from a caller that is no signer", undefined, [envelopeOf(TWO)], "of another sender"],
  ["that cannot be read", TWO, [envelopeOf(TWO), new Uint8Array(9)], "not an envelope"],
  [
    "too many at once",
    TWO,
    Array(ENVELOPES_PER_REQUEST_MAX + 1).fill(envelopeOf(TWO)),
    "not of a fitting size",
  ],
  ["none at all", TWO, [], "not of a fitting size"],
] as const)("an envelope %s has none of its request taken", (_, from, list, whyNot) => {
  expect(deliver(from, list)).toBe(whyNot);
  expect(heard).toEqual([]);
});

test("a signer with too much to do takes none", () => {
  isBusy = true;
  expect(deliver(TWO, [envelopeOf(TWO)])).toBe("busy");
  expect(heard).toEqual([]);
});
