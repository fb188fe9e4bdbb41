import { bytesToHex } from "@noble/hashes/utils.js";
import { describe, expect, it } from "vitest";
import { parseTronAddress, tronAccount, tronAddress } from "./address.ts";

/** USDT's contract, as explorers show it */
const ADDRESS = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";
const ACCOUNT = "a614f803b6fd780986a42c78ec9c7f77e6ded13c";
const ZERO = "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb";

const codeOf = (text: string): string => {
  const parsed = parseTronAddress(text, "to");
  return parsed.ok ? parsed.value : parsed.problem.code;
};

describe("an address of TRON", () => {
  it("is 20 bytes with a checksum, and gives them back", () => {
    expect(codeOf(ADDRESS)).toBe(ADDRESS);
    const account = tronAccount(ADDRESS);
    expect([bytesToHex(account), tronAddress(account)]).toEqual([ACCOUNT, ADDRESS]);
    expect(() => tronAddress(new Uint8Array(21))).toThrow(RangeError);
    expect(() => tronAccount(`${ADDRESS.slice(0, -1)}u`)).toThrow(TypeError);
  });

  it.each([
    ["AddressInvalid", ""],
    ["AddressInvalid", `0x${ACCOUNT}`],
    ["AddressInvalid", `41${ACCOUNT}`],
    ["AddressInvalid", ADDRESS.toLowerCase()],
    ["AddressInvalid", `${ADDRESS}t`],
    ["AddressInvalid", ADDRESS.slice(0, -1)],
    ["AddressInvalid", ` ${ADDRESS.slice(1)}`],
    ["AddressInvalid", `${ADDRESS.slice(0, -1)}0`],
    ["AddressChecksum", "T".repeat(34)],
    // addresses of Bitcoin and of the XRP Ledger
    ["AddressInvalid", "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"],
    ["AddressInvalid", "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh"],
    ["AddressChecksum", `${ADDRESS.slice(0, -1)}u`],
    ["AddressChecksum", `${ADDRESS.slice(0, 10)}R${ADDRESS.slice(11)}`],
    ["AddressInvalid", ZERO],
  ])("INV-9 is refused with %s: %j", (code, text) => {
    expect(codeOf(text)).toBe(code);
  });
});
