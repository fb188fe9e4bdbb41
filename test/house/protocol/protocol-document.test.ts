import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { auxiliaryOpeningBytesMax } from "../../../packages/threshold/src/auxiliary/opening.ts";
import { SECP256K1 } from "../../../packages/threshold/src/curve.ts";
import { commitmentMessageBytes } from "../../../packages/threshold/src/frost/round1.ts";
import { statementBytesMax } from "../../../packages/threshold/src/import/statement.ts";
import { keyOpeningBytes } from "../../../packages/threshold/src/keygen/opening.ts";
import { PRODUCTION_PARAMETERS } from "../../../packages/threshold/src/parameters.ts";
import { payloadBytesMax } from "../../../packages/threshold/src/presign/messages.ts";
import { noSmallFactorProofBytesMax } from "../../../packages/threshold/src/proofs/no-small-factor.ts";
import { blumModulusProofBytesMax } from "../../../packages/threshold/src/proofs/paillier-blum-modulus.ts";
import { dealingOpeningBytes, proofBytes } from "../../../packages/threshold/src/redistribution/messages.ts";
import { isTest, ROOT, sourcesBelow, withoutComments } from "../source-files.ts";

const document = readFileSync(join(ROOT, "docs/protocol.md"), "utf8");
const sources = sourcesBelow("packages/threshold", "packages/cluster", "packages/custody").filter(
  ({ path }) => !isTest(path),
);
const code = sources.map(({ text }) => withoutComments(text)).join("\n");

const found = (pattern: RegExp): readonly string[] => [
  ...new Set([...code.matchAll(pattern)].map(([, name = ""]) => name)),
];

/** Not part of the protocol: the key that opens imports is derived and used on one machine. */
const NO_MESSAGE = ["conclave/v1/key-import"];

describe("docs/protocol.md", () => {
  it("names the domain of every digest", () => {
    const domains = found(/\bhashFields\(\s*["`]([^"`$]+)["`]/g);
    expect(domains.length).toBeGreaterThan(8);
    expect(domains.filter((domain) => !document.includes(`"${domain}"`))).toEqual([]);
  });

  it("names every proof whose challenge is drawn, and where in a protocol proofs stand", () => {
    const [proofs, positions] = [found(/\bchallenge\("([^"]+)"/g), found(/\bposition: "([^"]+)"/g)];
    expect([proofs.length, positions.length > 4]).toEqual([7, true]);
    expect(proofs.filter((proof) => !document.includes(`| \`${proof}\` |`))).toEqual([]);
    expect(positions.filter((position) => !document.includes(`\`${position}\``))).toEqual([]);
  });

  it("names the kind of everything that is signed, sealed or hashed under a name of ours", () => {
    const names = found(/"(conclave\/v1\/[a-z-]+)"/g).filter((name) => !NO_MESSAGE.includes(name));
    expect(names.length).toBeGreaterThan(6);
    expect(names.filter((name) => !document.includes(`"${name}"`))).toEqual([]);
  });

  it("says how long messages are, as their codecs have it", () => {
    const size = (bytes: number): string => bytes.toLocaleString("en-US");
    const [level, t] = [PRODUCTION_PARAMETERS, 3];
    for (const bytes of [
      auxiliaryOpeningBytesMax(level),
      noSmallFactorProofBytesMax(level),
      blumModulusProofBytesMax(level),
    ]) {
      expect(document).toContain(`| ${size(bytes)} |`);
    }
    const { round1, round2, round3, round4 } = payloadBytesMax(level, t - 1);
    expect(document).toContain(`${round1}, ${round2} and up, ${round3} and the size of round 4`);
    // the document's formulas
    expect(round4).toBe(64 + 1_546 * (t - 1));
    expect(keyOpeningBytes(SECP256K1, t)).toBe(96 + 33 * (t + 1));
    expect(dealingOpeningBytes(SECP256K1, t)).toBe(33 * (t - 1) + 32);
    expect([proofBytes(SECP256K1), commitmentMessageBytes(SECP256K1)]).toEqual([65, 98]);
    expect(statementBytesMax(SECP256K1)).toBe(162);
  });
});
