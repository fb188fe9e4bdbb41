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
    path: "packages/custody/src/key/key-statement.ts",
    tests: [
      ...tests,
      "packages/custody/src/key/key-statement.test.ts",
      "packages/custody/src/key/key-activation.test.ts",
    ],
    edits: [
      {
        weakens: "a statement of a key stays what it was",
        find: "const fields = { cluster, signer, orgId,",
        put: "const fields = { signer, cluster, orgId,",
      },
      {
        weakens: "a statement of a key is written in one way alone",
        find: "written.every((byte, at) => byte === bytes[at])",
        put: "written.length > 0",
      },
      {
        weakens: "a statement of a key says what is expected",
        find: "return !isSame || !verify(stated.signature, bytes, identityKey);",
        put: "return !verify(stated.signature, stated.statement, identityKey);",
      },
      {
        weakens: "a statement of a key is signed by its signer",
        find: "return !isSame || !verify(stated.signature, bytes, identityKey);",
        put: "return !isSame;",
      },
      {
        weakens: "a signer that states nothing of a key is missed",
        find: "if (stated === undefined) return true;",
        put: "if (stated === undefined) return false;",
      },
    ],
  },
  {
    path: "packages/custody/src/key/key-activation.ts",
    tests: ["packages/custody/src/key/key-activation.test.ts"],
    edits: [
      {
        weakens: "what a signer states of a new key is checked while another is of the version before",
        find: "given[at] !== undefined && wrong.includes(id) ? [id] : []",
        put: "given.every((each) => each !== undefined) && wrong.includes(id) ? [id] : []",
      },
      {
        weakens: "what all signers state of a new key is checked",
        find: "given[at] !== undefined && wrong.includes(id) ? [id] : []",
        put: "given[at] === undefined && wrong.includes(id) ? [id] : []",
      },
    ],
  },
  {
    path: "packages/custody/src/authorisation/named-cluster.ts",
    tests: ["packages/cluster/src/signer/session/authorise.test.ts"],
    edits: [
      {
        weakens: "an authorisation is for the cluster that it names",
        find: " || signed.cluster === clusterId;",
        put: " || clusterId.length > 0;",
      },
    ],
  },
  {
    path: "packages/cluster/src/signer/session/authorise.ts",
    tests: ["packages/cluster/src/signer/session/authorise.test.ts"],
    edits: [
      {
        weakens: "a signer refuses what the authority signed for another cluster",
        find: "if (!isForCluster(parsed.data, config.clusterId)) {",
        put: "if (!isForCluster(parsed.data, config.clusterId) && nowMs < 0) {",
      },
    ],
  },
  {
    path: "packages/gateway/src/authority.ts",
    tests: ["packages/gateway/src/renew-authorisations.test.ts"],
    edits: [
      {
        weakens: "what was signed for another cluster is not signed anew for this one",
        find: " || !isForCluster(signed, cluster)",
        put: "",
      },
    ],
  },
  {
    path: "packages/platform/src/grpc/report.ts",
    tests: ["packages/platform/src/grpc/report.test.ts"],
    edits: [
      {
        weakens: "a signer that does not read what is authorised is older, and ends no request",
        find: 'message === AUTHORISATION_UNREAD) return "SignerOlder";',
        put: "message === AUTHORISATION_UNREAD) return code;",
      },
    ],
  },
  {
    path: "packages/cluster/src/signer/key-generation/attest-key.ts",
    tests: ["packages/cluster/src/signer/key-generation/attest-key.test.ts"],
    edits: [
      {
        weakens: "a signer says of an imported key that it was imported",
        find: 'origin: imported === true ? "imported" : "generated",',
        put: 'origin: imported === true ? "generated" : "generated",',
      },
      {
        weakens: "a signer states nothing of a key whose origin it does not know",
        find: "if (made === undefined) return undefined;",
        put: "if (made === undefined) return { statement: new Uint8Array(3), signature: identity };",
      },
    ],
  },
  {
    path: "packages/cluster/src/signer/key-change/next-share.ts",
    tests: ["packages/cluster/src/signer/key-generation/attest-key.test.ts"],
    edits: [
      {
        weakens: "a refresh keeps how a key came to be",
        find: "made: asked, exports, certificate",
        put: "exports, certificate",
      },
    ],
  },
  {
    path: "packages/cli/src/key-proof/prove-key.ts",
    tests: ["packages/cli/src/commands/verify-key.test.ts"],
    edits: [
      {
        weakens: "a key is proven by every signer of the roster",
        find: "if (!isWhole)",
        put: "if (!isWhole && attestations.length > cluster.signers.length)",
      },
      {
        weakens: "an internal key is that of the output key",
        find: "if (!isOfOutputKey(file))",
        put: "if (!isOfOutputKey(file) && keyId.length === 0)",
      },
      {
        weakens: "a key that some signers state nothing of is not stated",
        find: "if (silent.length === 0) {",
        put: "if (silent.length < 3) {",
      },
      {
        weakens: "who states something else of a key is named",
        find: "if (apart.length > 0)",
        put: "if (apart.length > 3)",
      },
    ],
  },
  {
    path: "packages/cli/src/commands/verify-key.ts",
    tests: ["packages/cli/src/commands/verify-key.test.ts"],
    edits: [
      {
        weakens: "an imported key does not pass as generated",
        find: 'proof.key.origin === "imported" && !imported',
        put: 'proof.key.origin === "imported" && imported',
      },
      {
        weakens: "the older form does not pass by itself",
        find: 'if (proof.kind === "held" && !older) {',
        put: 'if (proof.kind === "held" && older) {',
      },
      {
        weakens: "an address that is shown is the key's",
        find: "address === undefined || addresses.some((each) => each.address === address)",
        put: "address === undefined || addresses.length > 0",
      },
      {
        weakens: "the key is the one that was asked for",
        find: "if (key !== undefined && key !== proof.key.keyId)",
        put: 'if (key === "")',
      },
      {
        weakens: "attestations are of the roster's cluster",
        find: "if (known.clusterId !== clusterId) {",
        put: 'if (clusterId === "") {',
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
