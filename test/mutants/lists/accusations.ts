import type { EditedFile } from "../edit.ts";

const COORDINATOR = "packages/cluster/src/coordinator";

/** What a coordinator takes for evidence. */
export const ACCUSATION_EDITS: readonly EditedFile[] = [
  {
    path: `${COORDINATOR}/accusation.ts`,
    tests: [`${COORDINATOR}/accusation.test.ts`],
    edits: [
      {
        weakens: "the accused is on the roster",
        find: "identity === undefined || !parties.includes",
        put: "!parties.includes",
      },
      { weakens: "the accused is of the session", find: " || !parties.includes(fault.culprit)", put: "" },
      {
        weakens: "evidence shows something: not any evidence will do",
        find: "return isByCulprit && isSignedBy(identity, header, payloadHash, signature);",
        put: "return isByCulprit || !isByCulprit || identity === payloadHash || signature === payloadHash;",
      },
      {
        weakens: "evidence is from the accused",
        find: "return isByCulprit && isSignedBy(identity, header, payloadHash, signature);",
        put: "return isSignedBy(identity, header, payloadHash, signature) || isByCulprit === undefined;",
      },
      {
        weakens: "evidence is signed by the accused (INV-7)",
        find: "return isByCulprit && isSignedBy(identity, header, payloadHash, signature);",
        put: "return isByCulprit || (identity === payloadHash && signature === payloadHash);",
      },
    ],
  },
];
