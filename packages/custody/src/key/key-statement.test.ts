import { expect, test } from "vitest";
import { keyIdSchema, organisationIdSchema } from "../identifiers.ts";
import { attestationBytes } from "./key-attestation.ts";
import { type KeyStatement, readStatement, STATEMENT_BYTES_MAX, statementBytes } from "./key-statement.ts";

const said: KeyStatement = {
  cluster: "cluster-0123456789ab",
  signer: 3,
  orgId: organisationIdSchema.parse("or-aaaaa-bbbbb-0000000000000001"),
  keyId: keyIdSchema.parse("key-aaaaa-bbbbb-0000000000000002"),
  origin: "generated",
  threshold: 3,
  total: 5,
  scheme: "ECDSA",
  publicKey: `02${"ab".repeat(32)}`,
  date: "2026-01-02T03:04:05.678Z",
};
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = textOf(statementBytes(said));

test("a signer's statement on a key is written in one way, whatever else there is", () => {
  expect(text).toBe(
    `{"kind":"conclave/v2/key-attestation","cluster":"cluster-0123456789ab","signer":3,"orgId":"or-aaaaa-bbbbb-0000000000000001","keyId":"key-aaaaa-bbbbb-0000000000000002","origin":"generated","threshold":3,"total":5,"scheme":"ECDSA","publicKey":"02${"ab".repeat(32)}","date":"2026-01-02T03:04:05.678Z"}`,
  );
  const more = { status: "Active", ...said };
  expect(textOf(statementBytes(more))).toBe(text);
  expect(readStatement(bytesOf(text))).toEqual(said);
});

test.each([
  ["that is longer than any", text.padEnd(STATEMENT_BYTES_MAX + 1)],
  ["with a space", ` ${text}`],
  ["with its fields in another order", text.replace('"signer":3,', "").replace("}", ',"signer":3}')],
  ["with a field more", text.replace("}", ',"note":""}')],
  ["without its date", text.replace(/,"date":"[^"]*"/, "")],
  ["with a way to come to be that there is none", text.replace("generated", "found")],
  ["of a signer that there is none", text.replace('"signer":3', '"signer":0')],
  ["of a key of no scheme", text.replace("ECDSA", "RSA")],
  ["with an escape for a letter", text.replace("cluster-0", "\\u0063luster-0")],
  ["with a letter beyond ASCII", text.replace("cluster-0", "cl\u00fcster-0")],
  ["that is no JSON", text.slice(1)],
  ["of the version before", textOf(attestationBytes(said))],
  ["that is empty", ""],
])("a statement %s is none", (_, given) => {
  expect(readStatement(bytesOf(given))).toBeUndefined();
});
