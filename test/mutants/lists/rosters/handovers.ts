import type { EditedFile } from "../../edit.ts";

const CLUSTER = "packages/cluster/src";
const moves = [`${CLUSTER}/cluster-handover.test.ts`];
const past = [`${CLUSTER}/signer/key-change/past-of-key.test.ts`];
const recent = [`${CLUSTER}/signer/signing/recent-bindings.test.ts`];
const epochs = [`${CLUSTER}/cluster-roster-change-epochs.test.ts`];
const statements = ["test/house/protocol/protocol-statements.test.ts"];

/** Holders of before hand a key over before those of the next epoch sign with it (INV-4). */
export const HANDOVER_EDITS: readonly EditedFile[] = [
  {
    path: `${CLUSTER}/control/epoch-handover.ts`,
    tests: past,
    edits: [
      {
        weakens: "a signer that comes to a key waits for handovers",
        find: "hasNewcomer(before, after) || (isFewer",
        put: "(isFewer",
      },
      {
        weakens: "handovers are needed where too few sign together",
        find: " || (isFewer && isOther(before, after))",
        put: "",
      },
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
        find: "before.parties.includes(signer) && ",
        put: "",
      },
      {
        weakens: "a signer's own handover does not count beside its going",
        find: "signer !== self && ",
        put: "",
      },
      {
        weakens: "a handover with dates far ahead does not count",
        find: " && isDated(dates, nowMs)",
        put: "",
      },
      {
        weakens: "the earliest dates are taken",
        find: "one.sinceMs - other.sinceMs",
        put: "other.sinceMs - one.sinceMs",
      },
      {
        weakens: "too few handovers are none",
        find: "others.length < needed ? undefined",
        put: "others.length < 0 ? undefined",
      },
      {
        weakens: "the latest of the dates that are taken counts",
        find: "sinceMs: Math.max(...given.map",
        put: "sinceMs: Math.min(...given.map",
      },
      {
        weakens: "a key's own time begins after the last request of before",
        find: "heard.latestMs + 1",
        put: "heard.sinceMs",
      },
      {
        weakens: "where nobody hands over, nothing is known",
        find: "counted.length === 0 ? nothingKnown(nowMs)",
        put: "counted.length < 0 ? nothingKnown(nowMs)",
      },
      {
        weakens: "past a bound all requests of before count as signed",
        find: "all.length > HANDED_REQUESTS_MAX",
        put: "all.length > 2 * HANDED_REQUESTS_MAX",
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
        find: "REQUEST_AGE_MS_MAX : 0) < sinceMs ||",
        put: "REQUEST_AGE_MS_MAX : 0) < 0 ||",
      },
      {
        weakens: "a request that a handover names is refused",
        find: "requests.includes(bytesToHex(requestName(id)))",
        put: "requests.length < 0 && id.length < 0",
      },
      {
        weakens: "a signer that stays refuses where fewer sign together",
        find: "...(isFewer ? [earlier] : [])",
        put: "",
      },
      {
        weakens: "a signer that came to a key signs no replacement of what it does not know",
        find: "replaces.length > 0 ? REQUEST_AGE_MS_MAX : 0",
        put: "replaces.length > 0 ? 0 : 0",
        tests: epochs,
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
        find: "past === undefined ? waiting() : gone(adoptNext(state, subject, share, bytes, past), to)",
        put: "gone(adoptNext(state, subject, share, bytes, past ?? {}), to)",
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
    path: `${CLUSTER}/coordinator/key-change/key-change.ts`,
    tests: [`${CLUSTER}/coordinator/key-change/key-change.test.ts`, ...moves],
    edits: [
      {
        weakens: "a handover that is not the signer's own goes into no certificate",
        find: "isOfHolder && isHandoverOf(roster, read, handover) ? handover : undefined",
        put: "isOfHolder ? handover : undefined",
      },
    ],
  },
];
