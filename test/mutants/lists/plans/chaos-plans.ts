import type { EditedFile } from "../../edit.ts";

const CHAOS = "packages/chaos/src";

/** Plans that leave enough signers to end. */
export const CHAOS_PLAN_EDITS: readonly EditedFile[] = [
  {
    path: `${CHAOS}/draw-plan.ts`,
    tests: [`${CHAOS}/draw-plan.test.ts`],
    edits: [
      {
        weakens: "a drawn plan leaves enough signers while one that lost an entry is away",
        find: " || !leavesEnough(plan, faults, planned, isBusy)",
        put: "",
      },
      {
        weakens: "a signer that lost an entry stays away in a drawn plan",
        find: "point !== undefined || losesEntry(planned)",
        put: "point !== undefined",
      },
    ],
  },
  {
    path: `${CHAOS}/parse.ts`,
    tests: [`${CHAOS}/plan.test.ts`],
    edits: [
      {
        weakens: "a plan has enough signers left when some lose entries",
        find: "if (lost.size < spared) return undefined;",
        put: "return undefined;",
      },
    ],
  },
];
