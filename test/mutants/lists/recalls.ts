import type { EditedFile } from "../edit.ts";

const REQUESTS = "packages/orchestrator/src/chain-requests";
const SIGNING = "packages/cluster/src/signer/signing";
const RECALLED = `${REQUESTS}/recall-signed.test.ts`;

const JUDGE: EditedFile = {
  path: `${REQUESTS}/judge-signed.ts`,
  tests: [`${REQUESTS}/judge-signed.test.ts`],
  edits: [
    {
      weakens: "bytes are taken over that more signers than may lie name",
      find: "ats.length > mayLie",
      put: "ats.length > 0",
    },
    {
      weakens: "signers that are gone, or began anew, name nothing that they signed (INV-4)",
      find: "if (most + unknown < remembering)",
      put: "if (most + unknown < threshold)",
      tests: ["packages/orchestrator/src/coordinators.test.ts"],
    },
    {
      weakens: "a signer that began anew lets no further one lie (INV-5)",
      find: "const mayLie = of - threshold;",
      put: "const mayLie = of - remembering;",
      tests: ["packages/orchestrator/src/coordinators.test.ts"],
    },
    {
      weakens: "signers that do not answer may have signed something",
      find: "of - answers.length + ",
      put: "",
    },
    {
      weakens: "signers that do not know all that they signed may have signed something else",
      find: "answers.filter(({ isWhole }) => !isWhole).length",
      put: "0",
    },
    {
      weakens: "no signer that may lie says alone how late a version was signed",
      find: "(b, mayLie) - latest(a, mayLie)",
      put: "(b, 0) - latest(a, 0)",
    },
    {
      weakens: "of several versions, the one that was signed last goes first",
      find: " || latest(b, mayLie) - latest(a, mayLie)",
      put: "",
    },
    {
      weakens: "dead transactions are not taken over",
      find: "isDead(digest) ? [] : [each]",
      put: "[each]",
    },
  ],
};

const RECALL: EditedFile = {
  path: `${REQUESTS}/recall-signed.ts`,
  tests: [RECALLED],
  edits: [
    {
      weakens: "of several versions that signers name, the one is taken over whose id the chain has",
      find: "versions.length > 1 ? await onChain(work, versions) : ok(undefined)",
      put: "ok(undefined)",
      tests: [`${REQUESTS}/bitcoin.test.ts`],
    },
    {
      weakens: "where records may have been put back, all signers are heard",
      find: '(hearsAll && verdict.kind === "bytes" && open > 0)) return;',
      put: "verdict.kind === undefined) return;",
      tests: [`${REQUESTS}/bitcoin.test.ts`],
    },
    {
      weakens: "of versions of a request a node that does not answer says nothing",
      find: "return away.ok ? ok(waiting) : away;",
      put: "return ok(waiting);",
      tests: [`${REQUESTS}/bitcoin.test.ts`],
    },
    {
      weakens: "the version on record stays, if enough signers name it",
      find: "inOrder.find(isBefore) ?? inOrder[0]",
      put: "inOrder[0]",
      tests: [`${REQUESTS}/tron.test.ts`],
    },
    {
      weakens: "a version in a block goes before one that waits",
      find: 'else if (sighting.value.kind === "waiting") waiting ??= version;',
      put: 'else if (sighting.value.kind === "waiting") return ok(version);',
      tests: [`${REQUESTS}/bitcoin.test.ts`],
    },
    {
      weakens: "a version above a cap that was lowered since counts as one",
      find: "isRead(work, request, unsigned))",
      put: "adoptedAs(work, request, unsigned).ok)",
      tests: [`${REQUESTS}/bitcoin.test.ts`],
    },
  ],
};

const GO_ON_AS: EditedFile = {
  path: `${REQUESTS}/go-on-as.ts`,
  tests: [RECALLED],
  edits: [
    {
      weakens: "another request of the wallet keeps its transaction",
      find: "if (txHash !== undefined && (await isOthersTransaction(",
      put: "if (txHash === undefined && (await isOthersTransaction(",
      tests: [`${REQUESTS}/bitcoin.test.ts`],
    },
    {
      weakens: "another request of the wallet keeps its place",
      find: "if (holders.length === 0) return undefined;",
      put: "return undefined;",
    },
    {
      weakens: "a request whose transaction another one has waits until that is final",
      find: "const forGood = (await isFinal(txHash)) ? OTHERS_TRANSACTION : undefined;",
      put: "const forGood = OTHERS_TRANSACTION;",
      tests: [`${REQUESTS}/bitcoin.test.ts`],
    },
    {
      weakens: "a request whose place another one has waits until that one is final",
      find: "if (isLanded) return",
      put: "return",
    },
    {
      weakens: "a request whose place another one has for good fails",
      find: "await failUnsigned(work, seen, first.forGood);\n    return GO_ON;",
      put: "",
    },
    {
      weakens: "a request fails once each of its versions has lost its place",
      find: "if (taken?.forGood === undefined) return false;",
      put: "if (taken?.forGood === undefined) continue;",
    },
    {
      weakens: "of several versions, one whose place is free is taken over",
      find: "first ??= taken;",
      put: "first ??= taken;\n    break;",
    },
    {
      weakens: "the next version that is tried is one whose place no other request has",
      find: "if ((await takenBy(work, seen.request, next)) !== undefined) continue;",
      put: "",
    },
    {
      weakens: "a request waits while another version of it may be on its way",
      find: 'if (landed?.kind === "unsure") return wait(landed.reason);',
      put: "",
    },
    {
      weakens: "of several versions that signers name, the one that landed is taken over",
      find: 'if (landed?.kind === "sent") return adoptSent(work, seen, landed.events);',
      put: "",
    },
    {
      weakens: "a request fails once signers say that they have signed nothing for it",
      find: 'case "unsure":\n      await noteReason(work.database, seen, whyUnsure(work.quorum));\n      return again(UNSURE_MS);',
      put: 'case "unsure":\n      await failUnsigned(work, seen, reason);\n      return GO_ON;',
    },
  ],
};

const OWN_PAYMENT: EditedFile = {
  path: `${REQUESTS}/own-payment.ts`,
  tests: [RECALLED],
  edits: [
    {
      weakens: "bytes are taken over that are what is authorised",
      find: "if (!read.ok) return read;",
      put: "if (!read.ok) return ok({ kind: 'Adopted', ...work.chain.family.describe(unsigned, work.wallet.address).value, exclusion: unsigned, unsignedTransaction: unsigned });",
    },
    {
      weakens: "a transaction that is not what is authorised is another payment",
      find: 'return read.ok || read.problem.code === "FeeAboveCap";',
      put: "return read.ok || read.problem.code.length > 0;",
    },
  ],
};

const FATE: EditedFile = {
  path: `${REQUESTS}/fate.ts`,
  tests: [RECALLED],
  edits: [
    {
      weakens: "the very bytes under another hash are looked for before a request fails",
      find: "winner === undefined ? await takeOverLanded(work, request) : ok(false)",
      put: "ok(false)",
    },
    {
      weakens: "another version that landed is looked for before a request fails",
      find: "if (version.value === undefined) return ok(false);",
      put: "if (version.value !== undefined) return ok(false);\n  if (version.value === undefined) return ok(false);",
    },
    {
      weakens: "of two requests that take the same transaction over at once, one does",
      find: "version.value, { expect: [line] })",
      put: "version.value)",
    },
    {
      weakens: "a request waits while its node does not show what has its place",
      find: 'if (!landed.ok) return "later";',
      put: "",
    },
  ],
};

const LANDED_VERSION: EditedFile = {
  path: `${REQUESTS}/landed-version.ts`,
  tests: [RECALLED],
  edits: [
    {
      weakens: "what has the place of a dead transaction is taken over where it is the request's own payment",
      find: "isRead(work, request, sent.unsigned) &&",
      put: "",
    },
    {
      weakens: "what another request has on record is no version that landed of this one",
      find: "!(await isOthersTransaction(database, walletId, id, sent))",
      put: "true",
    },
    {
      weakens: "of a transaction that spends coins, what has spent them is looked at",
      find: "inPlaceOf: lost,",
      put: "",
      tests: [`${REQUESTS}/bitcoin.test.ts`],
    },
  ],
};

const LANDED_DECISION: EditedFile = {
  path: "packages/custody/src/chain-request/chain-request-decision.ts",
  tests: ["packages/custody/src/chain-request/chain-request.test.ts"],
  edits: [
    {
      weakens: "a version that landed is in the place of the one that was signed",
      find: "if (sequence !== version.sequence) {",
      put: "if (sequence !== version.sequence && version.sequence === undefined) {",
    },
    {
      weakens: "nothing is taken over as another version before anything was signed",
      find: "if (!isOther || signedTransaction === undefined) return misfit(request, event);",
      put: "if (!isOther) return misfit(request, event);",
    },
    {
      weakens: "the very bytes of a request are no other version of it",
      find: "if (!isOther || signedTransaction === undefined) return misfit(request, event);",
      put: "if (before === undefined || signedTransaction === undefined) return misfit(request, event);",
    },
  ],
};

const KEPT: EditedFile = {
  path: `${SIGNING}/signed-bytes.ts`,
  tests: [`${SIGNING}/signed-bytes.test.ts`],
  edits: [
    {
      weakens: "a signer says where it does not know all that it signed",
      find: "digests.length > 0 && digests.every((digest) => kept.has(digest))",
      put: "true",
    },
    {
      weakens: "a signer keeps no more bytes of a request than fit an answer",
      find: "return digits > 2 * BOUND_BYTES_MAX;",
      put: "return false;",
    },
  ],
};

const TWIN: EditedFile = {
  path: "packages/chains/src/evm/node/nonce-holder.ts",
  tests: ["packages/chains/src/evm/node/conformance.test.ts"],
  edits: [
    {
      weakens: "what has the account nonce is taken over where it is the very bytes",
      find: "keccak256(signed) === hash ?",
      put: "hash.length > 0 ?",
    },
  ],
};

const LOOK: EditedFile = {
  path: "packages/orchestrator/src/following/look.ts",
  tests: ["packages/orchestrator/src/following/lying-node.test.ts"],
  edits: [
    {
      weakens: "the very bytes under another hash are looked for where a node says that it takes them",
      find: "? outcome.isProcessed === true || isTime",
      put: "? outcome.isProcessed === true",
    },
  ],
};

const SENT: EditedFile = {
  path: `${REQUESTS}/recall-sent.ts`,
  tests: [`${REQUESTS}/recall-sent.test.ts`],
  edits: [
    {
      weakens: "what the chain has for a request is what is authorised",
      find: 'if (!isRead(work, request, sent.unsigned)) return "none";',
      put: "",
    },
    {
      weakens: "what landed for another request is not taken over",
      find: 'if (await isOthersTransaction(database, request.walletId, request.id, sent)) return "none";',
      put: "",
    },
    {
      weakens: "of two requests that pay the same, the earlier one takes what landed",
      find: 'return taking === undefined ? UNCLAIMED : "none";',
      put: "return UNCLAIMED;",
    },
    {
      weakens: "what signers name for another request is left to that one",
      find: 'if (others > own) return "none";',
      put: "",
      tests: [RECALLED],
    },
    {
      weakens: "what has the place of what signers name for another request is left to that one",
      find: "if (!isBeside(version)) return UNCLAIMED;",
      put: "return UNCLAIMED;",
      tests: [RECALLED],
    },
    {
      weakens: "more signers than may lie go before fewer",
      find: "return version.isSure ? SURELY_NAMED : NAMED;",
      put: "return SURELY_NAMED;",
      tests: [RECALLED],
    },
    {
      weakens: "a request waits while too few signers say whether another one's transaction it is",
      find: 'if (isUnsure) return "unsure";',
      put: "",
      tests: [RECALLED],
    },
    {
      weakens: "what signers name for a request goes before an equal payment of an earlier one",
      find: "if (own > UNCLAIMED) return own;",
      put: "",
      tests: [RECALLED],
    },
    {
      weakens: "an earlier request for which signers name another place takes nothing",
      find: 'words.get(each.id)?.kind === "nothing" && ',
      put: "isRead(work, each, sent.unsigned) && ",
      tests: [RECALLED],
    },
    {
      weakens: "the places of versions that signers name are searched",
      find: "...named.map(({ adopted }) => adopted?.sequence)",
      put: "",
      tests: [RECALLED],
    },
    {
      weakens: "the place that a request has on record is searched",
      find: "const own = [request.sequence, ",
      put: "const own = [",
      tests: [RECALLED],
    },
    {
      weakens: "one version of a request is searched for where that may have been put back",
      find: "if (!countsTransactions && named.length < 2 && !isLate(work, request)) return NOTHING;",
      put: "if (!countsTransactions && named.length < 2) return NOTHING;",
      tests: [`${REQUESTS}/tron.test.ts`],
    },
    {
      weakens: "versions of families that count no transactions are searched since before they landed",
      find: "if (landedMs < sinceMs) sinceMs = landedMs;",
      put: "",
      tests: [`${REQUESTS}/tron.test.ts`],
    },
    {
      weakens: "an earlier request that pays the same takes one transaction alone",
      find: "if (taking !== undefined) served.add(taking.id);",
      put: "",
    },
    {
      weakens: "a wallet whose chain is ahead of its records is compared with it",
      find: "if (next.value - lowest <= explained) return ok(undefined);",
      put: "return ok(undefined);",
    },
    {
      weakens: "a request waits while its node does not show what is ahead",
      find: 'if (!found.ok) return { kind: "unsure", reason: found.problem.message };',
      put: "if (!found.ok) return NOTHING;",
    },
    {
      weakens: "a request that waits for its chain is shown to operators",
      find: 'if (found.kind === "unsure") await noteUnsure(database, id, found.reason);',
      put: "",
    },
  ],
};

const KEPT_RECORDS: EditedFile = {
  path: `${REQUESTS}/kept-records.ts`,
  tests: [`${REQUESTS}/kept-records.test.ts`],
  edits: [
    {
      weakens: "a mark that does not rise was put on records of an earlier moment",
      find: "known !== undefined && mark > known.mark",
      put: "known !== undefined",
    },
    {
      weakens: "records are kept since the later time of two clocks",
      find: "Math.max(put.nowMs, world.nowMs())",
      put: "world.nowMs()",
    },
    {
      weakens: "the chain is asked unless the records were kept well before a request was authorised",
      find: "authorisedMsOf(request) - SKEW_MS > (await records.since())",
      put: "authorisedMsOf(request) > (await records.since())",
      tests: [`${REQUESTS}/recall-sent.test.ts`],
    },
  ],
};

const RULED_OUT: EditedFile = {
  path: "packages/platform/src/postgres/requests/unsure-requests.ts",
  tests: ["packages/platform/src/postgres/orchestrator-rights.test.ts"],
  edits: [
    {
      weakens: "the word of an operator that a request was not carried out holds for an hour",
      find: "ruled_out > now() - interval '1 hour'",
      put: "ruled_out is not null",
    },
  ],
};

const RETRIED: EditedFile = {
  path: "packages/gateway/src/admission/request-id.ts",
  tests: ["packages/gateway/src/admission/request-id.test.ts"],
  edits: [
    {
      weakens: "a retry with its externalId is the same request to signers",
      find: "externalId === undefined",
      put: 'externalId !== ""',
    },
    {
      weakens: "another body under a lost externalId is another request to signers",
      find: "[orgId, signer, stringify(body)]",
      put: '[orgId, signer, externalId ?? ""]',
    },
  ],
};

const LANDED: EditedFile = {
  path: `${REQUESTS}/prepare.ts`,
  tests: [`${REQUESTS}/bitcoin.test.ts`],
  edits: [
    {
      weakens: "what was built while another of the wallet landed is compared with that one",
      find: "const landed = await landedMeanwhile(work, request, built);",
      put: "const landed = undefined;",
    },
    {
      weakens: "a request that landed is found while its lease lets no other be built",
      find: 'code === "ServiceUnavailable" && rebuilds && !countsTransactions',
      put: "code.length < 1",
      tests: [`${REQUESTS}/algorand.test.ts`],
    },
    {
      weakens: "a request that waited goes on as the next version that signers name",
      find: "const isNext = await goOnAsNext(work, seen, recalled);",
      put: "const isNext = false;",
      tests: [`${REQUESTS}/tron.test.ts`],
    },
  ],
};

const CARRIED: EditedFile = {
  path: `${REQUESTS}/work.ts`,
  tests: [`${REQUESTS}/row-reads.test.ts`],
  edits: [
    {
      weakens: "a step takes the row that the step before committed",
      find: "committed = next.seen;",
      put: "committed = undefined;",
    },
  ],
};

export const RECALL_EDITS: readonly EditedFile[] = [
  CARRIED,
  JUDGE,
  RECALL,
  GO_ON_AS,
  OWN_PAYMENT,
  FATE,
  LANDED_VERSION,
  LANDED_DECISION,
  LOOK,
  KEPT,
  TWIN,
  SENT,
  KEPT_RECORDS,
  RULED_OUT,
  RETRIED,
  LANDED,
];
