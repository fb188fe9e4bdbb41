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
      find: "times > of - threshold",
      put: "times > 0",
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
      weakens: "another request of the wallet keeps its transaction",
      find: "if (taken !== undefined) {",
      put: 'if (taken !== undefined && taken.includes("place")) {',
      tests: [`${REQUESTS}/bitcoin.test.ts`],
    },
    {
      weakens: "another request of the wallet keeps its place",
      find: "return inPlace.some(holds)",
      put: "return inPlace.every(holds) && id === undefined",
    },
    {
      weakens: "of versions of a request a node that does not answer says nothing",
      find: "return away.ok ? ok(waiting) : away;",
      put: "return ok(waiting);",
      tests: [`${REQUESTS}/bitcoin.test.ts`],
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
      put: "adoptedAs(work, request, unsigned) !== undefined)",
      tests: [`${REQUESTS}/bitcoin.test.ts`],
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
      find: "if (!isRead(work, request, sent.unsigned)) return false;",
      put: "",
    },
    {
      weakens: "what landed for another request is not taken over",
      find: "if (await isOthersTransaction(work.database, request.walletId, request.id, sent)) return false;",
      put: "",
    },
    {
      weakens: "of two requests that pay the same, the earlier one takes what landed",
      find: "return taking === undefined;",
      put: "return earlier.length >= 0;",
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
  ],
};

export const RECALL_EDITS: readonly EditedFile[] = [
  JUDGE,
  RECALL,
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
