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
      find: "(hasWaited ? config.threshold : config.roster.size) - 1;",
      put: "(hasWaited ? 2 : config.roster.size) - 1;",
    },
    {
      weakens: "peers that know better are waited for",
      find: "(hasWaited ? config.threshold : config.roster.size) - 1;",
      put: "config.threshold - 1;",
      tests: [COUNTS],
    },
    {
      weakens: "t signers go on where the others are away (INV-5)",
      find: "(hasWaited ? config.threshold : config.roster.size) - 1;",
      put: "config.roster.size - 1;",
      tests: [COUNTS],
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
      weakens: "a replacement is judged by the age of what it replaces (INV-4)",
      find: "earliestMs(claim) > forgotten",
      put: "claim.requestedAtMs > forgotten",
    },
  ],
};

const IN_DOUBT: EditedFile = {
  path: `${SIGNER}/older-store/key-in-doubt.ts`,
  tests: [`${SIGNER}/older-store/key-in-doubt.test.ts`, WHOLE],
  edits: [
    {
      weakens: "a key is in doubt that the signer held before the last alarm (INV-4)",
      find: "alarms < forgotten.alarms;",
      put: "alarms === 0 && forgotten.alarms > 0;",
    },
    {
      weakens: "a share that came after the alarm is not in doubt (INV-5)",
      find: "forgotten.alarms === 0 ? {} : { alarms: forgotten.alarms };",
      put: "({});",
    },
  ],
};

const SHARES: readonly EditedFile[] = [
  {
    path: `${SIGNER}/key-change/next-share.ts`,
    tests: [WHOLE],
    edits: [
      {
        weakens: "a share of before the alarm is in doubt when its certificate comes later (INV-4)",
        find: "const made = { epoch, scheme, publicKey, chainCode, share, alarms };",
        put: "const made = { epoch, scheme, publicKey, chainCode, share, ...alarmsNow(state) };",
      },
      {
        weakens: "a next share says how many alarms came before it (INV-5)",
        find: "const alarms = alarmsNow(state);",
        put: "const alarms = {};",
      },
    ],
  },
  {
    path: `${SIGNER}/key-generation/keep-key.ts`,
    tests: [WHOLE],
    edits: [
      {
        weakens: "a new key says how many alarms came before it (INV-5)",
        find: "made: asked, ...origin, ...alarmsNow(state) };",
        put: "made: asked, ...origin };",
      },
    ],
  },
  {
    path: `${SIGNER}/records/key-records.ts`,
    tests: [WHOLE],
    edits: [
      {
        weakens: "the tally of keys in doubt is written when a key leaves it",
        find: "more === 0 && doubted === 0 ? [] : [tallyOf(next)]",
        put: "more === 0 ? [] : [tallyOf(next)]",
      },
      {
        weakens: "the tally of keys in doubt is written at the alarm",
        find: "before.keyCount === 0 ? [] : [tallyOf(state)]",
        put: "[]",
      },
    ],
  },
];

const SPENDING: EditedFile = {
  path: `${SIGNER}/older-store/spending.ts`,
  tests: [WHOLE],
  edits: [
    {
      weakens: "a peer that starts hears our count",
      find: "...(asks && spending.own > 0 ? [reportOwn(state, from)] : []),",
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
      find: "const puts = [writeCount(config.self, count, signature), markOf(forgotten), ...doubting.puts];",
      put: "const puts = [writeCount(config.self, count, signature), ...doubting.puts];",
    },
    {
      weakens: "a session that is open at the alarm ends (INV-4)",
      find: 'return andThen(alarmed, (next) => endAllWith(next, { kind: "failure", reason: OLDER, silent: [] }));',
      put: "return alarmed;",
      tests: [`${SIGNER}/older-store/spending-lies.test.ts`],
    },
  ],
};

const COUNTED: EditedFile = {
  path: `${SIGNER}/signing/spend-and-release.ts`,
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
      find: "spent.length > 0 || first === undefined ? spent : [{ part: first }];",
      put: "spent.length > 0 || first === undefined ? spent : [];",
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

const MATERIAL: EditedFile = {
  path: `${SIGNER}/signing/signing-material.ts`,
  tests: [`${SIGNER}/older-store/counted-releases.test.ts`, WHOLE],
  edits: [
    {
      weakens: "nothing is signed with a key that is in doubt (INV-4)",
      find: 'problem("KeyHandedOver") : whyInDoubt(state, key);',
      put: 'problem("KeyHandedOver") : undefined;',
    },
    {
      weakens: "no presignature is made with a key that may not sign",
      find: "const reason = whyNotSignWith(state, key);",
      put: "const reason = isHandedOver(key) ? whyNotSignWith(state, key) : undefined;",
    },
  ],
};

const BEGUN: readonly EditedFile[] = [
  {
    path: `${SIGNER}/signing/begin-signing.ts`,
    tests: [`${SIGNER}/older-store/counted-releases.test.ts`],
    edits: [
      {
        weakens: "nothing is signed before the store is confirmed (INV-4)",
        find: "return reason ?? whyUnconfirmed(state);",
        put: "return reason;",
      },
    ],
  },
  {
    path: `${SIGNER}/presigning/begin-presigning.ts`,
    tests: [`${SIGNER}/presigning/pool.test.ts`],
    edits: [
      {
        weakens: "no presignature is made before the store is confirmed (INV-7)",
        find: "whyNoRoom(state, keyId, quorum.value) ?? whyUnconfirmed(state);",
        put: "whyNoRoom(state, keyId, quorum.value);",
      },
    ],
  },
];

const UNDERSTOOD: EditedFile = {
  path: `${SIGNER}/signing/understand.ts`,
  tests: [WHOLE],
  edits: [
    {
      weakens: "a signer whose store may be older signs nothing for requests of before (INV-4)",
      find: "whyLost(state, request) ?? whyUnknown(",
      put: "whyUnknown(",
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
      find: "unconfirmedSince(before.spending, nowMs)",
      put: "before.spending",
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
  IN_DOUBT,
  ...SHARES,
  SPENDING,
  COUNTED,
  HANDED_OVER,
  SWITCHED,
  MATERIAL,
  ...BEGUN,
  UNDERSTOOD,
  ANSWERS,
  RESUMED,
  MENDED,
];
