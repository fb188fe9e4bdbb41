import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checksumEvmAddress, parseEvmAddress } from "./address.ts";

/** The examples of EIP-55. */
const EXAMPLES = [
  "0x52908400098527886E0F7030069857D2E4169EE7",
  "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
  "0xde709f2102306220921060314715629080e2fb77",
  "0x27b1fdb04752bbc536007a920d24acb045561c26",
  "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
  "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
  "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
];
const code = (text: string) => {
  const parsed = parseEvmAddress(text, "to");
  return parsed.ok ? "ok" : parsed.problem.code;
};

describe("an EVM address", () => {
  it.each(EXAMPLES)("%s of EIP-55 has the right checksum", (address) => {
    expect([code(address), checksumEvmAddress(address.toLowerCase())]).toEqual(["ok", address]);
  });

  it("passes in lower case and in upper case, which carry no checksum", () => {
    const digits = "5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
    expect([code(`0x${digits.toLowerCase()}`), code(`0x${digits.toUpperCase()}`)]).toEqual(["ok", "ok"]);
  });

  it("of mixed case is refused when the case of any one letter is changed", () => {
    const address = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
    const letters = [...address].flatMap((digit, at) => (at > 1 && /[a-f]/i.test(digit) ? [at] : []));
    const flipped = letters.map((at) => {
      const digit = address.charAt(at);
      const other = digit === digit.toLowerCase() ? digit.toUpperCase() : digit.toLowerCase();
      return code(address.slice(0, at) + other + address.slice(at + 1));
    });
    expect(new Set(flipped)).toEqual(new Set(["AddressChecksum"]));
  });

  it.each([
    "",
    "0x",
    "0x1",
    `0X${"a".repeat(40)}`,
    `0x${"a".repeat(41)}`,
    `0x${"g".repeat(40)}`,
    `${"a".repeat(42)}`,
    `0x${"a".repeat(40)}\n`,
  ])("spelled %j is malformed", (text) => {
    expect(code(text)).toBe("AddressInvalid");
  });

  it("comes out in lower case, whatever it was", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9a-f]{40}$/), (digits) => {
        expect(parseEvmAddress(checksumEvmAddress(`0x${digits}`), "to")).toEqual({
          ok: true,
          value: `0x${digits}`,
        });
      }),
    );
  });
});
