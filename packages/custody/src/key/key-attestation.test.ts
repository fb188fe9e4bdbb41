import { expect, test } from "vitest";
import { attestationBytes } from "./key-attestation.ts";

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const key = { keyId: "key-aaaaa-bbbbb-0000000000000001", scheme: "ECDSA", publicKey: "02ab" } as const;

test("the signed bytes of a key are its id, its scheme and its public key, in this order, whatever else there is", () => {
  const more = { publicKey: key.publicKey, scheme: key.scheme, status: "Active", keyId: key.keyId };
  const said =
    '{"kind":"conclave/v1/key-attestation","keyId":"key-aaaaa-bbbbb-0000000000000001","scheme":"ECDSA","publicKey":"02ab"}';
  expect([text(attestationBytes(key)), text(attestationBytes(more))]).toEqual([said, said]);
});

test("no two keys are attested alike, not even where one field ends as another begins", () => {
  const quoted = { ...key, keyId: `${key.keyId}","scheme":"ECDSA` };
  const said = [key, quoted, { ...key, scheme: "FROST-BIP340" }, { ...key, publicKey: "03ab" }] as const;
  expect(new Set(said.map((each) => text(attestationBytes(each)))).size).toBe(said.length);
});

test("no envelope between signers begins as an attestation does", () => {
  expect(attestationBytes(key)[0]).toBe("{".charCodeAt(0));
});
