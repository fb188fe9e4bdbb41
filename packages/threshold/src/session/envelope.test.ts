import { expect, test } from "vitest";
import { ENVELOPE_KIND, signedBytes } from "./envelope.ts";

test("the signed bytes of an envelope begin with a list's tag, unlike every text that an identity key signs elsewhere", () => {
  const header = { session: new Uint8Array(32), round: 1, kind: ENVELOPE_KIND.broadcast, from: 1, to: 0 };
  const [first = 0] = signedBytes(header, new Uint8Array(32));
  expect(first).toBe(5);
  expect("{".charCodeAt(0)).not.toBe(first);
});
