import type { EditedFile } from "../edit.ts";

const COORDINATOR = "packages/cluster/src/coordinator";

const INTERPRETER = "packages/cluster/src/interpreter";

/** Coordinators of a process know of signers all that one of them learnt. */
const STANDING_EDITS: readonly EditedFile[] = [
  {
    path: `${INTERPRETER}/coordination.ts`,
    tests: [`${INTERPRETER}/coordination.test.ts`],
    edits: [
      {
        weakens: "a coordinator begins with what others have learnt of signers",
        find: "health: standings.now };",
        put: "health: new Map() };",
      },
      {
        weakens: "each step of a coordinator begins with what others have learnt of signers",
        find: "{ ...this.#state, health: this.#standings.now }",
        put: "{ ...this.#state }",
      },
      {
        weakens: "what a step learnt of signers is kept",
        find: "    this.#standings.learn(health);\n",
        put: "",
      },
    ],
  },
  {
    path: `${INTERPRETER}/shared-standings.ts`,
    tests: [`${INTERPRETER}/shared-standings.test.ts`],
    edits: [
      {
        weakens: "a signer that comes back stays blamed (P15)",
        find: "back.includes(signer) && !standing.isBlamed",
        put: "back.includes(signer)",
      },
      {
        weakens: "a pause ends only for a signer that was away",
        find: "back.includes(signer) && !standing.isBlamed",
        put: "!standing.isBlamed",
      },
    ],
  },
];

/** A coordinator's checks of evidence, and its memory of signers. */
export const ACCUSATION_EDITS: readonly EditedFile[] = [
  ...STANDING_EDITS,
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
