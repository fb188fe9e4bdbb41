import type { Command } from "@conclave/cluster";
import { testParties } from "@conclave/threshold/testing";
import { expect, test } from "vitest";
import { fromCommand, toCommand } from "./command.ts";
import { CONTROL } from "./proto.ts";

const session = Buffer.alloc(32, 5);
const lives = new Map(testParties(3).map((party) => [party, Buffer.alloc(16, party)] as const));
const expiresAtMs = 1_795_000_000_000;
const authorisation = { payload: Buffer.from("{}"), signature: Buffer.alloc(64, 1) };
const signing = {
  kind: "signing",
  quorum: [1, 2, 3],
  keyId: "key-1",
  authorisation,
  unsigned: Buffer.from("0102", "hex"),
  presignatures: ["a".repeat(64), "b".repeat(64)],
  expiresAtMs,
} as const;

const COMMANDS: readonly Command[] = [
  { kind: "auxiliary", epoch: 3, expiresAtMs },
  { kind: "auxiliary", epoch: 3, authorisation, expiresAtMs },
  { kind: "key-generation", authorisation, expiresAtMs },
  { kind: "key-import", authorisation, envelope: Buffer.from("03"), expiresAtMs },
  { kind: "key-export", authorisation, expiresAtMs },
  { kind: "key-refresh", authorisation, expiresAtMs },
  { kind: "key-reshare", authorisation, dealers: [1, 3], info: Buffer.from("04"), expiresAtMs },
  { kind: "presigning", quorum: [2, 3], keyId: "key-2", expiresAtMs },
  { ...signing, dead: undefined },
  { ...signing, dead: authorisation },
  { ...signing, unsigned: Buffer.alloc(0), presignatures: [], dead: undefined },
];

const { requestSerialize, requestDeserialize } = CONTROL.Begin;

test.each(COMMANDS)("a command arrives at a signer as it was asked: $kind", (command) => {
  const wire = requestDeserialize(requestSerialize(toCommand({ session, lives, command })));
  expect(fromCommand(wire)).toEqual({ session, lives, command });
});

test.each([
  ["is of nobody", [{ signer: 0, life: Buffer.alloc(16) }]],
  ["has another length", [{ signer: 1, life: Buffer.alloc(15) }]],
  [
    "is the second of a signer",
    [
      { signer: 1, life: Buffer.alloc(16) },
      { signer: 1, life: Buffer.alloc(16) },
    ],
  ],
])("INV-7 a command is invalid when a life in it %s", (_, named) => {
  const wire = toCommand({ session, lives, command: { kind: "auxiliary", epoch: 3, expiresAtMs } });
  expect(fromCommand(requestDeserialize(requestSerialize({ ...wire, lives: named })))).toBeUndefined();
});

test("a command that asks for nothing is invalid", () => {
  const wire = requestDeserialize(requestSerialize({ sessionId: session, expiresAtMs }));
  expect(fromCommand(wire)).toBeUndefined();
});

test("INV-8 a missing authorisation arrives as one without a signature", () => {
  const wire = requestDeserialize(requestSerialize({ sessionId: session, expiresAtMs, keyGeneration: {} }));
  expect(fromCommand(wire)?.command).toMatchObject({
    authorisation: { payload: new Uint8Array(0), signature: new Uint8Array(0) },
  });
});
