import { networkSchema } from "@conclave/custody";
import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes, hexToBytes } from "@noble/hashes/utils.js";
import { base58xrp } from "@scure/base";
import { describe, expect, it } from "vitest";
import { parseXrplAddress, xrplAccountId, xrplAddress, xrplAddressOf, xrplPublicKey } from "./address.ts";
import { parseXrplDestination, spellXrplAddress } from "./x-address.ts";

const MAIN = networkSchema.parse("XrpLedger");
const TEST = networkSchema.parse("XrpLedgerTestnet");
/** from the main network's transactions 6B34C05B… and 198B475C… */
const ADDRESS = "rEiq1iAcpzP8WLjezP9MzAQEJ7jqKMLFSA";
const KEY = hexToBytes("024979dfc8ea12b95cb832e57d9e11afabb2f4a8f99736f4aa1050f7c3f4297b77");
const EDWARDS_ADDRESS = "rhNY5uxRGpn6QHJoXbPSTGzkD9yv6b6oDE";
const EDWARDS_KEY = hexToBytes("81de3c38c331256902739dbf6916247a25ef875cc2b1ad33f6dc6c499b1a5a00");

const codeOf = (text: string): string => {
  const parsed = parseXrplAddress(text, "to");
  return parsed.ok ? parsed.value : parsed.problem.code;
};

describe("an address of the XRP Ledger", () => {
  it("is the hash of a public key of either kind, as the real network has it", () => {
    expect(xrplAddress(KEY)).toBe(ADDRESS);
    expect(xrplAddress(EDWARDS_KEY)).toBe(EDWARDS_ADDRESS);
    expect(xrplAddress(xrplPublicKey(EDWARDS_KEY))).toBe(EDWARDS_ADDRESS);
    expect(() => xrplAddress(new Uint8Array(31))).toThrow(RangeError);
  });

  it("gives the account's id back", () => {
    expect(xrplAddressOf(xrplAccountId(ADDRESS))).toBe(ADDRESS);
    expect(() => xrplAccountId(`${ADDRESS}A`)).toThrow(TypeError);
  });

  it.each([
    ["AddressInvalid", ""],
    ["AddressInvalid", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"],
    ["AddressInvalid", ADDRESS.toUpperCase()],
    ["AddressInvalid", `${ADDRESS}A`],
    ["AddressInvalid", ADDRESS.slice(0, -2)],
    ["AddressChecksum", ADDRESS.slice(0, -1)],
    ["AddressInvalid", `r${ADDRESS}`],
    ["AddressInvalid", ` ${ADDRESS.slice(1)}`],
    ["AddressInvalid", `${ADDRESS.slice(0, 5)}0${ADDRESS.slice(6)}`],
    ["AddressInvalid", "r".repeat(200)],
    // a seed, which has another base58 prefix
    ["AddressInvalid", "sn259rEFXrQrWyx3Q7XneWcwV6dfL"],
    ["AddressChecksum", `${ADDRESS.slice(0, 10)}A${ADDRESS.slice(11)}`],
    ["AddressChecksum", `${ADDRESS.slice(0, -1)}B`],
    // the ledger's own accounts with the ids zero and one
    ["AddressInvalid", "rrrrrrrrrrrrrrrrrrrrrhoLvTp"],
    ["AddressInvalid", "rrrrrrrrrrrrrrrrrrrrBZbvji"],
  ])("INV-9 is refused with %s: %j", (code, text) => {
    expect(codeOf(text)).toBe(code);
  });
});

/** Vectors of XLS-5d and of the official SDK: an account, a tag, and its addresses on the main network and on test networks. */
const VECTORS = [
  [
    "r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59",
    undefined,
    "X7AcgcsBL6XDcUb289X4mJ8djcdyKaB5hJDWMArnXr61cqZ",
    "T719a5UwUCnEs54UsxG9CJYYDhwmFCqkr7wxCcNcfZ6p5GZ",
  ],
  [
    "r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59",
    1,
    "X7AcgcsBL6XDcUb289X4mJ8djcdyKaGZMhc9YTE92ehJ2Fu",
    "T719a5UwUCnEs54UsxG9CJYYDhwmFCvbJNZbi37gBGkRkbE",
  ],
  [
    "r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59",
    14,
    "X7AcgcsBL6XDcUb289X4mJ8djcdyKaGo2K5VpXpmCqbV2gS",
    "T719a5UwUCnEs54UsxG9CJYYDhwmFCvqXVCALUGJGSbNV3x",
  ],
  [
    "r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59",
    4294967295,
    "X7AcgcsBL6XDcUb289X4mJ8djcdyKaM4S135zJJmc3HMChp",
    "T719a5UwUCnEs54UsxG9CJYYDhwmFgrQQsaBHyYJU8UEW1q",
  ],
] as const;

describe("an address with its tag inside", () => {
  const read = (network: typeof MAIN, text: string) => {
    const parsed = parseXrplDestination(network, text, "to");
    return parsed.ok ? parsed.value : parsed.problem.code;
  };

  it.each(VECTORS)("is the account %s and the tag %s", (address, tag, main, test) => {
    expect([read(MAIN, main), read(TEST, test)]).toEqual([
      { address, tag },
      { address, tag },
    ]);
    expect([spellXrplAddress(main), spellXrplAddress(test), spellXrplAddress(address)]).toEqual([
      address,
      address,
      address,
    ]);
  });

  it("is of the main network or of a test network, and is refused on the other", () => {
    const [, , main, test] = VECTORS[1];
    expect([read(TEST, main), read(MAIN, test)]).toEqual(["AddressInvalid", "AddressInvalid"]);
  });

  it.each(["X", "T", `${VECTORS[0][2]}A`, VECTORS[0][2].slice(0, -1)])(
    "INV-9 is refused as none: %s",
    (text) => {
      expect(read(MAIN, text)).toBe("AddressInvalid");
      expect(spellXrplAddress(text)).toBe(text);
    },
  );

  it("INV-9 is refused with a mistyped character", () => {
    const [, , main] = VECTORS[1];
    expect(read(MAIN, `${main.slice(0, 20)}${main[20] === "A" ? "B" : "A"}${main.slice(21)}`)).toBe(
      "AddressChecksum",
    );
  });

  it.each([
    ["with a tag of 64 bits", 2, 1, 0],
    ["with a flag that means nothing", 3, 1, 0],
    ["without a tag, and with one", 0, 1, 0],
    ["with a tag and more behind it", 1, 1, 1],
    ["without a tag, and with more behind it", 0, 0, 1],
  ])("INV-9 is refused as one that nobody writes: %s", (_, flags, tag, rest) => {
    const account = xrplAccountId(ADDRESS);
    const payload = Uint8Array.from([0x05, 0x44, ...account, flags, tag, 0, 0, 0, rest, 0, 0, 0]);
    const checksum = sha256(sha256(payload)).slice(0, 4);
    expect(read(MAIN, base58xrp.encode(concatBytes(payload, checksum)))).toBe("AddressInvalid");
  });

  it("may be written without a tag", () => {
    expect(read(MAIN, ADDRESS)).toEqual({ address: ADDRESS, tag: undefined });
    expect(read(TEST, ADDRESS)).toEqual({ address: ADDRESS, tag: undefined });
  });
});
