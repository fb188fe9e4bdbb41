import { networkSchema } from "@conclave/custody";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { describe, expect, it } from "vitest";
import vectors from "../../../../../test/vectors/bitcoin.json" with { type: "json" };
import {
  bitcoinAddress,
  bitcoinScript,
  isBitcoinAddress,
  parseBitcoinAddress,
  spellBitcoinAddress,
} from "./address.ts";
import { bitcoinAddressPaid, bitcoinDustLimit, bitcoinScriptBody, bitcoinScriptType } from "./script.ts";

const MAIN = networkSchema.parse("Bitcoin");
const TEST = networkSchema.parse("BitcoinTestnet3");
const codeOf = (text: string, network = MAIN): string => {
  const parsed = parseBitcoinAddress(network, text, "to");
  return parsed.ok ? parsed.value : parsed.problem.code;
};
const scriptOf = (address: string, network = MAIN) => bitcoinScript(network, address) ?? expect.fail(address);

const P2PKH = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2";
const P2SH = "3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy";
const P2WPKH = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
const P2WSH = "bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3";
const P2TR = "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0";

describe("an address of Bitcoin", () => {
  it.each(vectors.addresses.map(([name = "", address = "", script = ""]) => ({ name, address, script })))(
    "of BIP-173 and BIP-350 is read as its script: $address",
    ({ name, address, script }) => {
      const network = networkSchema.parse(name);
      expect(codeOf(address.toUpperCase(), network)).toBe(address);
      expect(bytesToHex(scriptOf(address, network))).toBe(script);
    },
  );

  it.each([
    ["P2PKH", P2PKH, 546n],
    ["P2SH", P2SH, 540n],
    ["P2WPKH", P2WPKH, 294n],
    ["P2WSH", P2WSH, 330n],
    ["P2TR", P2TR, 330n],
  ] as const)("of %s is read, and found again in its script", (type, address, dust) => {
    const script = scriptOf(address);
    expect([codeOf(address), bitcoinScriptType(script), bitcoinAddressPaid(MAIN, script)]).toEqual([
      address,
      type,
      address,
    ]);
    expect(bitcoinDustLimit(script)).toBe(dust);
    expect(codeOf(address, TEST)).toBe("AddressInvalid");
    expect(bitcoinScript(TEST, address)).toBeUndefined();
    expect(isBitcoinAddress(address)).toBe(true);
  });

  it("of a test network is one of all test networks", () => {
    const script = scriptOf(P2WPKH);
    const address = bitcoinAddressPaid(TEST, script) ?? "";
    expect(address).toBe("tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx");
    for (const name of ["BitcoinSignet", "BitcoinTestnet4"]) {
      expect(codeOf(address, networkSchema.parse(name))).toBe(address);
    }
    expect(codeOf("mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn", TEST)).toBe("mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn");
    expect(codeOf("2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc", TEST)).toBe("2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc");
  });

  it.each([
    ["AddressInvalid", ""],
    ["AddressInvalid", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"],
    ["AddressInvalid", `${P2WPKH.slice(0, -1)}T`],
    ["AddressInvalid", P2PKH.slice(0, 20)],
    ["AddressInvalid", `${P2PKH}${P2PKH}${P2PKH}`],
    ["AddressInvalid", ` ${P2PKH}`],
    ["AddressInvalid", P2PKH.replace("B", "0")],
    ["AddressChecksum", P2PKH.replace("v", "w")],
    ["AddressChecksum", P2SH.toLowerCase().replaceAll("l", "m")],
    ["AddressChecksum", P2WPKH.replace("w", "x")],
    ["AddressChecksum", `${P2TR.slice(0, -1)}q`],
    // version 1 with bech32's checksum, and version 0 with bech32m's: both forbidden (BIP-350)
    ["AddressChecksum", "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd"],
    ["AddressChecksum", "bc1q0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq54well"],
    // version 2, version 16, version 1 of 40 bytes (BIP-350), version 0 of 16 bytes (BIP-173)
    ["AddressInvalid", "bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs"],
    // the human part contains a whole address: the separator is the last "1"
    ["AddressInvalid", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t41qqurswpc8qurswpc8qurswpc8qurswpc86uu64s"],
    ["AddressInvalid", "BC1SW50QGDZ25J"],
    ["AddressInvalid", "bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y"],
    ["AddressInvalid", "BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P"],
    // addresses of another chain
    ["AddressInvalid", "ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9"],
    ["AddressInvalid", "LVg2kJoFNg45Nbpy53h7Fe1wKyeXVRhMH9"],
  ])("INV-9 is refused with %s: %j", (code, text) => {
    expect(codeOf(text)).toBe(code);
    expect(isBitcoinAddress(text)).toBe(false);
  });

  it("has no letter beyond ASCII, also where its lower case is one of ASCII", () => {
    const kelvin = "BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4".replaceAll("K", "\u212A");
    expect(kelvin.toLowerCase()).toBe("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4");
    expect(parseBitcoinAddress(MAIN, kelvin, "to")).toMatchObject({
      ok: false,
      problem: { code: "AddressInvalid" },
    });
  });

  it("has one spelling", () => {
    expect([P2WPKH.toUpperCase(), P2WPKH, P2PKH, "else"].map(spellBitcoinAddress)).toEqual([
      P2WPKH,
      P2WPKH,
      P2PKH,
      "else",
    ]);
    expect(isBitcoinAddress(P2WPKH.toUpperCase())).toBe(false);
  });
});

describe("the address of a key", () => {
  it("of ECDSA is paid by its hash (BIP-173), one of Taproot by itself (BIP-86)", () => {
    const key = hexToBytes("0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798");
    expect(bitcoinAddress(MAIN, key)).toBe(P2WPKH);
    // the first receiving key of BIP-86's test vectors, tweaked
    const output = hexToBytes("a60869f0dbcf1dc659c9cecbaf8050135ea9e8cdc487053f1dc6880949dc684c");
    expect(bitcoinAddress(MAIN, output)).toBe(
      "bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr",
    );
    expect(() => bitcoinAddress(MAIN, key.slice(3))).toThrow(RangeError);
  });

  it("of another family has none", () => {
    expect(() => bitcoinAddress(networkSchema.parse("Litecoin"), new Uint8Array(33))).toThrow(TypeError);
  });
});

describe("a script that is not standard", () => {
  it("has no type, no address and no dust limit", () => {
    for (const hex of ["", "6a0107", `5220${"00".repeat(32)}`, "00141122", "51024e74"]) {
      const script = hexToBytes(hex);
      expect([bitcoinScriptType(script), bitcoinAddressPaid(MAIN, script)]).toEqual([undefined, undefined]);
      expect(() => bitcoinDustLimit(script)).toThrow(TypeError);
      expect(() => bitcoinScriptBody(script)).toThrow(TypeError);
    }
  });
});
