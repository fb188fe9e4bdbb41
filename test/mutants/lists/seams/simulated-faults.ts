import type { EditedFile } from "../../edit.ts";

const SIMULATOR = "packages/simulator/src";
const MEMORY = "packages/signer/src/testing/memory";

const LINK_EDITS: readonly EditedFile[] = [
  {
    path: `${MEMORY}/memory-link.ts`,
    tests: [`${MEMORY}/memory-network.test.ts`],
    edits: [
      {
        weakens: "a cut way between simulated signers delivers nothing",
        find: "there.isCut || there.breaks()",
        put: "there.breaks()",
      },
      {
        weakens: "an envelope whose acknowledgement is lost arrives twice",
        find: "else if (back.isCut || back.breaks()) this.#await(next);",
        put: "",
      },
    ],
  },
  {
    path: `${MEMORY}/memory-session.ts`,
    tests: [`${MEMORY}/memory-session.test.ts`],
    edits: [
      {
        weakens: "a session over a simulated network is lost where a cut lost a report",
        find: "else if (isTorn && !isCut(connection)) tear();",
        put: "",
      },
      {
        weakens: "a session over a simulated network is lost once a cut is noticed",
        find: "if (isSilent) tear();",
        put: "",
      },
    ],
  },
  {
    path: `${SIMULATOR}/link/troubled-ways.ts`,
    tests: [`${SIMULATOR}/link/troubled-ways.test.ts`],
    edits: [
      {
        weakens: "a simulated way is cut until the last of its cuts is undone",
        find: "this.#toxics.delete(own);",
        put: "this.#toxics.clear();",
      },
      {
        weakens: "a simulated way says once that it is mended",
        find: "    this.#listeners = [];\n    for",
        put: "    for",
      },
    ],
  },
  {
    path: `${SIMULATOR}/link/server-link.ts`,
    tests: [`${SIMULATOR}/link/server-link.test.ts`],
    edits: [
      {
        weakens: "a cut way back from a simulated server loses the answer alone",
        find: "else lose(lostUs, true);",
        put: "else lose(lostUs, false);",
      },
      {
        weakens: "a simulated transaction whose end is lost on its way is not committed",
        find: "isLost ? () => lose(true) : settle",
        put: "settle",
      },
    ],
  },
];

const DISK_EDITS: readonly EditedFile[] = [
  {
    path: `${SIMULATOR}/disk/kept-table.ts`,
    tests: [`${SIMULATOR}/disk/kept-table.test.ts`],
    edits: [
      {
        weakens: "a synced write of a simulated disk makes earlier ones durable",
        find: "if (isSynced) this.#unsynced = [];\n    else",
        put: "if (!isSynced)",
      },
      {
        weakens: "a power loss takes the newest writes of a simulated disk first",
        find: "this.#unsynced.slice(kept).reverse()",
        put: "this.#unsynced.slice(kept)",
      },
    ],
  },
  {
    path: `${SIMULATOR}/disk/kept-files.ts`,
    tests: [`${SIMULATOR}/disk/kept-files.test.ts`],
    edits: [
      {
        weakens: "a power loss takes names that a simulated folder has not synced",
        find: "if (before !== undefined) this.#names = new Map(before);",
        put: "",
      },
    ],
  },
  {
    path: `${SIMULATOR}/disk/signer-disk.ts`,
    tests: [`${SIMULATOR}/disk/signer-disk.test.ts`],
    edits: [
      {
        weakens: "a write under way may be lost when a simulated signer dies",
        find: "if (this.#chance.share() < 0.5) land();",
        put: "land();",
      },
      {
        weakens: "a write whose sync failed may be lost in a power loss",
        find: "land(isSynced && !fails);",
        put: "land(isSynced);",
      },
    ],
  },
];

export const SIMULATED_FAULT_EDITS: readonly EditedFile[] = [
  ...LINK_EDITS,
  ...DISK_EDITS,
  {
    path: `${SIMULATOR}/fault/lasting-state.ts`,
    tests: [`${SIMULATOR}/fault/lasting-faults.test.ts`],
    edits: [
      {
        weakens: "a simulated chain holds transactions until the last such fault ends",
        find: "if (wasOn !== this.#faults > 0) this.#set(this.#faults > 0);",
        put: "if (wasOn !== more > 0) this.#set(more > 0);",
      },
    ],
  },
  {
    path: `${SIMULATOR}/world/simulated-cluster.ts`,
    tests: [`${SIMULATOR}/fault/simulated-injector.test.ts`],
    edits: [
      {
        weakens: "a simulated process is dead until the last fault that keeps it so ends",
        find: "(this.#down.get(process.name) ?? 0) === 0",
        put: "(this.#down.get(process.name) ?? 0) >= 0",
      },
    ],
  },
  {
    path: `${SIMULATOR}/process/parts.ts`,
    tests: [`${SIMULATOR}/fault/simulated-injector.test.ts`],
    edits: [
      {
        weakens: "a simulated process that starts again meets the clock of its machine",
        find: "skewMs: clocks.aheadMs(name),",
        put: "skewMs: 0 * clocks.aheadMs(name),",
      },
    ],
  },
  {
    path: `${SIMULATOR}/process/signer-process.ts`,
    tests: [`${SIMULATOR}/fault/simulated-injector.test.ts`],
    edits: [
      {
        weakens: "a paused signer of a world answers nothing",
        find: "          world.arrive,\n",
        put: "",
      },
    ],
  },
  {
    path: "packages/chains/src/testing/memory-chain/history.ts",
    tests: ["packages/chains/src/testing/memory-chain/memory-chain.test.ts"],
    edits: [
      {
        weakens: "a node that is behind shows the chain of some time ago",
        find: "this.#world.monotonicMs() - byMs;",
        put: "this.#world.monotonicMs();",
      },
    ],
  },
  {
    path: `${SIMULATOR}/watch/session-log.ts`,
    tests: [`${SIMULATOR}/watch/session-log.test.ts`],
    edits: [
      {
        weakens: "a timeline says who heard less than all in a round",
        find: "heard.get(round)?.size === members.size - 1",
        put: "heard.get(round)?.size !== members.size",
      },
    ],
  },
  {
    path: `${SIMULATOR}/campaign/spared-signers.ts`,
    tests: [`${SIMULATOR}/campaign/draw-world.test.ts`],
    edits: [
      {
        weakens: "drawn worlds leave a quorum of signers for the end (INV-5)",
        find: "drawn(sound, sound.length - threshold)",
        put: "drawn(sound, sound.length)",
      },
      {
        weakens: "drawn worlds leave an orchestrator for the end (INV-5)",
        find: "orchestrators - 1)",
        put: "orchestrators)",
      },
      {
        weakens: "drawn worlds change no more stores than a cluster can do without (INV-5)",
        find: "changed.size >= signers - threshold",
        put: "changed.size > signers - threshold",
      },
    ],
  },
  {
    path: `${SIMULATOR}/time/step-limit.ts`,
    tests: [`${SIMULATOR}/time/step-limit.test.ts`],
    edits: [
      {
        weakens: "a world whose time does not move on ends (INV-5)",
        find: "if (nowUs !== this.#atUs) {",
        put: "if (nowUs >= this.#atUs) {",
      },
    ],
  },
  {
    path: "packages/chaos/src/parse.ts",
    tests: ["packages/chaos/src/plan.test.ts"],
    edits: [
      {
        weakens: "a plan loses no more machines than its end can do without",
        find: "signersOf([...lost, ...altered, ...names]) <= signers - threshold",
        put: "signersOf([...lost, ...altered, ...names]) <= signers",
      },
      {
        weakens: "a plan of another version is refused by its version",
        find: "if (version !== undefined) {",
        put: "if (version === undefined) {",
      },
    ],
  },
];
