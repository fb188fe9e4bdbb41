import { describe, expect, it } from "vitest";
import { parseSolanaAddress, solanaAddress, solanaPublicKey } from "./address.ts";

/** from the examples in the official documentation */
const ADDRESS = "83astBRguLMdt2h5U1Tpdq5tjFoJ6noeGwaY3mDLVcri";
const ZERO = "11111111111111111111111111111111";

const codeOf = (text: string): string => {
  const parsed = parseSolanaAddress(text, "to");
  return parsed.ok ? parsed.value : parsed.problem.code;
};

describe("a Solana address", () => {
  it("is the public key, and gives it back", () => {
    expect(codeOf(ADDRESS)).toBe(ADDRESS);
    const publicKey = solanaPublicKey(ADDRESS);
    expect([publicKey.length, solanaAddress(publicKey)]).toEqual([32, ADDRESS]);
    expect(() => solanaAddress(new Uint8Array(33))).toThrow(RangeError);
    expect(() => solanaPublicKey(`${ADDRESS}1`)).toThrow(TypeError);
  });

  it("may begin with zeros", () => {
    const publicKey = Uint8Array.from({ length: 32 }, (_, at) => (at < 3 ? 0 : at));
    expect(codeOf(solanaAddress(publicKey))).toBe(solanaAddress(publicKey));
  });

  it.each([
    ["AddressInvalid", ""],
    ["AddressInvalid", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"],
    ["AddressInvalid", ADDRESS.slice(0, -2)],
    ["AddressInvalid", `1${ADDRESS}`],
    ["AddressInvalid", `${ADDRESS}1`],
    ["AddressInvalid", ` ${ADDRESS}`],
    ["AddressInvalid", `O${ADDRESS.slice(1)}`],
    // does not fit into 32 bytes
    ["AddressInvalid", "z".repeat(44)],
    ["AddressInvalid", "BH55E5RMBD4GYWXGX5W5PJ5JAHPGM5OXKDQH5DC4O2MGI7NW4H6VOE4CP4"],
    ["AddressInvalid", ZERO],
  ])("INV-9 is refused with %s: %j", (code, text) => {
    expect(codeOf(text)).toBe(code);
  });
});
