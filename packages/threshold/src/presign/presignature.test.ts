import { concatBytes } from "@noble/curves/utils.js";
import { describe, expect, test } from "vitest";
import { decode, encode, scalarCodec, text, uint } from "../codec.ts";
import { GENERATOR, ORDER } from "../group.ts";
import { Secret } from "../secret.ts";
import { startSigning } from "../sign/sign.ts";
import { pointFrom } from "../testing/forgeries/point-from.ts";
import { testParties, testParty } from "../testing/insecure-auxiliary.ts";
import { runLockstep } from "../testing/lockstep.ts";
import { outputsOf, presign } from "../testing/presigning.ts";
import { testSessionId } from "../testing/session-network.ts";
import { testifiedPresignatures } from "../testing/testified-presignatures.ts";
import {
  holdsOwnShares,
  type Presignature,
  type PublicNonceShares,
  presignatureCodec,
  presignatureId,
} from "./presignature.ts";

const digest = Uint8Array.from({ length: 32 }, (_, at) => at + 1);
const made = outputsOf(presign({ t: 2, n: 3, signers: testParties(2) }));
const own = made.get(testParty(1)) ?? expect.fail();
const bytes = encode(presignatureCodec, own);

const reasonFor = (change: Partial<Presignature>): string => {
  const decoded = decode(presignatureCodec, encode(presignatureCodec, { ...own, ...change }));
  return decoded.ok ? "decoded" : decoded.reason;
};

describe("the bytes of a presignature", () => {
  test("are canonical, and sign as the value would have", () => {
    const starts = new Map(
      [...made].map(([self, presignature]) => {
        const decoded = decode(presignatureCodec, encode(presignatureCodec, presignature));
        if (!decoded.ok) throw new Error(decoded.reason);
        expect(encode(presignatureCodec, decoded.value)).toEqual(encode(presignatureCodec, presignature));
        return [self, startSigning({ self, presignature: decoded.value, digest })];
      }),
    );
    const signatures = [...outputsOf(runLockstep({ starts })).values()];
    expect(new Set(signatures.map(({ r, s }) => `${r}/${s}`)).size).toBe(1);
  });

  test("P6 cannot be made of a presignature that was used", () => {
    const used = { ...own, secret: new Secret(own.secret.reveal()) };
    used.secret.take();
    expect(() => encode(presignatureCodec, used)).toThrow("after it was taken");
  });

  test("are refused when any part of them does not fit the others", () => {
    const [one, two] = [...own.publics.values()];
    if (one === undefined || two === undefined) throw new Error("there are two signers");
    const at = (index: number) => testParty(index);
    const cases: readonly Partial<Presignature>[] = [
      { publicKey: GENERATOR },
      { self: at(3) },
      { publics: new Map([[at(1), one]]) },
      {
        publics: new Map([
          [at(1), one],
          [at(2), one],
        ]),
      },
      {
        publics: new Map([
          [at(2), two],
          [at(1), one],
        ]),
      },
      {
        publics: new Map([
          [at(1), { ...one, k: one.k.add(GENERATOR) }],
          [at(2), two],
        ]),
      },
      {
        publics: new Map([
          [at(1), { ...one, chi: one.chi.add(GENERATOR) }],
          [at(2), two],
        ]),
      },
      { publics: new Map([[at(1), { k: GENERATOR, chi: own.publicKey }]]) },
      { Gamma: pointFrom(ORDER) },
    ];
    expect(cases.map(reasonFor)).toEqual(cases.map(() => "not a consistent presignature"));
    expect(reasonFor({})).toBe("decoded");
  });

  test("INV-7 are of our own shares, or they are not exported: peers would take us for a cheat", () => {
    const { k, chi } = own.secret.reveal();
    const cases: readonly Partial<Presignature>[] = [
      { secret: new Secret({ k: k + 1n, chi }) },
      { secret: new Secret({ k, chi: chi + 1n }) },
      { secret: new Secret({ k: chi, chi: k }) },
      { Gamma: own.publicKey },
      { self: testParty(2) },
      { self: testParty(3) },
    ];
    expect(cases.map((change) => holdsOwnShares({ ...own, ...change }))).toEqual(cases.map(() => false));
    expect(holdsOwnShares(own)).toBe(true);
  });

  test("of compressed points, as they waited before, still decode", () => {
    const { session, self, keyId, epoch, publicKey, Gamma, publics, secret } = own;
    const points = (shares: PublicNonceShares) => concatBytes(shares.k.toBytes(), shares.chi.toBytes());
    const { k, chi } = secret.reveal();
    const before = concatBytes(
      Uint8Array.of(1),
      session,
      Uint8Array.of(self),
      encode(text(255), keyId),
      encode(uint(4), epoch),
      publicKey.toBytes(),
      Gamma.toBytes(),
      Uint8Array.of(publics.size),
      ...[...publics].flatMap(([party, shares]) => [Uint8Array.of(party), points(shares)]),
      encode(scalarCodec, k),
      encode(scalarCodec, chi),
    );
    const decoded = decode(presignatureCodec, before);
    if (!decoded.ok) throw new Error(decoded.reason);
    expect(encode(presignatureCodec, decoded.value)).toEqual(bytes);
  });

  test("of before signers testified still decode, and sign without that evidence", () => {
    const decoded = decode(presignatureCodec, bytes.slice(0, -1).with(0, 2));
    if (!decoded.ok) throw new Error(decoded.reason);
    expect(decoded.value.testimony).toEqual([]);
    expect(encode(presignatureCodec, decoded.value)).toEqual(bytes);
  });

  test("keep what the signers testified", () => {
    const { presignatures } = testifiedPresignatures([testParty(1), testParty(2)]);
    const testified = presignatures(testParty(1));
    expect(testified.testimony).toHaveLength(3); // two broadcasts, and the other's echo
    const decoded = decode(presignatureCodec, encode(presignatureCodec, testified));
    expect(decoded.ok && decoded.value.testimony).toEqual(testified.testimony);
  });

  test("P20 are refused with a point off the curve, hybrid or of too large a coordinate", () => {
    const at = bytes.length - 1 - 2 * 32 - 2 * 65; // Δ~ of the last signer: before the shares and an empty testimony
    expect(bytes[at]).toBe(4);
    const isDecoded = (candidate: Uint8Array): boolean => decode(presignatureCodec, candidate).ok;
    expect(isDecoded(bytes.with(at + 64, (bytes[at + 64] ?? 0) ^ 1))).toBe(false);
    expect([0, 2, 3, 6, 7].some((head) => isDecoded(bytes.with(at, head)))).toBe(false);
    const large = Uint8Array.from(bytes);
    large.fill(255, at + 1, at + 33);
    expect(isDecoded(large)).toBe(false);
  });

  test("P20 are refused when cut short, prolonged or of another format", () => {
    const isDecoded = (candidate: Uint8Array): boolean => decode(presignatureCodec, candidate).ok;
    expect(isDecoded(bytes.slice(0, -1))).toBe(false);
    expect(isDecoded(Uint8Array.of(...bytes, 0))).toBe(false);
    for (const format of [0, 4]) {
      expect(isDecoded(bytes.with(0, format))).toBe(false);
      expect(isDecoded(bytes.slice(0, -1).with(0, format))).toBe(false);
    }
  });
});

test("a presignature is named by its session: the same to all its signers, another for another session", () => {
  const names = [...made.values()].map(({ session }) => Buffer.from(presignatureId(session)).toString("hex"));
  expect(new Set(names).size).toBe(1);
  expect(presignatureId(testSessionId("other"))).not.toEqual(presignatureId(own.session));
});
