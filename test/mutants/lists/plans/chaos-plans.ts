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
      {
        weakens: "plans draw the database's clock",
        find: "jump([database]),",
        put: "",
      },
      {
        weakens: "plans draw large jumps both ways",
        find: "chance.of(JUMPS_MS) * chance.of([-1, 1])",
        put: "chance.of(JUMPS_MS)",
      },
      {
        weakens: "plans draw jumps of 100 days",
        find: "[3_600_000, 86_400_000, 8_640_000_000]",
        put: "[3_600_000, 86_400_000]",
      },
      {
        weakens: "no other clock is wrong while the database's is, in a drawn plan",
        find: "    if (joinsWrongClocks(faults, planned, isOver)) continue;\n",
        put: "",
      },
      {
        weakens: "a database whose clock is wrong is not ended in a drawn plan",
        find: 'return fault.place.kind === "database" ? [placeName(fault.place)] : [];',
        put: "return [];",
      },
    ],
  },
  {
    path: `${CHAOS}/place.ts`,
    tests: [`${CHAOS}/plan.test.ts`],
    edits: [
      {
        weakens: "the bus has no clock that a plan moves",
        find: 'place.kind !== "bus" && ',
        put: "",
      },
      {
        weakens: "nodes of chains have no clock that a plan moves",
        find: ' && place.kind !== "node"',
        put: "",
      },
    ],
  },
  {
    path: `${CHAOS}/parse.ts`,
    tests: [`${CHAOS}/plan.test.ts`],
    edits: [
      {
        weakens: "a plan has enough signers left when some lose entries",
        find: "if (signersOf([...lost, ...altered, name]) <= spared) return undefined;",
        put: "return undefined;",
      },
      {
        weakens: "a plan that moves a clock that cannot be moved hears which can",
        find: "if (place === undefined) return UNKNOWN;",
        put: "if (place !== null) return UNKNOWN;",
      },
    ],
  },
];
