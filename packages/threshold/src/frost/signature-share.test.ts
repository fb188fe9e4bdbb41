import { expect, test } from "vitest";
import { ED25519 } from "../curve.ts";
import { testParty } from "../testing/insecure-auxiliary.ts";
import { ED25519_SUITE } from "./ed25519-suite.ts";
import { shareChallenge } from "./signature-share.ts";

test("P9 commitments that cancel one another give no challenge: R would be the identity", () => {
  const { generator, identity } = ED25519;
  const key = ED25519_SUITE.signingKey(generator);
  const list = (second: typeof generator) => [
    { party: testParty(1), hiding: generator, binding: identity },
    { party: testParty(2), hiding: second, binding: identity },
  ];
  const message = new Uint8Array(8);
  expect(shareChallenge(ED25519_SUITE, key, list(generator.negate()), message)).toBeUndefined();
  expect(shareChallenge(ED25519_SUITE, key, list(generator), message)).toBeDefined();
});
