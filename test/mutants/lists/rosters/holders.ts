import type { EditedFile } from "../../edit.ts";

const CLUSTER = "packages/cluster/src";
const move = [`${CLUSTER}/cluster-roster-change.test.ts`];
const epochs = [`${CLUSTER}/cluster-roster-change-epochs.test.ts`];

/** The holders of a key, and its signers while the members change. */
export const HOLDER_EDITS: readonly EditedFile[] = [
  {
    path: `${CLUSTER}/signer/signing/understand.ts`,
    tests: move,
    edits: [
      {
        weakens: "a signer that came to a key signs no request of before",
        find: "knownSinceMs !== undefined && requestedAtMs < knownSinceMs",
        put: "knownSinceMs !== undefined && requestedAtMs < 0",
      },
      {
        weakens: "a signer that came to a key signs no replacement of what it does not know",
        find: "replacedBy(authorisation).length > 0 ? REQUEST_AGE_MS_MAX : 0",
        put: "replacedBy(authorisation).length > 0 ? 0 : 0",
        tests: epochs,
      },
    ],
  },
  {
    path: `${CLUSTER}/signer/epoch/switch-epoch.ts`,
    tests: epochs,
    edits: [
      {
        weakens: "a signer gives its share up only for a certificate of others",
        find: "subject !== AUXILIARY_SUBJECT && !holders.includes(state.config.self)",
        put: "subject !== AUXILIARY_SUBJECT",
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
];
