import type { CallId, Command, CommandOf, SignerEvent } from "@conclave/cluster";
import { describe, expect, test } from "vitest";
import { BegunSessions } from "./begun-sessions.ts";

const KEY = "key-5c3k1-9qzt0-8d1v7h2m4n6p0r2s";
const REQUEST = "xfr-5c3k1-9qzt0-8d1v7h2m4n6p0r2s";
const SESSION = new Uint8Array(32).fill(0xab);
const NAMED = { session: "ab".repeat(32), keyId: KEY, requestId: REQUEST };

const callOf = (name: string): CallId => {
  const isCall = (text: string): text is CallId => text.startsWith("call-");
  return isCall(name) ? name : expect.fail("no call");
};
const CALL = callOf("call-1");

const payloadOf = (content: unknown): Uint8Array => new Uint8Array(Buffer.from(JSON.stringify(content)));

const signing = (payload: Uint8Array, changed: Partial<CommandOf<"signing">> = {}): Command => ({
  kind: "signing",
  quorum: [1, 2],
  keyId: KEY,
  authorisation: { payload, signature: new Uint8Array(64) },
  unsigned: new Uint8Array(0),
  presignatures: [],
  dead: undefined,
  expiresAtMs: 0,
  ...changed,
});

const begunWith = (command: Command, session: Uint8Array = SESSION): BegunSessions => {
  const begun = new BegunSessions();
  begun.noting(() => undefined)({ kind: "begin", call: CALL, session, lives: new Map(), command });
  return begun;
};

describe("the ids of a session for the log", () => {
  test("are those of the command and of its authorisation, and nothing else of either", () => {
    const payload = payloadOf({ requestId: REQUEST, network: "EthereumSepolia", transfer: { to: "0xab" } });
    expect(begunWith(signing(payload)).namesOf(CALL)).toEqual(NAMED);
  });

  test("are the key's alone where a command has no authorisation", () => {
    const presigning = { kind: "presigning", quorum: [1, 2], keyId: KEY, expiresAtMs: 0 } as const;
    expect(begunWith(presigning).namesOf(CALL)).toEqual({ session: NAMED.session, keyId: KEY });
  });

  test("are the authorised key's where the command itself names none", () => {
    const authorisation = { payload: payloadOf({ keyId: KEY }), signature: new Uint8Array(64) };
    const making = { kind: "key-generation", authorisation, expiresAtMs: 0 } as const;
    expect(begunWith(making).namesOf(CALL)).toEqual({ session: NAMED.session, keyId: KEY });
  });

  test.each([
    ["is no JSON", new Uint8Array(Buffer.from("{"))],
    ["is no object", payloadOf(null)],
    ["names a request by what is no id", payloadOf({ requestId: `${REQUEST}\n` })],
    ["is too long", payloadOf({ requestId: REQUEST, more: "x".repeat(400 * 1024) })],
  ])("are without the request where the payload %s", (_, payload) => {
    expect(begunWith(signing(payload)).namesOf(CALL)).toEqual({ session: NAMED.session, keyId: KEY });
  });

  test("are left out where key and session are no ids", () => {
    const command = signing(payloadOf({}), { keyId: "a key" });
    expect(begunWith(command, new Uint8Array(31)).namesOf(CALL)).toEqual({});
  });

  test("are given once for the release of a session of several parts", () => {
    const begun = begunWith(signing(payloadOf({ requestId: REQUEST })));
    expect([begun.release(CALL), begun.release(CALL), begun.release(callOf("call-2"))]).toEqual([
      NAMED,
      undefined,
      undefined,
    ]);
  });

  test("are forgotten once the call has its final report, or is closed", () => {
    const ended = begunWith(signing(payloadOf({ requestId: REQUEST })));
    ended.end(CALL);
    const closed = begunWith(signing(payloadOf({ requestId: REQUEST })));
    const heard: SignerEvent[] = [];
    closed.noting((event) => heard.push(event))({ kind: "call-closed", call: CALL });
    expect(heard).toEqual([{ kind: "call-closed", call: CALL }]);
    expect([ended.namesOf(CALL), closed.namesOf(CALL), closed.release(CALL)]).toEqual([{}, {}, undefined]);
  });
});
