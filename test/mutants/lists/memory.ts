import type { EditedFile } from "../edit.ts";

const CLUSTER = "packages/cluster/src";
const failing = `${CLUSTER}/cluster-failing-memory.test.ts`;

const SHARE: EditedFile = {
  path: `${CLUSTER}/signer/records/sound-share.ts`,
  tests: [`${CLUSTER}/signer/records/sound-share.test.ts`],
  edits: [
    {
      weakens: "a share that does not decode is stored",
      find: "if (!decoded.ok || decoded.value.self !== self) return false;",
      put: "if (!decoded.ok) return true;\n    if (decoded.value.self !== self) return false;",
    },
    { weakens: "a share is this party's", find: " || decoded.value.self !== self", put: "" },
    { weakens: "a share is of its key", find: "info.keyId === said.keyId &&", put: "" },
    { weakens: "a share is of its epoch", find: "info.epoch === said.epoch &&", put: "" },
    {
      weakens: "a share is of the public key that is said",
      find: "isSame(publicKeyOf(info), said.publicKey) &&",
      put: "",
    },
    {
      weakens: "a share has the chain code that is said",
      find: "isSame(info.chainCode, said.chainCode) &&",
      put: "",
    },
    {
      weakens: "a share is of the digest that is said",
      find: "(said.digest === undefined || isSame(keyDigest(info), said.digest))",
      put: "true",
    },
  ],
};

const AUXILIARY: EditedFile = {
  path: `${CLUSTER}/compute/auxiliary/sound-auxiliary.ts`,
  tests: [`${CLUSTER}/compute/auxiliary/sound-auxiliary.test.ts`],
  edits: [
    { weakens: "auxiliary info is this party's", find: "decoded.value.self === made.self &&", put: "" },
    {
      weakens: "auxiliary info has the digest of what was made",
      find: "bytesToHex(auxiliaryDigest(decoded.value)) === bytesToHex(auxiliaryDigest(made))",
      put: "made.epoch > 0",
    },
  ],
};

/** A receipt is signed for nothing but what was made: memory fails between the two. */
export const MEMORY_EDITS: readonly EditedFile[] = [
  SHARE,
  AUXILIARY,
  {
    path: `${CLUSTER}/signer/key-generation/keep-key.ts`,
    tests: [failing],
    edits: [
      {
        weakens: "a new share is sound before it is stored",
        find: "if (!isSoundShare(scheme, state.config.self, stored.share, said)) return endWith(state, session, UNSOUND);",
        put: "",
      },
    ],
  },
  {
    path: `${CLUSTER}/signer/key-change/next-share.ts`,
    tests: [failing],
    edits: [
      {
        weakens: "a next share is sound before a receipt is signed",
        find: "if (!isSound) return endWith(state, session, UNSOUND);",
        put: "",
      },
    ],
  },
  {
    path: `${CLUSTER}/signer/auxiliary/keep-auxiliary.ts`,
    tests: [failing],
    edits: [
      {
        weakens: "auxiliary info is sound before a receipt is signed",
        find: "if (!isChecksumOf(checksum, stored.info)) return endWith(state, session, UNSOUND);",
        put: "",
      },
    ],
  },
];
