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

  it.each([2, 3, -1, 27])("refuses recovery id %i", (recovery) => {
    expect(recoverPublicKey(digest, { ...account.sign(digest), recovery }).ok).toBe(false);
  });
});
