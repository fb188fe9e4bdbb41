import { bytesToHex, concatBytes, hexToBytes } from "@noble/curves/utils.js";
import { expect, it } from "vitest";
import { Secret } from "../secret.ts";
import { testParty } from "../testing/insecure-auxiliary.ts";
import { insecurePartySecrets } from "../testing/session-network.ts";
import { importEncryptionKeyOf } from "./encryption-key.ts";
import { importDecryptionKeyOf, importSignerIdOf } from "./import-identity.ts";

const secretsOf = (party: number) => new Secret(insecurePartySecrets(testParty(party)));

it("a party's import key is the same at every start, and no other party's", () => {
  const keys = [1, 2, 3, 1].map((party) => bytesToHex(importDecryptionKeyOf(secretsOf(party)).reveal()));
  expect(keys[3]).toBe(keys[0]);
  expect(new Set(keys).size).toBe(3);
});

it("INV-10 the import key is neither of the secrets that it comes from, and does not print", () => {
  const secrets = secretsOf(1);
  const key = importDecryptionKeyOf(secrets);
  const { identity, encryption } = secrets.reveal();
  expect([identity, encryption].map(bytesToHex)).not.toContain(bytesToHex(key.reveal()));
  expect(`${key}`).toBe("[secret]");
});

it("is what was shown to clients of clusters that exist: another derivation would lose their shares", () => {
  const secrets = new Secret({ identity: new Uint8Array(32), encryption: new Uint8Array(32).fill(7) });
  const shown = importEncryptionKeyOf(importDecryptionKeyOf(secrets));
  expect(bytesToHex(shown)).toMatchInlineSnapshot(
    `"010340c79bf15e125a3e005547f76fdf330b4c79d4251ad61eb21384480e3cc1f6ea"`,
  );
  expect(bytesToHex(importSignerIdOf(shown))).toMatchInlineSnapshot(
    `"be3a198db81bb6afb0b67a5898da02bdeb6870f58da256ea520cdd41b998cd79"`,
  );
});

it("an id has 32 bytes and follows from the encryption key alone", () => {
  const key = concatBytes(Uint8Array.of(1), hexToBytes(`02${"ab".repeat(32)}`));
  expect(importSignerIdOf(key)).toHaveLength(32);
  const other = concatBytes(Uint8Array.of(1), hexToBytes(`03${"ab".repeat(32)}`));
  expect(importSignerIdOf(other)).not.toEqual(importSignerIdOf(key));
});
