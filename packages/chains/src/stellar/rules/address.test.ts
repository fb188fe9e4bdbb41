import { describe, expect, it } from "vitest";
import {
  parseStellarAccount,
  parseStellarReceiver,
  stellarAddress,
  stellarContractAddress,
  stellarContractId,
  stellarPublicKey,
} from "./address.ts";

/** from SEP-23 */
const ACCOUNT = "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ";
const MUXED = "MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLK";
const CONTRACT = "CA3D5KRYM6CB7OWQ6TWYRR3Z4T7GNZLKERYNZGGA5SOAOPIFY6YQGAXE";

const codeOf = (text: string): string => {
  const parsed = parseStellarReceiver(text, "to");
  return parsed.ok ? parsed.value.kind : parsed.problem.code;
};

describe("a Stellar address", () => {
  it("is the public key and its checksum, and gives the key back", () => {
    const publicKey = stellarPublicKey(ACCOUNT);
    expect([publicKey.length, stellarAddress(publicKey)]).toEqual([32, ACCOUNT]);
    const contractId = stellarContractId(CONTRACT);
    expect([contractId.length, stellarContractAddress(contractId)]).toEqual([32, CONTRACT]);
    expect([codeOf(ACCOUNT), codeOf(CONTRACT)]).toEqual(["account", "contract"]);
    expect(() => stellarAddress(new Uint8Array(33))).toThrow(RangeError);
    expect(() => stellarPublicKey(CONTRACT)).toThrow(TypeError);
    expect(() => stellarContractId(ACCOUNT)).toThrow(TypeError);
  });

  it("of an account is no contract's", () => {
    expect(parseStellarAccount(ACCOUNT, "issuer")).toEqual({ ok: true, value: ACCOUNT });
    const contract = parseStellarAccount(CONTRACT, "issuer");
    expect(!contract.ok && contract.problem.message).toContain("an account (G…) is needed here");
  });

  it("that is muxed is refused with the account and the memo to send to instead", () => {
    const muxed = parseStellarReceiver(MUXED, "to");
    expect(!muxed.ok && muxed.problem).toMatchObject({
      code: "AddressInvalid",
      details: { field: "to", account: ACCOUNT, memo: "9223372036854775808" },
      message: `Muxed addresses are not taken: send to ${ACCOUNT} with the memo 9223372036854775808.`,
    });
  });

  it.each([
    ["AddressInvalid", ""],
    ["AddressInvalid", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"],
    ["AddressInvalid", ACCOUNT.toLowerCase()],
    ["AddressInvalid", `${ACCOUNT}A`],
    ["AddressInvalid", ACCOUNT.slice(0, -1)],
    ["AddressInvalid", ` ${ACCOUNT.slice(1)}`],
    ["AddressInvalid", `G1${ACCOUNT.slice(2)}`],
    // a secret seed, a transaction's hash, and an account's key with the letter of a contract
    ["AddressInvalid", `S${ACCOUNT.slice(1)}`],
    ["AddressInvalid", `T${ACCOUNT.slice(1)}`],
    ["AddressInvalid", `GB${ACCOUNT.slice(2)}`.replace("GB", "GZ")],
    ["AddressChecksum", `C${ACCOUNT.slice(1)}`],
    ["AddressChecksum", `${ACCOUNT.slice(0, 10)}A${ACCOUNT.slice(11)}`],
    ["AddressChecksum", `${ACCOUNT.slice(0, -1)}A`],
    // from SEP-23: unused bits set, a wrong length, padding
    ["AddressInvalid", "MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUR"],
    ["AddressInvalid", "GAAAAAAAACGC6"],
    ["AddressInvalid", "MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ==="],
  ])("INV-9 is refused with %s: %j", (code, text) => {
    expect(codeOf(text)).toBe(code);
  });
});
