import type { EditedFile } from "../edit.ts";

const GATEWAY = "packages/gateway/src";
const races = [`${GATEWAY}/policy/rights-races.test.ts`];
const ends = [`${GATEWAY}/policy/rights-end.test.ts`];

/** Rights, wallets and keys stay as they are from the judgement of a request to its end. */
export const RIGHT_EDITS: readonly EditedFile[] = [
  {
    path: `${GATEWAY}/chain-request/accept-request.ts`,
    tests: ends,
    edits: [
      {
        weakens: "rights stay as they are while a request is accepted",
        find: "  await holdRights(connection, draft.orgId);\n",
        put: "",
      },
      {
        weakens: "a key stays as it is while a request is accepted",
        find: "  await holdKey(connection, wallet.keyId);\n",
        put: "",
        tests: races,
      },
      {
        weakens: "the right is judged again once it is held",
        find: "  if (!draft.isFeeBump) demand(await permittedNow(connection, draft));\n",
        put: "",
      },
    ],
  },
  {
    path: `${GATEWAY}/chain-request/release-request.ts`,
    tests: races,
    edits: [
      {
        weakens: "a key stays as it is while a request is released",
        find: "  await holdKey(connection, known.keyId);\n",
        put: "",
      },
    ],
  },
  {
    path: `${GATEWAY}/reading/body-reader.ts`,
    tests: [`${GATEWAY}/chain-request/request-act.test.ts`],
    edits: [
      {
        weakens: "bytes that signers would refuse by now are not released",
        find: "readable.ok ? ok(effectsOfAct(chains, act)) : readable",
        put: "readable === undefined ? readable : ok(effectsOfAct(chains, act))",
      },
    ],
  },
  {
    path: `${GATEWAY}/signature/create.ts`,
    tests: ends,
    edits: [
      {
        weakens: "rights stay as they are while a signature is accepted",
        find: "      await holdRights(connection, draft.orgId);\n",
        put: "",
      },
      {
        weakens: "a body is read anew where its key has other wallets than at the reading",
        find: "      if (!isDeepStrictEqual(now.value, facts)) return ok(undefined);\n",
        put: "",
        tests: [`${GATEWAY}/chain-request/stellar.test.ts`],
      },
      {
        weakens: "the right is judged again once it is held",
        find: "      if (!may.ok) return may;\n",
        put: "",
      },
      {
        weakens: "a key stays as it is while a signature is accepted",
        find: "      await holdKey(connection, draft.keyId);\n",
        put: "",
        tests: races,
      },
    ],
  },
  {
    path: `${GATEWAY}/signature/release.ts`,
    tests: ends,
    edits: [
      {
        weakens: "a key stays as it is while a signature is released",
        find: "  holdKey,\n",
        put: "  readKey as holdKey,\n",
        tests: races,
      },
      {
        weakens: "who asked for a signature still may",
        find: "  if (!permitted.ok) return permitted;\n",
        put: "",
      },
      {
        weakens: "who asked for a signature still has the permission",
        find: '"who asked for it", [MAY_SIGN])',
        put: '"who asked for it", [])',
      },
    ],
  },
  {
    path: `${GATEWAY}/permission/standing.ts`,
    tests: ends,
    edits: [
      {
        weakens: "a permission that is gone is missing",
        find: "if (judged.ok) return ok(principal);",
        put: "if (judged !== undefined) return ok(principal);",
      },
    ],
  },
  {
    path: `${GATEWAY}/fee-bump/permitted-now.ts`,
    tests: ends,
    edits: [
      { weakens: "who asked for a request still has the permission", find: "[need]", put: "[]" },
      {
        weakens: "what the service gathers is what the organisation lets it",
        find: "asked.isGathering && (await",
        put: "asked.isGathering === undefined && (await",
        tests: [`${GATEWAY}/coin-gathering/gather-coins.test.ts`],
      },
    ],
  },
  {
    path: `${GATEWAY}/policy/decide-approval.ts`,
    tests: [`${GATEWAY}/policy/approvers-now.test.ts`],
    edits: [
      {
        weakens: "who votes may approve at that moment",
        find: "    if (!may.ok) return may;\n",
        put: "",
      },
      {
        weakens: "a voice whose right has ended does not count",
        find: "gone.add(spoken.userId);",
        put: "gone.delete(spoken.userId);",
      },
      {
        weakens: "who spoke with what has ended may speak again",
        find: "await withoutEndedVoice(connection, locked, approver.userId)",
        put: "locked",
      },
      {
        weakens: "groups are asked as policies have them now",
        find: "askedNow(approval, policies)",
        put: "approval",
      },
    ],
  },
  {
    path: `${GATEWAY}/policy/judge-again.ts`,
    tests: [`${GATEWAY}/policy/limits-at-release.test.ts`],
    edits: [
      {
        weakens: "a policy that blocks at the release rejects",
        find: 'return { kind: "Rejected", reason: verdict.reason };',
        put: 'return { kind: "Allowed", policies: [] };',
      },
      {
        weakens: "policies that were made since ask their approvers",
        find: "new Set(approval.groups.map(({ policyId }) => policyId))",
        put: "new Set(policies.map(({ id }) => id))",
      },
      {
        weakens: "what approvers have answered is not asked again",
        find: "activity, facts, answered)",
        put: "activity, facts)",
      },
      { weakens: "what waits does not count", find: "countsWaiting: false", put: "countsWaiting: true" },
      {
        weakens: "of two at once the second counts the first",
        find: "  if (isSigning) await lockAll(connection, activity, subject.id);\n",
        put: "",
      },
      {
        weakens: "what is released counts from now on",
        find: "      if (isSigning) await count(connection, spender, activity, facts);\n",
        put: "",
      },
    ],
  },
];
