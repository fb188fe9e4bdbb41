import { describe, expect, it } from "vitest";
import { recoverPublicKey } from "./recover.ts";
import { testAccount } from "./testing/account.ts";
import { TEST_SECRET_KEY } from "./testing/samples.ts";

const account = testAccount(TEST_SECRET_KEY);
const digest = new Uint8Array(32).fill(7);

describe("recovering a public key", () => {
  it("gives the key that signed", () => {
    const recovered = recoverPublicKey(digest, account.sign(digest));
    expect(recovered.ok && recovered.value).toEqual(account.publicKey);
  });

  it("gives the same key again, whatever a caller does with it, and another for another digest", () => {
    const signature = account.sign(digest);
    const first = recoverPublicKey(digest, signature);
    if (first.ok) first.value.fill(0);
    const again = recoverPublicKey(digest, signature);
    expect(again.ok && again.value).toEqual(account.publicKey);
    const other = recoverPublicKey(new Uint8Array(32).fill(8), signature);
    expect(other.ok && other.value).not.toEqual(account.publicKey);
    const negated = recoverPublicKey(digest, { ...signature, recovery: 1 - signature.recovery });
    expect(negated.ok && negated.value).not.toEqual(account.publicKey);
  });

  it.each([2, 3, -1, 27])("refuses recovery id %i", (recovery) => {
    expect(recoverPublicKey(digest, { ...account.sign(digest), recovery }).ok).toBe(false);
  });
});
