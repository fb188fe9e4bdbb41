import type { EditedFile } from "../edit.ts";

const COORDINATOR = "packages/cluster/src/coordinator";

/** A coordinator's checks of evidence. */
export const ACCUSATION_EDITS: readonly EditedFile[] = [
  {
    path: `${COORDINATOR}/accusation.ts`,
    tests: [`${COORDINATOR}/accusation.test.ts`],
    edits: [
      {
        weakens: "the accused is of the session, also where nobody is blamed",
        find: "!begun.parties.includes(accused) || !isOf(begun, evidence)",
        put: "!isOf(begun, evidence)",
      },
      {
        weakens: "evidence is of the session that began (INV-7)",
        find: "!begun.parties.includes(accused) || !isOf(begun, evidence)",
        put: "!begun.parties.includes(accused)",
      },
      {
        weakens: "evidence is of the session by the id that was given",
        find: "bytesToHex(attempt.given) === begun.key &&",
        put: "",
      },
      {
        weakens: "evidence is of the session by its deadline",
        find: "attempt.expiresAtMs === begun.expiresAtMs &&",
        put: "",
      },
      {
        weakens: "evidence is of the session by the number of its parties",
        find: "attempt.parties.length === begun.parties.length &&",
        put: "",
      },
      {
        weakens: "evidence is of the session by its parties",
        find: "&&\n  attempt.parties.every((party, at) => party === begun.parties[at]);",
        put: ";",
      },
      {
        weakens: "what only a receiver sees is between two",
        find: "if (cannotBeShown(check)) {",
        put: 'if (check === "") {',
      },
      {
        weakens: "nobody accuses itself of what only a receiver sees",
        find: 'accused === reporter ? { kind: "groundless" } : { kind: "between-two", accused }',
        put: '{ kind: "between-two", accused }',
      },
      {
        weakens: "evidence proves the fault: not any evidence will do (INV-7)",
        find: 'verdict.kind === "proven" ?',
        put: "evidence.messages.length >= 0 ?",
      },
    ],
  },
];
