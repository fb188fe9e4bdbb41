import type { EditedFile } from "../../edit.ts";

const PROVISION = "packages/testbed/src/provision";
const CONFIG = "packages/platform/src/config";

/** Which changes of a roster are made, and how they are written. */
export const ROSTER_CHANGE_EDITS: readonly EditedFile[] = [
  {
    path: `${PROVISION}/roster-decision.ts`,
    tests: [`${PROVISION}/roster-decision.test.ts`],
    edits: [
      {
        weakens: "no second change begins in the middle of one",
        find: "if (add === 0 && remove.length === 0 && putOut.length > 0) return;",
        put: "if (putOut.length > 0) return;",
      },
      {
        weakens: "a change of nothing is refused",
        find: "(threshold === undefined || threshold === roster.threshold);",
        put: "threshold === undefined;",
      },
      {
        weakens: "an index is given once, also that of a signer that was removed",
        find: "[...signers, ...changes.flatMap(({ removed }) => removed)]",
        put: "signers",
      },
      {
        weakens: "holders of old keys are those of the beginning of the change",
        find: 'if (ended?.kind !== "change" || ended.at < since) return [];',
        put: 'if (ended?.kind !== "change" || ended.at >= 0) return [];',
      },
      {
        weakens: "holders of the keys of a change that is done are not counted",
        find: "ended.at < since",
        put: "ended.at < 0",
      },
      {
        weakens: "as many holders of old keys stay as their threshold says",
        find: "if (left >= threshold || out.length === 0) continue;",
        put: "if (left >= 2 || out.length === 0) continue;",
      },
      {
        weakens: "a cheat is not put out who holds keys that were moved and need it",
        find: 'holdKeys || why === "cheated"',
        put: "holdKeys",
      },
      {
        weakens: "a signer that was lost in the middle of a change goes",
        find: 'holdKeys || why === "cheated"',
        put: 'holdKeys || why !== "left"',
      },
      {
        weakens: "signers that leave count until the change is done",
        find: "checkCounts(listed, listed - leaving.length, threshold);",
        put: "checkCounts(listed - leaving.length, listed - leaving.length, threshold);",
      },
      {
        weakens: "signers that leave sign no new keys",
        find: "checkCounts(listed, listed - leaving.length, threshold);",
        put: "checkCounts(listed, listed, threshold);",
      },
      {
        weakens: "the history has a place for the end of the change",
        find: "const needed = leaving.length > 0 ? 2 : 1;",
        put: "const needed = 1;",
      },
      {
        weakens: "the lowest threshold stays in mind",
        find: "Math.min(roster.threshold, change?.threshold ?? roster.threshold)",
        put: "roster.threshold",
      },
      {
        weakens: "the beginning of the change stays in mind",
        find: "change === undefined ? changes.length : (change.since ?? changes.length - 1)",
        put: "changes.length",
      },
      {
        weakens: "a cheat is put out by the hash of evidence",
        find: 'reason.why === "cheated" && !EVIDENCE.test(reason.evidence)',
        put: 'reason.why === "cheated" && reason.evidence === ""',
      },
    ],
  },
  {
    path: `${PROVISION}/change-roster.ts`,
    tests: [`${PROVISION}/change-roster.test.ts`],
    edits: [
      {
        weakens: "a folder with the store of another is no new signer's",
        find: '(!kept.includes("vault") && hasUnnamedIdentity(folder, roster))',
        put: "kept.length === 1",
      },
      {
        weakens: "a link is no folder of a new signer",
        find: "if (!there.isDirectory()) throw",
        put: "if (there.isFile()) throw",
      },
      {
        weakens: "the authority of new certificates is trusted",
        find: "  writeSynced(\n    layout.ca,",
        put: "  writeSynced(\n    `${layout.ca}.not`,",
      },
      {
        weakens: "a roster has import keys for all signers or for none",
        find: "...(hasImportKeys ? { importKey } : {})",
        put: "importKey",
      },
    ],
  },
  {
    path: `${PROVISION}/roster.ts`,
    tests: [`${PROVISION}/change-roster.test.ts`],
    edits: [
      {
        weakens: "the roster says how many signers there are",
        find: "{ signers: holdersOf(roster).length, threshold: roster.threshold, ...request }",
        put: "request",
      },
      {
        weakens: "numbers that are given count",
        find: "{ signers: holdersOf(roster).length, threshold: roster.threshold, ...request }",
        put: "{ ...request, signers: holdersOf(roster).length, threshold: roster.threshold }",
      },
      {
        weakens: "signers that leave are not counted among those of a start",
        find: "signers: holdersOf(roster).length,\n    threshold: roster.threshold,\n    parameters",
        put: "signers: roster.signers.length,\n    threshold: roster.threshold,\n    parameters",
      },
      {
        weakens: "a start keeps the change that is under way",
        find: "    change: identity.change,\n",
        put: "",
      },
      {
        weakens: "a start keeps the changes of before",
        find: "    changes: identity.changes,\n",
        put: "",
      },
      {
        weakens: "a start is of the cluster's own threshold",
        find: "    was.threshold === asked.threshold &&\n",
        put: "",
        tests: [`${PROVISION}/roster.test.ts`],
      },
      {
        weakens: "a start is of the cluster's own parameters",
        find: "    was.threshold === asked.threshold &&\n    was.parameters === asked.parameters",
        put: "    was.threshold === asked.threshold",
        tests: [`${PROVISION}/roster.test.ts`],
      },
    ],
  },
  {
    path: "packages/testbed/src/readiness.ts",
    tests: ["packages/testbed/src/readiness.test.ts"],
    edits: [
      {
        weakens: "a newcomer is live",
        find: '(standing !== "away" && newcomers.has(signer.index))',
        put: "newcomers.has(signer.index)",
      },
      {
        weakens: "newcomers are those of the change under way",
        find: "change.since ?? changes.length - 1",
        put: "0",
      },
      {
        weakens: "a signer is heard that is listed",
        find: "signers.some((signer) => signer.index === index && signer.live)",
        put: "signers.length > 0",
      },
      {
        weakens: "a signer is heard that is live",
        find: "signers.some((signer) => signer.index === index && signer.live)",
        put: "signers.some((signer) => signer.index === index)",
      },
      {
        weakens: "all signers of a start are heard",
        find: "indices.every(isHeard)",
        put: "indices.some(isHeard)",
      },
      {
        weakens: "a signer without auxiliary information is not ready",
        find: 'return standing === "ready" ||',
        put: 'return standing !== "away" ||',
      },
      {
        weakens: "signers are ready when each is",
        find: "(ready === total || (",
        put: "(ready > 0 || (",
      },
      {
        weakens: "a start waits for others while they make progress",
        find: "ready >= enough && nowMs - changedMs >= graceMs",
        put: "ready >= enough",
      },
      {
        weakens: "a start waits for all signers where no number is enough",
        find: "enough = Number.POSITIVE_INFINITY",
        put: "enough = 0",
      },
    ],
  },
  {
    path: `${CONFIG}/roster.ts`,
    tests: [`${CONFIG}/roster-history.test.ts`],
    edits: [
      {
        weakens: "a change under way began with a change of the history",
        find: "change?.since === undefined || change.since < changes.length",
        put: "change?.since !== -1 || changes.length > 0",
      },
      {
        weakens: "a roster that is none has a code of its own",
        find: 'rosterSchema, "RosterInvalid")',
        put: "rosterSchema)",
        tests: ["packages/cli/src/launch-error-of.test.ts"],
      },
    ],
  },
];
