import { describe, expect, it } from "vitest";
import { algorandAddress, algorandPublicKey, parseAlgorandAddress } from "./address.ts";

/** from the tests of the official SDKs */
const ADDRESS = "BH55E5RMBD4GYWXGX5W5PJ5JAHPGM5OXKDQH5DC4O2MGI7NW4H6VOE4CP4";
const ZERO = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAY5HFKQ";

const codeOf = (text: string): string => {
  const parsed = parseAlgorandAddress(text, "to");
  return parsed.ok ? parsed.value : parsed.problem.code;
};

describe("an Algorand address", () => {
  it("is the public key and its checksum, and gives the key back", () => {
    expect(codeOf(ADDRESS)).toBe(ADDRESS);
    const publicKey = algorandPublicKey(ADDRESS);
    expect([publicKey.length, algorandAddress(publicKey)]).toEqual([32, ADDRESS]);
    expect(() => algorandAddress(new Uint8Array(33))).toThrow(RangeError);
    expect(() => algorandPublicKey(`A${ADDRESS.slice(1)}`)).toThrow(TypeError);
  });

  it.each([
    ["AddressInvalid", ""],
    ["AddressInvalid", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"],
    ["AddressInvalid", ADDRESS.toLowerCase()],
    ["AddressInvalid", `${ADDRESS}A`],
    ["AddressInvalid", ADDRESS.slice(0, -1)],
    ["AddressInvalid", ` ${ADDRESS.slice(1)}`],
    ["AddressInvalid", `1${ADDRESS.slice(1)}`],
    ["AddressChecksum", `A${ADDRESS.slice(1)}`],
    ["AddressChecksum", `${ADDRESS.slice(0, 10)}A${ADDRESS.slice(11)}`],
    // the same bytes, with an unused bit of the last character set
    ["AddressInvalid", `${ADDRESS.slice(0, -1)}5`],
    ["AddressInvalid", ZERO],
  ])("INV-9 is refused with %s: %j", (code, text) => {
    expect(codeOf(text)).toBe(code);
  });
});
