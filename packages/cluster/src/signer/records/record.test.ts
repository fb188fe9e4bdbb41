import { CGGMP24, decode, encode, keyShareCodec, Secret, text } from "@conclave/threshold";
import { insecureKeyShares, testParties } from "@conclave/threshold/testing";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { describe, expect, test } from "vitest";
import { RECORDS } from "./record.ts";

describe("the record of a key", () => {
  test("that version 0.1 stored is read: an ECDSA key of the first epoch", () => {
    const [share] = insecureKeyShares(2, testParties(3)).values();
    if (share === undefined) throw new Error("there are three shares");
    const bytes = encode(keyShareCodec(CGGMP24), share);
    const named = encode(text(32), CGGMP24.name);
    const before = {
      version: 1,
      state: "active",
      publicKey: bytesToHex(share.info.publicKey.toBytes()),
      chainCode: bytesToHex(share.info.chainCode),
      share: bytesToHex(Uint8Array.from([1, ...bytes.subarray(1 + named.length)])),
    };
    const key = RECORDS.key.read({
      record: "key/key-1",
      value: new Secret(utf8ToBytes(JSON.stringify(before))),
    });
    expect(key).toMatchObject({ scheme: "CGGMP24", state: "active", epoch: 1 });
    expect(decode(keyShareCodec(CGGMP24), key.share.reveal()).ok).toBe(true);
  });
});
