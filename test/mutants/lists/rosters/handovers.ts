import type { EditedFile } from "../../edit.ts";

const CLUSTER = "packages/cluster/src";
const moves = [`${CLUSTER}/cluster-handover.test.ts`, `${CLUSTER}/cluster-handover-refusals.test.ts`];
const past = [`${CLUSTER}/signer/key-change/past-of-key.test.ts`];
const recent = [`${CLUSTER}/signer/signing/recent-bindings.test.ts`];
const statements = ["test/house/protocol/protocol-statements.test.ts"];

/** Holders of before hand a key over before those of the next epoch sign with it (INV-4). */
export const HANDOVER_EDITS: readonly EditedFile[] = [
  {
    path: `${CLUSTER}/control/epoch-handover.ts`,
    tests: past,
    edits: [
      {
        weakens: "so many hand over that the others are no quorum",
        find: "parties.length - threshold + 1;",
        put: "parties.length - threshold;",
      },
      {
        weakens: "a handover is signed by its signer",
        find: "return verifyEd25519(signature, handoverBytes(roster, signer, successor, known), identity);",
        put: "return signature.length === SIGNATURE_BYTES;",
        tests: statements,
      },
    ],
  },
  {
    path: `${CLUSTER}/control/epoch-certificate.ts`,
    tests: moves,
    edits: [
      {
        weakens: "all handovers of a certificate are verified",
        find: "by && areHandoversSound([by, roster], certificate)",
        put: "by",
      },
    ],
  },
  {
    path: `${CLUSTER}/signer/key-change/past-of-key.ts`,
    tests: past,
    edits: [
      {
        weakens: "a handover counts of a holder of before alone",
        find: "before.parties.includes(signer) &&\n",
        put: "",
      },
      {
        weakens: "a signer's own handover does not count beside its going",
        find: "signer !== self &&\n",
        put: "",
      },
      {
        weakens: "a handover with dates far ahead does not count",
        find: "Math.max(sinceMs, latestMs) <= nowMs + DATES_AHEAD_MS_MAX",
        put: "sinceMs >= 0",
      },
      {
        weakens: "too few handovers are none",
        find: "if (given.length < needed) return undefined;",
        put: "",
      },
      {
        weakens: "a signer without a share waits for the others' handovers, also where the holders stay",
        find: "if (held !== undefined && !isOther(before, next))",
        put: "if (!isOther(before, next))",
      },
      {
        weakens: "a key's own time begins after the last request of before",
        find: "...latest.slice(0, needed).map((each) => each + 1)",
        put: "0",
      },
      {
        weakens: "a key's own time begins after what the signer itself bound",
        find: "Math.max(heldSinceMs, ownMs + 1,",
        put: "Math.max(heldSinceMs,",
      },
      {
        weakens: "a late date of one liar does not count where others suffice",
        find: "latest.slice(0, needed)",
        put: "latest",
      },
      {
        weakens: "a signer goes over from its own holders where it is further on",
        find: "held !== undefined && held.epoch >= next.from ? held",
        put: "held === undefined ? next",
      },
      {
        weakens: "a signer that missed an epoch knows nothing of the time until now",
        find: "held.epoch < next.from && isOther(held, next) ? held",
        put: "held.epoch < 0 ? held",
      },
      {
        weakens: "of a change before nothing is known any more",
        find: "furtherBack(missed, { sinceMs: heldSinceMs, least: earlier.least })",
        put: "missed",
      },
    ],
  },
  {
    path: `${CLUSTER}/signer/signing/recent-bindings.ts`,
    tests: recent,
    edits: [
      {
        weakens: "a signer knows nothing of requests of before its latest life",
        find: "completeFromMs: latestMs + 1,",
        put: "completeFromMs: 0,",
      },
      {
        weakens: "requests that are left out are said to be",
        find: "Math.max(known.completeFromMs, leftOutToMs)",
        put: "known.completeFromMs",
      },
      {
        weakens: "requests that a handover leaves out are said to be",
        find: "Math.max(completeFromMs, heldSinceMs, leftOutToMs)",
        put: "Math.max(completeFromMs, heldSinceMs)",
      },
      {
        weakens: "what others signed before the holders changed is not known",
        find: "Math.max(completeFromMs, heldSinceMs, leftOutToMs)",
        put: "Math.max(completeFromMs, leftOutToMs)",
      },
      {
        weakens: "a request that is replaced is named too",
        find: "[requestId, ...replaces].flatMap",
        put: "[requestId].flatMap",
      },
      {
        weakens: "the latest date is on the disk",
        find: "latestMs > recent.latestMs ? [latestBoundRecord(latestMs)] : []",
        put: "[]",
      },
    ],
  },
  {
    path: `${CLUSTER}/signer/signing/earlier-holders.ts`,
    tests: moves,
    edits: [
      {
        weakens: "a request of before the time that is known is refused",
        find: "askedMs >= sinceMs &&",
        put: "askedMs >= 0 &&",
      },
      {
        weakens: "a request that a handover names is refused",
        find: "every((each) => each === digest)",
        put: "every((each) => each !== undefined)",
      },
      {
        weakens: "a signer that stays refuses where fewer sign together",
        find: "earlier !== undefined && threshold < earlier.least ? earlier : undefined",
        put: "undefined",
      },
      {
        weakens: "a signer that lost its share signs replacements",
        find: "isLost ? claim.requestedAtMs : earliestMs(claim)",
        put: "isLost ? earliestMs(claim) : earliestMs(claim)",
      },
      {
        weakens: "one that clears a request does not suffice",
        find: "clearing.length >= needed",
        put: "clearing.length >= Math.min(1, needed)",
      },
    ],
  },
  {
    path: `${CLUSTER}/signer/signing/request-claim.ts`,
    tests: moves,
    edits: [
      {
        weakens: "a signer that came to a key signs no replacement of what it does not know",
        find: "replaces.length > 0 ? REQUEST_AGE_MS_MAX : 0",
        put: "replaces.length > 0 ? 0 : 0",
      },
    ],
  },
  {
    path: `${CLUSTER}/signer/records/key-records.ts`,
    tests: moves,
    edits: [
      {
        weakens: "a signer that handed a key over signs nothing with it",
        find: "handedOver !== undefined && epoch < handedOver.to",
        put: "handedOver !== undefined && epoch < 0",
      },
    ],
  },
  {
    path: `${CLUSTER}/signer/epoch/switch-epoch.ts`,
    tests: moves,
    edits: [
      {
        weakens: "a signer goes to an epoch only with the handovers that it needs",
        find: "if (past === undefined) return waiting();",
        put: "if (past === undefined) return gone(adoptNext(state, subject, share, bytes, {}), to);",
      },
      {
        weakens: "a signer that leaves keeps its share until the new holders may sign",
        find: "key !== undefined && !mayGiveUp(state, key, certificate, nowMs)",
        put: "key !== undefined && to < 0",
      },
      {
        weakens: "a signer that handed a key over shows the certificate",
        find: "key !== undefined && isHandedOver(key) ? key.handedOver?.certificate : key?.certificate",
        put: "key?.certificate",
      },
    ],
  },
  {
    path: `${CLUSTER}/coordinator/key-change/handover-round.ts`,
    tests: [`${CLUSTER}/coordinator/key-change/handover-round.test.ts`],
    edits: [
      {
        weakens: "the first handover of a signer counts",
        find: "handover === undefined || handovers.has(signer) ?",
        put: "handover === undefined ?",
      },
      {
        weakens: "the certificate is shown again once all have answered",
        find: "asked.size === 0 && waiting",
        put: "waiting",
      },
    ],
  },
  {
    path: `${CLUSTER}/coordinator/key-change/key-change.ts`,
    tests: [`${CLUSTER}/coordinator/key-change/handover-round.test.ts`],
    edits: [
      {
        weakens: "a handover in the name of another signer does not count",
        find: "read?.signer === signer ? read : undefined",
        put: "read",
      },
      {
        weakens: "all that wait see the last handover that is needed",
        find: "effects: [...step.effects, ...shows(config, phase, waiting)],",
        put: "effects: step.effects,",
      },
      {
        weakens: "a signer that waits has not gone over",
        find: "isWaiting === true ? unchanged(next)",
        put: "isWaiting === null ? unchanged(next)",
      },
      {
        weakens: "a handover that is not the signer's own goes into no certificate",
        find: ".filter(([, handover]) => isHandoverOf(roster, read, handover))",
        put: "",
      },
    ],
  },
];
