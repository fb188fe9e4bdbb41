import type { EditedFile } from "../../edit.ts";

const PLATFORM = "packages/platform/src";
const ORCHESTRATOR = "packages/orchestrator/src";
const STORE = `${PLATFORM}/testing/store`;

const LOOPS: readonly EditedFile[] = [
  {
    path: `${PLATFORM}/loop.ts`,
    tests: [`${PLATFORM}/loop.test.ts`],
    edits: [
      {
        weakens: "no ring ends the pause after a failure",
        find: "await world.sleep(pauseAfterFailureMs, stopping.signal);",
        put: "await world.sleep(pauseAfterFailureMs, signal);",
      },
    ],
  },
  {
    path: `${PLATFORM}/loop.ts`,
    tests: [`${PLATFORM}/postgres/attend.test.ts`],
    edits: [
      {
        weakens: "an announcement has a table read",
        find: "const heard = hear?.(ring);",
        put: "const heard = hear?.(() => undefined);",
      },
      {
        weakens: "announcements are heard until the stop alone",
        find: "Promise.all([heard?.stop(), running])",
        put: "running",
      },
    ],
  },
  {
    path: `${PLATFORM}/postgres/attend.ts`,
    tests: [`${PLATFORM}/postgres/attend.test.ts`],
    edits: [
      {
        weakens: "a table with work left is read at once",
        find: "=== 0 ? POLL_MS : 0",
        put: "< 0 ? 0 : POLL_MS",
      },
    ],
  },
];

const IDS: readonly EditedFile[] = [
  {
    path: `${PLATFORM}/postgres/database.ts`,
    tests: [`${PLATFORM}/postgres/commit/ids-of-a-world.test.ts`],
    edits: [
      {
        weakens: "ids come from the World that is handed in",
        find: "(options.world ?? processWorld).freshId",
        put: "processWorld.freshId",
      },
    ],
  },
  {
    path: `${PLATFORM}/postgres/commit/event-rows.ts`,
    tests: [`${PLATFORM}/postgres/commit/ids-of-a-world.test.ts`],
    edits: [
      { weakens: "an event keeps the id that it has", find: "id: id ?? freshId(", put: "id: freshId(" },
    ],
  },
  {
    path: `${PLATFORM}/postgres/people/bootstrap.ts`,
    tests: [`${PLATFORM}/postgres/people/principal.test.ts`],
    edits: [
      {
        weakens: "the first organisation is dated by the World that is handed in",
        find: "isoNow(world)",
        put: "new Date().toISOString()",
      },
    ],
  },
];

const MEMORY: readonly EditedFile[] = [
  {
    path: `${STORE}/memory-server.ts`,
    tests: [`${STORE}/memory-database.test.ts`],
    edits: [
      {
        weakens: "a lock that is held is not free",
        find: "return not exists (select from virtual.locks where key = wanted);",
        put: "return wanted is not null;",
      },
      {
        weakens: "a process that dies lets go of its locks",
        find: "return this.#asServer(RELEASE_ALL, client.number);",
        put: "return Promise.resolve();",
      },
      {
        weakens: "the transaction of a process that dies is rolled back",
        find: 'if (this.#isInTransaction) await this.#engine.exec("rollback");',
        put: "",
      },
    ],
  },
  {
    path: `${STORE}/store-server.ts`,
    tests: [`${STORE}/memory-database.test.ts`],
    edits: [
      {
        weakens: "a process that died runs no statement",
        find: "if (client.isGone) return never();\n  const fate",
        put: "const fate",
      },
      {
        weakens: "a process that died is not answered",
        find: 'if (client.isGone) return never();\n  if (fate === "unanswered")',
        put: 'if (fate === "unanswered")',
      },
    ],
  },
];

const LEAKS: readonly EditedFile[] = [
  {
    path: `${PLATFORM}/telemetry/metrics.ts`,
    tests: [`${PLATFORM}/telemetry/telemetry.test.ts`],
    edits: [
      {
        weakens: "metrics of a service do not last as long as the process",
        find: "registry.setDefaultLabels({ service });",
        put: "registry.setDefaultLabels({ service });\n  collectDefaultMetrics({ register: registry });",
      },
    ],
  },
  {
    path: `${ORCHESTRATOR}/presence.ts`,
    tests: [`${ORCHESTRATOR}/presence.test.ts`],
    edits: [
      {
        weakens: "Node keeps nothing of a present orchestrator",
        find: "await firstAborted(lost, stopping.signal);",
        put: 'await new Promise((end) => AbortSignal.any([lost, stopping.signal]).addEventListener("abort", end));',
      },
    ],
  },
];

export const TIME_AND_CHANCE_EDITS: readonly EditedFile[] = [...LOOPS, ...IDS, ...MEMORY, ...LEAKS];
