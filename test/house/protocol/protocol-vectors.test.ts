import { secp256k1 } from "@noble/curves/secp256k1.js";
import { describe, expect, it } from "vitest";
import {
  drawBelow,
  drawBits,
  drawSymmetric,
  drawUnits,
  encodeWritten,
  hashWritten,
  type Part,
  readParts,
  sha256ByHand,
  streamWritten,
  unsigned,
  type Written,
} from "./by-hand.ts";
import {
  envelopeByHand,
  headerByHand,
  identityByHand,
  isSignedByHand,
  openByHand,
  signByHand,
  signedByHand,
} from "./by-hand-signatures.ts";
import { readProtocolVectors } from "./vector-files.ts";

const vectors = readProtocolVectors();

describe("transcripts", () => {
  it.each(vectors.encodings)("of $field are encoded as the grammar says", ({ field, encoding }) => {
    expect(encodeWritten(field).toString("hex")).toBe(encoding);
  });

  it.each(vectors.hashes)("under “$domain” are hashed as the grammar says", ({ domain, fields, digest }) => {
    expect(hashWritten(domain, fields)).toBe(digest);
  });
});

const textByHand = (text: string): Buffer => {
  const bytes = Buffer.from(text, "utf8");
  return Buffer.concat([unsigned(bytes.length, 4), bytes]);
};

describe("digests", () => {
  it.each(vectors.digests)("of the document: $what", ({ domain, fields, digest }) => {
    expect(hashWritten(domain, fields)).toBe(digest);
  });

  it("of auxiliary information are of a JSON text", () => {
    const { level, epoch, peers, digest } = vectors.auxiliary;
    const all = peers.map(({ party, numbers }) => [party, ...numbers]);
    const text = JSON.stringify(["conclave/v1/auxiliary-digest", level, epoch, all]);
    expect(sha256ByHand(text).toString("hex")).toBe(digest);
  });

  it("of a public key are of its info, laid out as the document says", () => {
    const { fields } = vectors.digests.find(({ what }) => what === "keyDigest") ?? expect.fail("it is there");
    const [info = expect.fail("of one field")] = fields;
    const bytes = "bytes" in info ? Buffer.from(info.bytes, "hex") : expect.fail("of bytes");
    const [scheme, keyId] = ["CGGMP24", "insecure-digests"].map(textByHand);
    const head = Buffer.concat([Buffer.of(2), scheme ?? Buffer.of(), keyId ?? Buffer.of(), Buffer.of(2)]);
    expect(bytes.subarray(0, head.length)).toEqual(head);
    const [epoch, publicKey, count, share] = [4, 33, 1, 34];
    expect(bytes).toHaveLength(head.length + epoch + publicKey + count + 3 * share + 32);
    const shares = bytes.subarray(head.length + epoch + publicKey + count);
    expect([0, 1, 2].map((at) => shares[at * share])).toEqual([1, 2, 3]);
  });
});

const { Point } = secp256k1;
const ORDER = Point.Fn.ORDER;
const LEVEL = { iterations: 16, ell: 256n };

const modulo = (value: bigint, modulus: bigint): bigint => ((value % modulus) + modulus) % modulus;

const powerOf = (base: bigint, exponent: bigint, modulus: bigint): bigint => {
  if (exponent < 0n) return powerOf(inverseOf(base, modulus), -exponent, modulus);
  let [result, square] = [1n, modulo(base, modulus)];
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
};

const inverseOf = (value: bigint, modulus: bigint): bigint => {
  let [old, rest, oldFactor, factor] = [modulo(value, modulus), modulus, 1n, 0n];
  while (rest !== 0n) {
    const quotient = old / rest;
    [old, rest, oldFactor, factor] = [rest, old - quotient * rest, factor, oldFactor - quotient * factor];
  }
  return modulo(oldFactor, modulus);
};

const numberIn = (field: Written | undefined): bigint =>
  field !== undefined && "integer" in field ? BigInt(field.integer) : expect.fail("no integer stands here");
const pointIn = (field: Written | undefined) =>
  field !== undefined && "point" in field ? Point.fromHex(field.point) : expect.fail("no point stands here");
const listIn = (field: Written | undefined): readonly Written[] =>
  field !== undefined && "list" in field ? field.list : expect.fail("no list stands here");

type Values = ReturnType<typeof readParts>;
const at = (values: Values, place: number): bigint => {
  const value = values[place];
  return typeof value === "bigint" ? value : expect.fail(`no number stands at ${place}`);
};
const times = (point: InstanceType<typeof Point>, factor: bigint) =>
  point.multiplyUnsafe(modulo(factor, ORDER));

/**
 * For each proof: the layout of its bytes, how its challenge is drawn, and a verification equation that contains the challenge.
 */
interface ByHand {
  readonly parts: readonly Part[];
  readonly draw: (stream: ReturnType<typeof streamWritten>, fields: readonly Written[]) => readonly bigint[];
  readonly holds: (fields: readonly Written[], proof: Values, e: readonly bigint[]) => boolean;
}

const naturals = (count: number): readonly Part[] => Array.from({ length: count }, () => "natural" as const);
const { iterations } = LEVEL;

const PROOFS: Readonly<Record<string, ByHand>> = {
  Πsch: {
    parts: ["point", "scalar"],
    draw: (stream) => [drawBelow(stream, ORDER)],
    // z·G = A + e·X
    holds: ([G, X, , A], proof, [e = 0n]) =>
      times(pointIn(G), at(proof, 1)).equals(pointIn(A).add(times(pointIn(X), e))),
  },
  Πelog: {
    parts: ["point", "point", "point", "scalar", "scalar"],
    draw: (stream) => [drawBelow(stream, ORDER)],
    // u·H = B + e·Y
    holds: ([, , , , Y, H, , , B], proof, [e = 0n]) =>
      times(pointIn(H), at(proof, 4)).equals(pointIn(B).add(times(pointIn(Y), e))),
  },
  Πprm: {
    parts: naturals(2 * iterations),
    draw: (stream) => drawBits(stream, iterations).map((bit) => (bit ? 1n : 0n)),
    // t^z_i = A_i·s^e_i
    holds: ([, n, s, t, commitments], proof, e) =>
      listIn(commitments).every((commitment, i) => {
        const [N, A] = [numberIn(n), numberIn(commitment)];
        const expected = (A * powerOf(numberIn(s), e[i] ?? 0n, N)) % N;
        return powerOf(numberIn(t), at(proof, iterations + i), N) === expected;
      }),
  },
  Πmod: {
    parts: [
      "natural",
      ...Array.from(
        { length: iterations },
        () => ["natural", "boolean", "boolean", "natural"] as const,
      ).flat(),
    ],
    draw: (stream, [, n]) => drawUnits(stream, numberIn(n), iterations),
    // z_i^N = y_i
    holds: ([, n], proof, y) =>
      y.every((each, i) => powerOf(at(proof, 4 * i + 4), numberIn(n), numberIn(n)) === each),
  },
  Πfac: {
    parts: [...naturals(5), "integer", "integer", "integer", "integer", "integer"],
    draw: (stream) => [drawSymmetric(stream, 1n << LEVEL.ell)],
    // s^z1·t^ω1 = A·P^e
    holds: ([, , , nHat, s, t, P, , A], proof, [e = 0n]) => {
      const N = numberIn(nHat);
      const left = powerOf(numberIn(s), at(proof, 5), N) * powerOf(numberIn(t), at(proof, 7), N);
      return left % N === (numberIn(A) * powerOf(numberIn(P), e, N)) % N;
    },
  },
  "Πenc-elg": {
    parts: [...naturals(3), "point", "point", "integer", "natural", "integer", "scalar"],
    draw: (stream) => [drawSymmetric(stream, ORDER)],
    // w·G = Z + e·B, and s^z1·t^z3 = T·S^e
    holds: (fields, proof, [e = 0n]) => {
      const [, , , , , B, , nHat, s, t, S, T, , , Z] = fields;
      const N = numberIn(nHat);
      const left = powerOf(numberIn(s), at(proof, 5), N) * powerOf(numberIn(t), at(proof, 7), N);
      return (
        times(Point.BASE, at(proof, 8)).equals(pointIn(Z).add(times(pointIn(B), e))) &&
        left % N === (numberIn(T) * powerOf(numberIn(S), e, N)) % N
      );
    },
  },
  "Πaff-g": {
    parts: [
      "natural",
      "point",
      ...naturals(5),
      "integer",
      "integer",
      "integer",
      "integer",
      "natural",
      "natural",
    ],
    draw: (stream) => [drawSymmetric(stream, ORDER)],
    // z1·G = Bx + e·X, and s^z2·t^z4 = F·T^e
    holds: (fields, proof, [e = 0n]) => {
      const [, , , , , , , , X, nHat, s, t, , Bx, , , , F, T] = fields;
      const N = numberIn(nHat);
      const left = powerOf(numberIn(s), at(proof, 8), N) * powerOf(numberIn(t), at(proof, 10), N);
      return (
        times(Point.BASE, at(proof, 7)).equals(pointIn(Bx).add(times(pointIn(X), e))) &&
        left % N === (numberIn(F) * powerOf(numberIn(T), e, N)) % N
      );
    },
  },
};

describe("challenges", () => {
  it("are those of all seven proofs", () => {
    expect(vectors.challenges.map(({ proof }) => proof).toSorted()).toEqual(Object.keys(PROOFS).toSorted());
  });

  it.each(vectors.challenges)(
    "of $proof are drawn as the document says, and the proof answers this one and no other",
    ({ proof, context, fields, challenge, bytes }) => {
      const { parts, draw, holds } = PROOFS[proof] ?? expect.fail("the document names it");
      const drawn = draw(streamWritten(proof, context, fields), fields);
      expect(drawn).toEqual(challenge);
      const answer = readParts(bytes, parts);
      expect(holds(fields, answer, drawn)).toBe(true);
      const other = draw(streamWritten(proof, { ...context, prover: context.prover + 1 }, fields), fields);
      expect(holds(fields, answer, other)).toBe(false);
    },
  );
});

/** execution, protocol, key, epoch, parties with their identities, t, n and curve */
interface SessionOf {
  readonly execution: string;
  readonly protocol: string;
  readonly keyId: string;
  readonly epoch: number;
  readonly parties: readonly { readonly index: number; readonly identity: string }[];
  readonly threshold: number;
  readonly total: number;
  readonly curve: string;
}

const integer = (value: number): Written => ({ integer: String(value) });

const sessionByHand = (of: SessionOf): string =>
  hashWritten("session", [
    { bytes: of.execution },
    { text: of.protocol },
    { text: of.keyId },
    integer(of.epoch),
    { list: of.parties.map(({ index, identity }) => ({ list: [integer(index), { bytes: identity }] })) },
    integer(of.threshold),
    integer(of.total),
    { text: of.curve },
  ]);

const identityOf = (party: number): string =>
  vectors.roster.find((member) => member.party === party)?.identity ?? expect.fail(`party ${party}`);

const PROTOCOLS = [
  "auxiliary",
  "key-generation",
  "key-import",
  "key-export",
  "key-refresh",
  "key-reshare",
  "presigning",
  "signing",
  "pooled-signing",
];
const SCHEMES = ["CGGMP24", "FROST-Ed25519", "FROST-BIP340", "FROST-Taproot"];

const attemptByHand = (attempt: (typeof vectors.attempts)[number]): Buffer =>
  Buffer.concat([
    Buffer.from(attempt.given, "hex"),
    unsigned(attempt.expiresAtMs, 6),
    unsigned(PROTOCOLS.indexOf(attempt.protocol), 1),
    textByHand(attempt.level),
    unsigned(SCHEMES.indexOf(attempt.scheme), 1),
    textByHand(attempt.keyId),
    unsigned(attempt.epoch, 4),
    Buffer.of(attempt.parties.length, ...attempt.parties),
    Buffer.of(attempt.threshold, attempt.total, attempt.agreed.length),
    ...attempt.agreed.flatMap((value) => {
      const bytes = Buffer.from(value, "hex");
      return [unsigned(bytes.length, 4), bytes];
    }),
  ]);

describe("session ids", () => {
  it.each(vectors.sessions)("of $protocol are hashed as the document says", ({ session, ...fields }) => {
    expect(sessionByHand(fields)).toBe(session);
  });

  it.each(vectors.attempts)("of an attempt at $protocol with $scheme are derived as it says", (attempt) => {
    const { given, expiresAtMs, level, protocol, scheme, parties, agreed, session, encoding, ...rest } =
      attempt;
    const deadline = Buffer.concat([Buffer.alloc(2), unsigned(expiresAtMs, 6)]).toString("hex");
    const derived = sessionByHand({
      ...rest,
      execution: [given, deadline, sha256ByHand(level).toString("hex"), ...agreed].join(""),
      protocol: scheme === "CGGMP24" ? protocol : `${protocol}/${scheme}`,
      parties: parties.map((index) => ({ index, identity: identityOf(index) })),
      curve: scheme === "FROST-Ed25519" ? "ed25519" : "secp256k1",
    });
    expect(derived).toBe(session);
    expect(attemptByHand(attempt).toString("hex")).toBe(encoding);
  });
});

const secretOf = (party: number) =>
  vectors.roster.find((member) => member.party === party) ?? expect.fail(`party ${party}`);
const envelopeOf = (what: string) =>
  vectors.envelopes.find((envelope) => envelope.what === what) ?? expect.fail(`no envelope: ${what}`);

describe("envelopes", () => {
  it.each(vectors.roster)("of party $party are signed by the key of its roster", (member) => {
    expect(identityByHand(member.identitySecret)).toBe(member.identity);
  });

  it.each(vectors.envelopes)("$what: are laid out and signed as the document says", (envelope) => {
    const { header, signed, signature, encoding } = envelope;
    const payload = Buffer.from(envelope.payload, "hex");
    const bytes = signedByHand(header, payload);
    expect(bytes.toString("hex")).toBe(signed);
    expect(signByHand(bytes, secretOf(header.from).identitySecret)).toBe(signature);
    expect(envelopeByHand(header, payload, signature).toString("hex")).toBe(encoding);
    expect(
      isSignedByHand(
        signedByHand({ ...header, round: header.round + 1 }, payload),
        signature,
        secretOf(header.from).identity,
      ),
    ).toBe(false);
  });

  it("echo what was received, with the senders' signatures", () => {
    const claims = ["broadcast of party 2", "broadcast of party 3"].map((what) => {
      const { header, payload, signature } = envelopeOf(what);
      const hash = sha256ByHand(Buffer.from(payload, "hex")).toString("hex");
      return `${unsigned(header.from, 2).toString("hex")}${hash}${signature}`;
    });
    expect(envelopeOf("echo").payload).toBe(claims.join(""));
  });

  it("seal a payload for its receiver and its place alone", () => {
    const { header, payload, plaintext } = envelopeOf("direct, sealed");
    const sealed = Buffer.from(payload, "hex");
    const receiver = secretOf(header.to).encryptionSecret;
    expect(openByHand(header, sealed, receiver)).toBe(plaintext);
    expect(() => openByHand({ ...header, round: header.round + 1 }, sealed, receiver)).toThrow();
    expect(() => openByHand(header, sealed, secretOf(2).encryptionSecret)).toThrow();
    expect(headerByHand(header)).toHaveLength(38);
  });
});
