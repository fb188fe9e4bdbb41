import { createPublicKey, verify } from "node:crypto";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { bytesToHex, hexToBytes, numberToBytesBE } from "@noble/curves/utils.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { describe, expect, it } from "vitest";
import vectors from "../../../../test/vectors/key-import.json" with { type: "json" };
import { type Point, SECP256K1, scalarOf } from "../curve.ts";
import type { PartyIndex } from "../fault.ts";
import type { KeyShare } from "../keygen/key-share.ts";
import { startPresigning } from "../presign/presign.ts";
import type { Presignature } from "../presign/presignature.ts";
import { CGGMP24 } from "../scheme.ts";
import { Secret } from "../secret.ts";
import { lagrangeAtZero } from "../sharing/lagrange.ts";
import { startSigning } from "../sign/sign.ts";
import type { Signature } from "../sign/signature.ts";
import { insecureAuxiliaryInfo, testParty } from "../testing/insecure-auxiliary.ts";
import { runLockstep } from "../testing/lockstep.ts";
import { outputsOf } from "../testing/presigning.ts";
import { testSessionId } from "../testing/session-network.ts";
import { decodeBase64 } from "./base64.ts";
import { readOwnEntry } from "./entry.ts";
import { startImport } from "./import.ts";
import { readImportRequest } from "./request.ts";
import type { ImportOutcome } from "./run.ts";

type Vector = (typeof vectors.vectors)[number];

const message = new TextEncoder().encode("signed by an imported key");
const digest = sha256(message);
const present = <T>(value: T | undefined): T => value ?? expect.fail("it is missing");

/** The cluster of a vector, with its signers in the order of the list, which differs from their positions. */
const clusterOf = (vector: Vector) => {
  const signers = vector.signers.map(({ signerId }, at) => ({
    party: testParty(at + 1),
    signerId: present(decodeBase64(signerId, 64)),
  }));
  const keys = new Map(
    vector.signers.map(({ decryptionKey }, at) => [testParty(at + 1), new Secret(hexToBytes(decryptionKey))]),
  );
  const reading = readImportRequest(vector, { signers, threshold: 3 });
  return { keys, request: reading.ok ? reading.request : expect.fail(reading.refusal.code) };
};

/** Only for tests: the key, interpolated from the shares of a quorum at their positions. */
const keyOf = (shares: readonly (readonly [number, bigint])[]): bigint => {
  const lambda = lagrangeAtZero(
    SECP256K1,
    shares.map(([at]) => at),
  );
  return scalarOf(
    SECP256K1,
    shares.reduce((sum, [, value], i) => sum + present(lambda[i]) * value, 0n),
  );
};

/** Every way to choose three of the items. */
const triples = <T>(items: readonly T[]): readonly (readonly [T, T, T])[] =>
  items.flatMap((a, i) =>
    items.slice(i + 1).flatMap((b, j) => items.slice(i + j + 2).map((c) => [a, b, c] as const)),
  );

const importAll = (vector: Vector): ReadonlyMap<PartyIndex, KeyShare> => {
  const { keys, request } = clusterOf(vector);
  const { assignment, envelopes } = request;
  const starts = new Map(
    [...keys].map(([self, decryptionKey]) => [
      self,
      startImport<Point>({
        session: testSessionId("vector"),
        self,
        parties: [...keys.keys()],
        threshold: vector.minSigners,
        keyId: "vector",
        epoch: 1,
        scheme: CGGMP24,
        assignment,
        envelope: present(envelopes.get(self)),
        decryptionKey,
      }),
    ]),
  );
  const outputs = outputsOf<ImportOutcome<Point>>(runLockstep({ starts }));
  return new Map(
    [...outputs].map(([self, output]) => [self, output.kind === "imported" ? output.share : expect.fail()]),
  );
};

const sign = (shares: ReadonlyMap<PartyIndex, KeyShare>, signers: readonly PartyIndex[]): Signature => {
  const auxiliaries = insecureAuxiliaryInfo([...shares.keys()]);
  const session = testSessionId("signing");
  const presigning = signers.map((self) => {
    const [key, auxiliary] = [present(shares.get(self)), present(auxiliaries.get(self))];
    return [self, startPresigning({ session, self, signers, key, auxiliary })] as const;
  });
  const presignatures = outputsOf<Presignature>(runLockstep({ starts: new Map(presigning) }));
  const signing = [...presignatures].map(
    ([self, presignature]) => [self, startSigning({ self, presignature, digest })] as const,
  );
  return present([...outputsOf<Signature>(runLockstep({ starts: new Map(signing) })).values()][0]);
};

const isGoodForOpenssl = (publicKey: Uint8Array, { r, s }: Signature): boolean => {
  const { x, y } = secp256k1.Point.fromBytes(publicKey).toAffine();
  const [px, py] = [x, y].map((value) => Buffer.from(numberToBytesBE(value, 32)).toString("base64url"));
  const jwk = { kty: "EC", crv: "secp256k1", x: px ?? "", y: py ?? "" };
  const key = createPublicKey({ key: jwk, format: "jwk" });
  const der = new secp256k1.Signature(r, s).toBytes("der");
  return verify("sha256", message, { key, dsaEncoding: "der" }, der);
};

describe.each(vectors.vectors.map((vector, at) => [at + 1, vector.signers.length, vector] as const))(
  "import %i of an independent client, for %i signers",
  (_, count, vector) => {
    const publicKey = hexToBytes(vector.publicKey);

    it("decrypts to shares, any three of which interpolate to the client's key", () => {
      const { keys, request } = clusterOf(vector);
      const { assignment, envelopes } = request;
      const shares = [...keys].map(([self, key]) => {
        const terms = { self, curve: SECP256K1, threshold: 3, assignment };
        const entry = readOwnEntry(terms, present(envelopes.get(self)), key);
        const { share } = entry.ok ? entry : expect.fail(entry.flaw.code);
        expect(share.chainCode).toBeUndefined();
        return [present(assignment.get(self)), share.secretShare.reveal()] as const;
      });
      expect(shares).toHaveLength(count);
      for (const quorum of triples(shares)) {
        expect(bytesToHex(numberToBytesBE(keyOf(quorum), 32))).toBe(vector.privateKey);
      }
    });

    it("becomes a key of the cluster that signs, good for noble and for OpenSSL", () => {
      const shares = importAll(vector);
      for (const { info } of shares.values()) expect(info.publicKey.toBytes()).toEqual(publicKey);
      const signature = sign(shares, [...shares.keys()].slice(-3));
      const compact = new secp256k1.Signature(signature.r, signature.s).toBytes("compact");
      expect(secp256k1.verify(compact, digest, publicKey, { prehash: false })).toBe(true);
      expect(isGoodForOpenssl(publicKey, signature)).toBe(true);
    });
  },
);

describe("the imports of an independent client", () => {
  it("are for three, five and seven signers, whose positions differ from their order", () => {
    expect(new Set(vectors.vectors.map(({ signers }) => signers.length))).toEqual(new Set([3, 5, 7]));
    const assignments = vectors.vectors.map((vector) => [...clusterOf(vector).request.assignment]);
    expect(assignments.some((positions) => positions.some(([party, position]) => party !== position))).toBe(
      true,
    );
  });
});
