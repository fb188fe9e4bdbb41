import { describe, expect, test } from "vitest";
import { decode } from "../codec.ts";
import type { GroupPoint } from "../curve.ts";
import { FROST_BIP340, FROST_ED25519, FROST_TAPROOT, type Scheme } from "../scheme.ts";
import { frostConfig, type TestFrostSigning } from "../testing/frost-starts.ts";
import { testParties, testParty } from "../testing/insecure-auxiliary.ts";
import { insecureSchemeShares } from "../testing/insecure-key-shares.ts";
import { seededEntropy } from "../testing/seeded-entropy.ts";
import { startFrostSigning } from "./frost-signing.ts";
import { commitmentMessageCodec } from "./round1.ts";

type Asked = Omit<TestFrostSigning<never>, "shares">;

const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);
const asked: Asked = { signers: testParties(2), message: ascii("pay Alice"), session: "one" };

/** The nonce commitments D and E of runs whose entropy is always the same. */
const committerOf = <P extends GroupPoint<P>>(scheme: Scheme<P>): ((changed: Partial<Asked>) => string) => {
  const shares = insecureSchemeShares(scheme, 2, testParties(3));
  return (changed) => {
    const start = startFrostSigning(frostConfig({ shares, ...asked, ...changed }, testParty(1)));
    const step = start(seededEntropy("restored from a snapshot"));
    if (step.kind !== "next") return expect.fail("a run begins with a message");
    const payload = step.messages[0]?.payload ?? expect.fail("the commitments are sent");
    const said = decode(commitmentMessageCodec(scheme.curve), payload);
    return said.ok
      ? Buffer.from([...said.value.hiding, ...said.value.binding]).toString("hex")
      : expect.fail();
  };
};

describe.each([
  ["Ed25519", committerOf(FROST_ED25519)],
  ["BIP-340", committerOf(FROST_BIP340)],
  ["Taproot", committerOf(FROST_TAPROOT)],
])("P21 a signer of %s whose randomness repeats, as after a restored snapshot", (_, commit) => {
  test("repeats its nonces for the same request in the same session only", () => {
    expect(commit({})).toBe(commit({}));
  });

  test.each<[string, Partial<Asked>]>([
    ["message", { message: ascii("pay Mallory") }],
    ["session", { session: "two" }],
    ["quorum", { signers: testParties(3).filter((party) => party !== 2) }],
  ])(
    "takes other nonces for another %s: two signatures with one pair would reveal its share",
    (_name, changed) => {
      expect(commit(changed)).not.toBe(commit({}));
    },
  );
});
