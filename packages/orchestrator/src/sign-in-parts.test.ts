import { type ReadyPresignature, type SigningResult, sessionKey } from "@conclave/cluster";
import { problem, type SchemeSignature, type SigningScheme } from "@conclave/custody";
import type { CoordinationOutcome } from "@conclave/platform/coordination";
import { partyIndex } from "@conclave/threshold";
import { describe, expect, it } from "vitest";
import { type PartOfRequest, signInParts } from "./sign-in-parts.ts";
import { SignedParts } from "./signed-parts.ts";
import type { SigningRequest } from "./signing-port.ts";

const SESSION = sessionKey(new Uint8Array(32)) ?? expect.fail("it is one");

const requestOf = (count: number, scheme: SigningScheme = "CGGMP24"): SigningRequest => ({
  requestId: "tx-aaaaa-bbbbb-0000000000000001",
  keyId: "key-aaaaa-bbbbb-ccccccccccccccc",
  authorisation: { payload: new Uint8Array(0), signature: new Uint8Array(0) },
  unsigned: Uint8Array.of(0),
  signables: Array.from({ length: count }, (_, at) => ({ scheme, bytes: Uint8Array.of(at >> 8, at & 255) })),
  isChosen: false,
  dead: undefined,
  isSigned: () => true,
  isOneSigned: ({ bytes }, signature) =>
    signature.scheme === "FROST-Taproot" && signature.bytes.join() === bytes.join(),
});

const ready = (count: number, ...signers: readonly number[]): readonly ReadyPresignature[] =>
  Array.from({ length: count }, (_, at) => ({
    id: `${signers.join("")}${at}`,
    keyId: "key",
    signers: signers.map((each) => partyIndex(each) ?? expect.fail("it is one")),
    expiresAtMs: 1,
  }));

/** Here the signed bytes themselves serve as the signature. */
const signaturesOf = ({ signables }: PartOfRequest): readonly SchemeSignature[] =>
  signables.map(({ bytes }) => ({ scheme: "FROST-Taproot", bytes }));

const done = (part: PartOfRequest): CoordinationOutcome<SigningResult> => ({
  kind: "done",
  value: {
    signatures: signaturesOf(part),
    quorum: [],
    session: SESSION,
    attempts: 1,
    path: { kind: "interactive" },
  },
});

const keptFor = (nowMs: () => number = () => 0): SignedParts => new SignedParts(nowMs);

/** Signs until this many parts are signed, and fails then. */
const signedUpTo = (count: number, request: SigningRequest, kept: SignedParts) => {
  let asked = 0;
  const sign = async (part: PartOfRequest): Promise<CoordinationOutcome<SigningResult>> => {
    asked += 1;
    return asked > count ? { kind: "stopped" } : done(part);
  };
  return signInParts(request, () => [], sign, kept);
};

/** Signs, and returns the parts that were requested. */
const signed = async (
  request: SigningRequest,
  offered: () => readonly ReadyPresignature[] = () => [],
  kept = keptFor(),
) => {
  const parts: (readonly [number, number] | "all")[] = [];
  const sign = async (part: PartOfRequest) => {
    parts.push(part.part === undefined ? "all" : [part.part.from, part.part.count]);
    expect(part.isSigned(signaturesOf(part))).toBe(true);
    return done(part);
  };
  const outcome = await signInParts(request, offered, sign, kept);
  if (outcome.kind !== "done") expect.fail(outcome.kind);
  expect(outcome.value.signatures).toEqual(signaturesOf({ ...request, part: undefined }));
  return { parts, attempts: outcome.value.attempts };
};

describe("K7 signing in as many sessions as it takes", () => {
  it("is one session of what fits into one", async () => {
    expect((await signed(requestOf(1))).parts).toEqual(["all"]);
    expect((await signed(requestOf(4))).parts).toEqual(["all"]);
    expect((await signed(requestOf(32, "FROST-Taproot"))).parts).toEqual(["all"]);
    expect((await signed(requestOf(20), () => ready(20, 1, 2))).parts).toEqual(["all"]);
  });

  it("takes 32 things of FROST at a time", async () => {
    const { parts, attempts } = await signed(requestOf(70, "FROST-Taproot"));
    expect(parts).toEqual([
      [0, 32],
      [32, 32],
      [64, 6],
    ]);
    expect(attempts).toBe(3);
  });

  it("takes four of ECDSA at a time without presignatures, and as many as one set of signers has of them", async () => {
    expect((await signed(requestOf(10))).parts).toEqual([
      [0, 4],
      [4, 4],
      [8, 2],
    ]);
    const stock = [...ready(3, 1, 2), ...ready(6, 2, 3)];
    const offers = [stock, ready(40, 1, 3), [], []];
    expect((await signed(requestOf(50), () => offers.shift() ?? [])).parts).toEqual([
      [0, 6],
      [6, 32],
      [38, 4],
      [42, 4],
      [46, 4],
    ]);
  });

  it("P19 checks each signature of a part against its own signable", async () => {
    const checks: boolean[] = [];
    await signInParts(
      requestOf(9),
      () => [],
      async (part) => {
        const right = signaturesOf(part);
        checks.push(part.isSigned(right.toReversed()), part.isSigned(right.slice(1)));
        expect(part.isSigned([...right, ...right])).toBe(false);
        return done(part);
      },
      keptFor(),
    );
    // the last part has one signature, so reversing it changes nothing
    expect(checks).toEqual([false, false, false, false, true, false]);
  });

  it.each<CoordinationOutcome<SigningResult>>([
    { kind: "stopped" },
    { kind: "failed", problem: problem("KeyUnknown") },
  ])("ends with what ended a part: %j", async (ended) => {
    let asked = 0;
    const outcome = await signInParts(
      requestOf(12),
      () => [],
      async (part) => {
        asked += 1;
        return asked === 2 ? ended : done(part);
      },
      keptFor(),
    );
    expect([outcome, asked]).toEqual([ended, 2]);
  });

  it("goes on behind what is signed when a part was not, and with nothing else", async () => {
    const kept = keptFor();
    const request = requestOf(12);
    expect(await signedUpTo(2, request, kept)).toEqual({ kind: "stopped" });
    expect(kept.of(request)).toHaveLength(8);
    // a renewed authorisation after the first one lapsed, for the same bytes
    const anew = { ...request, authorisation: { payload: Uint8Array.of(1), signature: Uint8Array.of(2) } };
    expect((await signed(anew, () => [], kept)).parts).toEqual([[8, 4]]);
    expect(kept.of(request)).toEqual([]);
    expect((await signed(request, () => [], kept)).parts).toHaveLength(3);
  });

  it.each<[string, Partial<SigningRequest>]>([
    ["another key", { keyId: "key-aaaaa-bbbbb-ddddddddddddddd" }],
    ["other bytes", { unsigned: Uint8Array.of(1) }],
    ["other things to sign", { signables: requestOf(13).signables }],
  ])("begins at the first of %s", async (_, change) => {
    const kept = keptFor();
    await signedUpTo(2, requestOf(12), kept);
    const other = { ...requestOf(12), ...change };
    expect(kept.of(other)).toEqual([]);
    expect((await signed(other, () => [], kept)).parts[0]).toEqual([0, 4]);
    expect(kept.of(requestOf(12))).toHaveLength(8);
  });

  it.each<[string, SigningRequest]>([
    ["other things to sign, as many", { ...requestOf(12), signables: requestOf(13).signables.slice(1) }],
    ["another scheme", requestOf(12, "FROST-Taproot")],
  ])("keeps nothing for %s", async (_, other) => {
    const kept = keptFor();
    await signedUpTo(2, requestOf(12), kept);
    expect([kept.of(other), kept.of(requestOf(12)).length]).toEqual([[], 8]);
  });

  it("keeps nothing for a request whose bytes are the same in a row, and end elsewhere", async () => {
    const joined = (...pieces: readonly Uint8Array[]) =>
      Uint8Array.from(pieces.flatMap((piece) => [...piece]));
    const text = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
    const request = requestOf(12);
    const [first, second, ...others] = request.signables;
    if (first === undefined || second === undefined) expect.fail("there are twelve");
    const { scheme, bytes } = first;
    const kept = keptFor();
    await signedUpTo(2, request, kept);
    const merged = { scheme, bytes: joined(bytes, text([scheme]), second.bytes) };
    expect(kept.of({ ...request, signables: [merged, ...others] })).toEqual([]);
    const unsigned = joined(request.unsigned, text([scheme, bytes.length]), bytes);
    expect(kept.of({ ...request, unsigned, signables: [second, ...others] })).toEqual([]);
    expect(kept.of(request)).toHaveLength(8);
  });

  it("keeps parts for half an hour after the newest, and of 64 requests", async () => {
    let nowMs = 0;
    const kept = keptFor(() => nowMs);
    await signedUpTo(1, requestOf(12), kept);
    nowMs += 20 * 60_000;
    await signedUpTo(1, requestOf(12), kept);
    nowMs += 30 * 60_000 - 1;
    expect(kept.of(requestOf(12))).toHaveLength(8);
    nowMs += 1;
    expect(kept.of(requestOf(12))).toEqual([]);
    for (let count = 10; count < 75; count++) await signedUpTo(1, requestOf(count), kept);
    expect([kept.of(requestOf(10)), kept.of(requestOf(11))]).toEqual([[], expect.any(Array)]);
    expect(kept.of(requestOf(11))).toHaveLength(4);
    await signedUpTo(1, requestOf(11), kept);
    await signedUpTo(1, requestOf(75), kept);
    expect([kept.of(requestOf(11)).length, kept.of(requestOf(12))]).toEqual([8, []]);
  });
});
