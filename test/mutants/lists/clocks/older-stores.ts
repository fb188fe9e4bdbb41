import type { EditedFile } from "../../edit.ts";

const SIGNER = "packages/cluster/src/signer";
const WHOLE = "packages/cluster/src/cluster-older-store.test.ts";
const COUNTS = "packages/cluster/src/cluster-older-store-counts.test.ts";

const LOST_TIME: EditedFile = {
  path: `${SIGNER}/older-store/lost-time.ts`,
  tests: [`${SIGNER}/older-store/lost-time.test.ts`],
  edits: [
    {
      weakens: "as many peers confirm a store as cannot all lie beside it",
      find: "spending.confirmedBy.size >= config.threshold - 1;",
      put: "spending.confirmedBy.size >= 1;",
    },
    {
      weakens: "a store that is not confirmed may have lost everything until its start",
      find: "if (isStoreConfirmed(state)) return knownMs;",
      put: "return knownMs;",
    },
    {
      weakens: "a store without a share that was an older copy has lost what it signed",
      find: "Math.max(forgotten.requestedToMs, forgotten.olderMs);",
      put: "forgotten.requestedToMs;",
    },
    {
      weakens: "no request is signed that a mended mark may have lost (INV-4)",
      find: "claim.transaction === undefined || earliestMs(claim) > forgotten.requestedToMs",
      put: "claim.transaction === undefined || earliestMs(claim) > 0",
      tests: [`${SIGNER}/session/mended-marks.test.ts`],
    },
    {
      weakens: "a key of other holders may have been handed over in the lost time",
      find: "if (forgotten.olderMs === 0) return false;",
      put: "if (forgotten.olderMs >= 0) return false;",
    },
    {
      weakens: "a replacement is judged by the age of what it replaces (INV-4)",
      find: "earliestMs(claim) > forgotten",
      put: "claim.requestedAtMs > forgotten",
    },
  ],
};

const SPENDING: EditedFile = {
  path: `${SIGNER}/older-store/spending.ts`,
  tests: [WHOLE],
  edits: [
    {
      weakens: "a peer that starts hears our count",
      find: "...(asks && spending.own > 0 ? [tellOwn(state, from)] : []),",
      put: "",
    },
    {
      weakens: "an older store signs nothing more for requests of before (INV-4)",
      find: "isEmpty ? state.forgotten.requestedToMs : olderMs;",
      put: "state.forgotten.requestedToMs;",
    },
    {
      weakens: "a signer that lost its disk learns of requests with its new shares (INV-5)",
      find: "isEmpty ? state.forgotten.requestedToMs : olderMs;",
      put: "olderMs;",
      tests: ["packages/cluster/src/cluster-handover-refusals.test.ts"],
    },
    {
      weakens: "a store with a pending share is not empty (INV-4)",
      find: "state.keyCount === 0 && state.next.size === 0;",
      put: "state.keyCount === 0;",
      tests: [COUNTS],
    },
    {
      weakens: "what an older version remembered unsigned gives way (INV-5)",
      find: "known.count > 0 && known.signature === undefined;",
      put: "false;",
      tests: [COUNTS],
    },
    {
      weakens: "a store is known to be older after a restart",
      find: "puts: [writeCount(config.self, count, signature), markOf(forgotten)],",
      put: "puts: [writeCount(config.self, count, signature)],",
    },
  ],
};

const COUNTED: EditedFile = {
  path: `${SIGNER}/signing/release.ts`,
  tests: [
    WHOLE,
    `${SIGNER}/older-store/counted-releases.test.ts`,
    `${SIGNER}/older-store/spending-lies.test.ts`,
  ],
  edits: [
    {
      weakens: "a session that makes its own presignature counts as a release",
      find: "const puts = [...bound, ...tombstones.map(({ write }) => write), counted.write];",
      put: "const puts = [...bound, ...tombstones.map(({ write }) => write)];",
    },
    {
      weakens: "peers hear the count before the partial signature",
      find: "    ...counted.announcements,\n    ...tombstones.map(",
      put: "    ...tombstones.map(",
    },
    {
      weakens: "a family that takes no presignature counts as a release",
      find: "consumptions.length > 0 || first === undefined ? consumptions : [{ part: first }];",
      put: "consumptions.length > 0 || first === undefined ? consumptions : [];",
    },
    {
      weakens: "a store that is found to be older while it signs releases nothing",
      find: "whyLost(before, request) ??\n        whyUnconfirmed(before) ??\n        bindingConflict",
      put: "bindingConflict",
    },
  ],
};

const HANDED_OVER: EditedFile = {
  path: `${SIGNER}/epoch/hand-over.ts`,
  tests: [WHOLE, `${SIGNER}/older-store/counted-releases.test.ts`],
  edits: [
    {
      weakens: "a handover counts as a release",
      find: "puts: [...kept.puts, counted.write]",
      put: "puts: kept.puts",
    },
    {
      weakens: "peers hear of a handover",
      find: "      ...counted.announcements,\n",
      put: "",
    },
    {
      weakens: "a signer whose store is older hands over no knowledge of before",
      find: "sinceMs: Math.max(known.sinceMs, lostMs + 1),",
      put: "sinceMs: known.sinceMs,",
    },
  ],
};

const SWITCHED: EditedFile = {
  path: `${SIGNER}/epoch/switch-epoch.ts`,
  tests: [COUNTS],
  edits: [
    {
      weakens: "a signer hands nothing over before its store is confirmed (INV-4)",
      find: "if (unconfirmed !== undefined) return refuse(state, call, unconfirmed);",
      put: "",
    },
    {
      weakens: "a signer that goes to the next epoch at once has its word counted",
      find: "isOtherHolders ? handOver(state, subject, to, bytes) : unchanged(state);",
      put: "unchanged(isOtherHolders ? state : state);",
    },
    {
      weakens: "a signer that missed an epoch has its word for that one counted",
      find: "share.before !== undefined ||",
      put: "",
    },
    {
      weakens: "a signer that gives its share up has its word counted",
      find: "andThen(handOver(state, subject, to, bytes), (next) => giveUpShare(next, subject)),",
      put: "giveUpShare(state, subject),",
    },
  ],
};

const BEGUN: EditedFile = {
  path: `${SIGNER}/signing/begin-signing.ts`,
  tests: [`${SIGNER}/older-store/counted-releases.test.ts`],
  edits: [
    {
      weakens: "nothing that counts begins before the store is confirmed (INV-4)",
      find: "if (!signsMessagesOnly(understood)) return whyUnconfirmed(state);",
      put: "if (!signsMessagesOnly(understood)) return undefined;",
    },
  ],
};

const UNDERSTOOD: EditedFile = {
  path: `${SIGNER}/signing/understand.ts`,
  tests: [WHOLE],
  edits: [
    {
      weakens: "a signer whose store may be older signs nothing for requests of before (INV-4)",
      find: "whyLost(state, request) ?? whyUnknown(",
      put: "whyUnknown(",
    },
    {
      weakens: "a signer whose store is older signs with no key that it may have handed over",
      find: "isHandedOver(key) || mayHaveHandedOver(state, () => holdersOfKey(key))",
      put: "isHandedOver(key)",
    },
  ],
};

const ANSWERS: EditedFile = {
  path: `${SIGNER}/signing/signed-bytes.ts`,
  tests: [`${SIGNER}/signing/signed-bytes.test.ts`],
  edits: [
    {
      weakens: "a signer whose store is older does not say that it knows all that it signed",
      find: "isKept && (lostMs === 0 || requestedAtMs > lostMs);",
      put: "isKept;",
    },
  ],
};

const RESUMED: EditedFile = {
  path: `${SIGNER}/session/resumption.ts`,
  tests: [WHOLE],
  edits: [
    {
      weakens: "peers confirm the store of a process that was resumed",
      find: "...spending, confirmedBy: new Set<PartyIndex>(), askedAtMs: 0, sinceMs: nowMs",
      put: "...spending, sinceMs: nowMs",
    },
  ],
};

const MENDED: EditedFile = {
  path: `${SIGNER}/session/mended-marks.ts`,
  tests: [`${SIGNER}/session/mended-marks.test.ts`],
  edits: [
    {
      weakens: "an operator's date ends what an older store set far ahead",
      find: "const requestedToMs = Math.min(forgotten.requestedToMs, latestMs);",
      put: "const { requestedToMs } = forgotten;",
    },
  ],
};

/** A signer whose whole store is an older copy signs nothing twice (INV-4). */
export const OLDER_STORE_EDITS: readonly EditedFile[] = [
  LOST_TIME,
  SPENDING,
  COUNTED,
  HANDED_OVER,
  SWITCHED,
  BEGUN,
  UNDERSTOOD,
  ANSWERS,
  RESUMED,
  MENDED,
];
