import type { EditedFile } from "../../edit.ts";

const CHAINS = "packages/chains/src";

const tests = [`${CHAINS}/surroundings.test.ts`];

const FAMILIES = ["algorand", "bitcoin", "evm", "solana", "tron", "xrpl"];

/** Node clients reach a node by the network, the clock and the timers that they are handed, and by nothing else. */
export const NODE_SURROUNDING_EDITS: readonly EditedFile[] = [
  ...FAMILIES.map((family) => ({
    path: `${CHAINS}/${family}/node/node.ts`,
    tests,
    edits: [
      {
        weakens: `a node of ${family} is reached by the surroundings that were handed in`,
        find: "restingFetch(surroundings)",
        put: "restingFetch()",
      },
    ],
  })),
  {
    path: `${CHAINS}/stellar/node/node.ts`,
    tests,
    edits: [
      {
        weakens: "a node of stellar is reached by the surroundings that were handed in",
        find: "undefined, restingFetch(surroundings)",
        put: "undefined, restingFetch()",
      },
      {
        weakens: "a simulation of stellar is asked for by the surroundings that were handed in",
        find: "const soroban = restingFetch(surroundings);",
        put: "const soroban = restingFetch();",
      },
      {
        weakens: "the time since a transaction was taken is that of the clock that was handed in",
        find: "new SubmittedMemory(surroundings.monotonicMs)",
        put: "new SubmittedMemory(() => performance.now())",
        tests: [`${CHAINS}/stellar/node/node.test.ts`],
      },
    ],
  },
  {
    path: `${CHAINS}/breaker/node/resting-fetch.ts`,
    tests,
    edits: [
      {
        weakens: "a node is left alone by the clock that was handed in",
        find: "const { monotonicMs: nowMs, timeout, turns = PROCESS_TURNS } = surroundings;",
        put: "const { timeout, turns = PROCESS_TURNS } = surroundings;\n  const nowMs = () => performance.now();",
      },
      {
        weakens: "a call ends by the timer that was handed in",
        find: "    timeout,\n    turns,",
        put: "    timeout: (ms) => AbortSignal.timeout(ms),\n    turns,",
      },
      {
        weakens: "a node is asked by the fetch that was handed in",
        find: "await surroundings.fetch(url, init)",
        put: "await fetch(url, init)",
      },
    ],
  },
];
