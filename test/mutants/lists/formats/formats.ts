import type { EditedFile } from "../../edit.ts";

const THRESHOLD = "packages/threshold/src";
/** A format that changes for both sides alike breaks no protocol run: only what was written before shows it. */
const tests = ["test/house/protocol/written-vectors.test.ts"];

export const FORMAT_EDITS: readonly EditedFile[] = [
  {
    path: `${THRESHOLD}/transcript.ts`,
    tests,
    edits: [
      {
        weakens: "digests of fields stay what they were",
        find: 'shake256(encodeField(["conclave/v1", domain, fields])',
        put: 'shake256(encodeField(["conclave/v2", domain, fields])',
      },
      {
        weakens: "bits of a challenge are the highest of one byte each",
        find: "(stream.xof(1)[0] ?? 0) >> 7 === 1",
        put: "((stream.xof(1)[0] ?? 0) & 1) === 1",
      },
      {
        weakens: "a challenge leaves the last bits of its bytes out, and not the first",
        find: "bytesToNumberBE(stream.xof(Math.ceil(bits / 8))) >> excess",
        put: "bytesToNumberBE(stream.xof(Math.ceil(bits / 8))) % 2n ** BigInt(bits)",
      },
    ],
  },
  {
    path: `${THRESHOLD}/session/envelope.ts`,
    tests,
    edits: [
      {
        weakens: "what is signed of an envelope stays what it was",
        find: '"conclave/v1/envelope"',
        put: '"conclave/v2/envelope"',
      },
    ],
  },
  {
    path: `${THRESHOLD}/blame/attempt.ts`,
    tests,
    edits: [
      {
        weakens: "a session id holds the deadline in eight bytes",
        find: "const TIME_BYTES = 8;",
        put: "const TIME_BYTES = 6;",
      },
    ],
  },
  {
    path: "packages/custody/src/key/key-attestation.ts",
    tests,
    edits: [
      {
        weakens: "an attestation stays what it was",
        find: "keyId, scheme, publicKey }));",
        put: "keyId, publicKey, scheme }));",
      },
    ],
  },
];
