import type { EditedFile } from "../../edit.ts";

const CLUSTER = "packages/cluster/src";
const epochs = [`${CLUSTER}/cluster-roster-change-epochs.test.ts`];

/** The holders of a key, and its signers while the members change. */
export const HOLDER_EDITS: readonly EditedFile[] = [
  {
    path: `${CLUSTER}/signer/epoch/switch-epoch.ts`,
    tests: epochs,
    edits: [
      {
        weakens: "a signer gives its share up only for a certificate of others",
        find: "const isOut = !holders.includes(state.config.self);",
        put: "const isOut = holders.length > 0;",
        tests: [
          ...epochs,
          `${CLUSTER}/cluster-epochs.test.ts`,
          `${CLUSTER}/signer/key-change/key-change.test.ts`,
        ],
      },
    ],
  },
  {
    path: `${CLUSTER}/signer/key-change/release-dealer.ts`,
    tests: epochs,
    edits: [
      {
        weakens: "a signer that gave its shares up waives none of their sessions",
        find: "isWaiver: false",
        put: "isWaiver: true",
      },
    ],
  },
  {
    path: `${CLUSTER}/coordinator/key-change/key-committee.ts`,
    tests: ["packages/orchestrator/src/keys/key-committees.test.ts"],
    edits: [
      {
        weakens: "fewer signers than may lie name no holders",
        find: "count >= Math.max(info.threshold, least)",
        put: "count >= info.threshold",
      },
      {
        weakens: "the latest epoch has the holders of a key",
        find: "(one, other) => other.info.epoch - one.info.epoch",
        put: "(one, other) => other.count - one.count",
      },
    ],
  },
  {
    path: "packages/orchestrator/src/coordinators.ts",
    tests: ["packages/orchestrator/src/coordinators.test.ts"],
    edits: [
      {
        weakens: "a request goes on among the holders that signers name (INV-5)",
        find: 'outcome.kind !== "failed" || !isOfOtherHolders(outcome.problem.code)',
        put: 'outcome.kind !== "failed" || outcome.problem.code !== ""',
      },
      {
        weakens: "a request is begun anew among other holders alone",
        find: "now === undefined || isSameHolders(now, holders)",
        put: "now === undefined",
      },
      {
        weakens: "a request is begun anew once",
        find: ": this.#signAmong(now, request, waiting);",
        put: ": this.#signPart(request, waiting);",
      },
    ],
  },
];
