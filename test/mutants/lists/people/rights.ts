import type { EditedFile } from "../../edit.ts";

const GATEWAY = "packages/gateway/src";
const PLATFORM = "packages/platform/src";
const races = [`${GATEWAY}/policy/rights-races.test.ts`];
const ends = [`${GATEWAY}/policy/rights-end.test.ts`];
const released = [`${GATEWAY}/policy/release.test.ts`];
const limits = [`${GATEWAY}/policy/limits-at-release.test.ts`];
const approvers = [`${GATEWAY}/policy/approvers-now.test.ts`];
const endUser = [`${GATEWAY}/people/end-user.test.ts`];
const gathering = [`${GATEWAY}/coin-gathering/gather-coins.test.ts`];

/** Approved requests are judged again before their release, and withdrawn ones are released no more. */
const RELEASE_EDITS: readonly EditedFile[] = [
  {
    path: `${GATEWAY}/policy/signing-activity.ts`,
    tests: [`${GATEWAY}/policy/other-accounts.test.ts`],
    edits: [
      {
        weakens: "what another account has is under no limits of this wallet",
        find: "family.spell(account) !== family.spell(own)",
        put: "account === own",
      },
      {
        weakens: "what is signed and comes back to its own account does not leave it",
        find: "    : leaving(family, own, read);",
        put: "    : read;",
        tests: [`${GATEWAY}/policy/self-payments.test.ts`],
      },
      {
        weakens: "what goes to others leaves the account, whatever comes back beside it",
        find: "effects.movements.filter(({ recipient }) => spell(recipient) !== own)",
        put: "effects.movements.some(({ recipient }) => spell(recipient) === own) ? [] : effects.movements",
        tests: [`${GATEWAY}/policy/self-payments.test.ts`],
      },
    ],
  },
  {
    path: `${GATEWAY}/policy/release.ts`,
    tests: limits,
    edits: [
      {
        weakens: "policies judge again what people approved",
        find: "const judged = await judgeAgain(dependencies, connection, approval, releasable.value, date);",
        put: 'const judged = { kind: "Allowed", policies: [] };',
      },
      {
        weakens: "what policies refuse at the release is not let go",
        find: '    case "Rejected":\n      return reject(judged.reason);',
        put: '    case "Rejected":\n      await release(releasable.value, approval, people, []);\n      return approval;',
      },
      {
        weakens: "what may not be let go any more is rejected",
        find: "    await rejectSubject(connection, subject, { reason, date });\n",
        put: "",
        tests: ends,
      },
      {
        weakens: "what is asked further is on record",
        find: "      await updateAsked(connection, asked);\n",
        put: "",
      },
      {
        weakens: "what those who spoke have answered already is judged once more",
        find: "return releaseSubject(dependencies, connection, asked, people, date);\n",
        put: "return release(releasable.value, asked, people, []).then(() => asked);\n",
      },
      {
        weakens: "people who are asked further are told",
        find: "      await recordEvents(connection, [approvalPending(asked, await showSubject(connection, subject))]);\n",
        put: "",
      },
      {
        weakens: "a decision names the policies of both judgements",
        find: "policies: [...new Set([...decision.policies, ...judgedBy])]",
        put: "policies: decision.policies",
      },
    ],
  },
  {
    path: `${GATEWAY}/policy/withdraw-approval.ts`,
    tests: released,
    edits: [
      {
        weakens: "a withdrawal is on record where an orchestrator cannot take it back",
        find: "  await recordWithdrawal(connection, approval.id, date);\n",
        put: "",
        tests: [`${GATEWAY}/policy/denied-approvals.test.ts`],
      },
      {
        weakens: "people are told that an approval ended",
        find: "  await recordEvents(connection, [approvalResolved(withdrawn.value, shown)]);\n",
        put: "",
      },
    ],
  },
];

/** The service gathers coins in the name of who may ask for that. */
const SETTINGS_EDITS: readonly EditedFile[] = [
  {
    path: `${GATEWAY}/coin-gathering/settings.ts`,
    tests: gathering,
    edits: [
      {
        weakens: "who lets the service gather coins may change settings",
        find: 'readonly Need[] = ["Orgs:Settings:Update"];',
        put: "readonly Need[] = [];",
      },
      {
        weakens: "who lets the service gather coins may ask for it",
        find: "gathersCoins ? [...MAY_CHANGE_SETTINGS, MAY_CREATE.Transaction] : MAY_CHANGE_SETTINGS",
        put: "gathersCoins ? MAY_CHANGE_SETTINGS : MAY_CHANGE_SETTINGS",
      },
      {
        weakens: "settings change while nobody judges",
        find: "    await changeRights(connection, caller.orgId);\n",
        put: "",
      },
      {
        weakens: "settings are changed by who may at that moment",
        find: '    demand(await judgeStanding(connection, caller, "who asks for it", needsOfSettings(body)));\n',
        put: "",
      },
      {
        weakens: "what the service may do by itself is taken back",
        find: "body.gathersCoins ? requesterOf(caller) : undefined",
        put: "requesterOf(caller)",
      },
    ],
  },
  {
    path: `${GATEWAY}/coin-gathering/gather-coins.ts`,
    tests: gathering,
    edits: [
      {
        weakens: "rights stay as they are while a gathering is accepted",
        find: "  await holdRights(connection, orgId);\n",
        put: "",
      },
      {
        weakens: "what the service asks for says that it is the service's",
        find: "    isGathering: true,\n",
        put: "    isGathering: false,\n",
      },
      {
        weakens: "coins of a wallet are gathered once",
        find: " || !(await mayGatherCoins(connection, walletId))",
        put: "",
      },
    ],
  },
  {
    path: `${PLATFORM}/postgres/requests/coin-looks.ts`,
    tests: gathering,
    edits: [
      {
        weakens: "coins of an end user are not gathered",
        find: "          and o.${GATHERS_COINS_FOR} is not null and k.${k.delegatedTo} is null\n",
        put: "          and o.${GATHERS_COINS_FOR} is not null\n",
      },
      {
        weakens: "what is gathered already counts when it is decided",
        find: "  return under.length === 0;",
        put: "  return under.length >= 0;",
      },
    ],
  },
];

const principals = [`${PLATFORM}/postgres/people/principal.test.ts`];

/** A person's standing and rights, now. */
const PERSON_EDITS: readonly EditedFile[] = [
  {
    path: `${PLATFORM}/postgres/people/principal.ts`,
    tests: principals,
    edits: [
      {
        weakens: "a user that is deactivated is nobody",
        find: "`u.${u.isActive} and u.${u.dateArchived} is null\n",
        put: "`u.${u.dateArchived} is null\n",
      },
      {
        weakens: "a user that is archived is nobody",
        find: "`u.${u.isActive} and u.${u.dateArchived} is null\n",
        put: "`u.${u.isActive}\n",
      },
      {
        weakens: "an application that is deactivated acts no more",
        find: "(app.id is null or (app.${app.isActive} and app.${app.dateArchived} is null))",
        put: "(app.id is null or app.${app.dateArchived} is null)",
      },
      {
        weakens: "an application that is archived acts no more",
        find: "(app.id is null or (app.${app.isActive} and app.${app.dateArchived} is null))",
        put: "(app.id is null or app.${app.isActive})",
      },
      {
        weakens: "whatever acts as an application's user ends with the application",
        find: "    and not exists (select from applications o\n      where o.${app.userId} = u.id and not (o.${app.isActive} and o.${app.dateArchived} is null))`;",
        put: "`;",
      },
      {
        weakens: "somebody else's application gives nothing",
        find: "case when app.${app.userId} = u.id then app.id end",
        put: "app.id",
        tests: ends,
      },
      {
        weakens: "an archived permission gives nothing",
        find: " and not p.${p.isArchived}\n",
        put: "\n",
      },
      {
        weakens: "a token is its own user's",
        find: "t.id = $3 and t.${t.orgId} = u.${u.orgId} and t.${t.userId} = u.id",
        put: "t.id = $3 and t.${t.orgId} = u.${u.orgId}",
      },
      {
        weakens: "a token that is deactivated is none",
        find: "statementWhere(`t.${t.isActive} and t.${t.dateArchived} is null`)",
        put: "statementWhere(`t.${t.dateArchived} is null`)",
      },
      {
        weakens: "a token that is archived is none",
        find: "statementWhere(`t.${t.isActive} and t.${t.dateArchived} is null`)",
        put: "statementWhere(`t.${t.isActive}`)",
      },
      {
        weakens: "what was asked with a token that was deactivated since ends",
        find: "(t.${t.isActive} or t.kind = 'Token')",
        put: "true",
      },
      {
        weakens: "what was asked with a token that was archived since ends",
        find: "`t.${t.dateArchived} is null and (t.${t.isActive} or t.kind = 'Token')`",
        put: "`t.${t.isActive} or t.kind = 'Token'`",
      },
      {
        weakens: "a narrowed token gives no more than its own permissions",
        find: "return row.isNarrowed ? narrow(own, grant(row.tokenEverything, row.tokenOperations)) : own;",
        put: "return own;",
      },
      {
        weakens: "only the text that was issued last counts",
        find: "return Buffer.compare(row.tokenHash, hash) === 0;",
        put: "return hash.length > 0;",
      },
      {
        weakens: "a long-lived token has a row",
        find: "  if (isLasting) return false;\n",
        put: "",
      },
      {
        weakens: "a session ends where its user was logged out since",
        find: "return ended === undefined || Date.parse(dateIssued) > Date.parse(ended);",
        put: 'return ended === undefined || dateIssued !== "";',
      },
    ],
  },
];

/** The owner of each wallet, and the tags by which policies find it. */
const WALLET_EDITS: readonly EditedFile[] = [
  {
    path: `${GATEWAY}/wallet/change-wallet.ts`,
    tests: races,
    edits: [
      {
        weakens: "tags change before any row is locked, while nobody judges",
        find: "    await changeRights(connection, caller.orgId);\n",
        put: "",
      },
    ],
  },
  {
    path: `${GATEWAY}/key-passage/export.ts`,
    tests: [`${GATEWAY}/key-passage/export.test.ts`],
    edits: [
      {
        weakens: "policies and tags stay as they are while an export is judged",
        find: "    await holdRights(connection, orgId);\n",
        put: "",
      },
      {
        weakens: "a key gets no wallet while its export is judged",
        find: "    await holdKey(connection, keyId);\n",
        put: "",
      },
    ],
  },
  {
    path: `${GATEWAY}/wallet/visible-wallet.ts`,
    tests: endUser,
    edits: [
      {
        weakens: "a wallet is its organisation's",
        find: " && wallet.orgId === caller.orgId && ",
        put: " && ",
        tests: [`${GATEWAY}/wallet/wallets.test.ts`],
      },
      {
        weakens: "an end user sees its own wallets alone",
        find: " && isShownTo(caller, wallet.signingKey)\n",
        put: "\n",
      },
      {
        weakens: "an archived wallet pays nothing",
        find: '  return wallet.value.status === "Active"\n    ? ok(wallet.value)',
        put: "  return wallet.value.orgId === caller.orgId\n    ? ok(wallet.value)",
        tests: ends,
      },
      {
        weakens: "nobody pays with an end user's wallet but that one",
        find: "return judged.ok ? wallet : judged;",
        put: "return judged.ok ? wallet : wallet;",
        tests: ends,
      },
      {
        weakens: "who pays may use the wallet",
        find: "const wallet = await usableWallet(connection, caller, walletId);",
        put: "const wallet = await visibleWallet(connection, caller, walletId);",
        tests: ends,
      },
    ],
  },
];

/** A request that comes in behind another with its externalId leaves nothing. */
const ONCE_EDITS: readonly EditedFile[] = [
  ["chain-request/accept-request.ts", "chain request", "insertChainRequest"],
  ["signature/accept.ts", "signature", "insertSignature"],
].map(([path, what, insert]) => ({
  path: `${GATEWAY}/${path}`,
  tests: [`${GATEWAY}/policy/judged-once.test.ts`],
  edits: [
    {
      weakens: `a judgement goes on record beside the row of a ${what} alone (INV-8)`,
      find: `if (!(await ${insert}(connection, request))) return undefined;\n  await record();`,
      put: `await record();\n  if (!(await ${insert}(connection, request))) return undefined;`,
    },
  ],
}));

/** Rights, wallets and keys stay as they are from the judgement of a request to its end. */
export const RIGHT_EDITS: readonly EditedFile[] = [
  ...ONCE_EDITS,
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
      {
        weakens: "an archived key signs nothing",
        find: '  if (key.status !== "Active") return fail("KeyNotFound", { keyId: key.id });\n',
        put: "",
        tests: released,
      },
      {
        weakens: "an end user's key signs for nobody else",
        find: "return judgeKeyUser(key, requester.userId);",
        put: "return ok(key);",
        tests: released,
      },
      {
        weakens: "a key signs nothing that counts on another network of its since",
        find: "  if (sister !== undefined) {\n",
        put: "  if (sister === null) {\n",
        tests: [`${GATEWAY}/chain-request/xrpl.test.ts`],
      },
      {
        weakens: "bytes are read anew with all networks that the key has now",
        find: "request.requestBody, networks);",
        put: "request.requestBody, []);",
        tests: [`${GATEWAY}/chain-request/stellar.test.ts`],
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
        weakens: "a request that was replaced before is replaced by the right of the first",
        find: "    if (isWanted(replaced)) return replaced;\n",
        put: "    return replaced;\n",
        tests: [`${GATEWAY}/chain-request/transactions.test.ts`],
      },
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
    tests: approvers,
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
    path: `${GATEWAY}/user-group/members.ts`,
    tests: [`${GATEWAY}/user-group/governed-groups.test.ts`],
    edits: [
      {
        weakens: "a change of a group's members is a change of the policies that name it",
        find: 'activity: { kind: "Policies:Modify", policyIds },',
        put: 'activity: { kind: "Policies:Modify", policyIds: [] },',
      },
    ],
  },
  {
    path: `${GATEWAY}/user-group/named-by.ts`,
    tests: [`${GATEWAY}/user-group/governed-groups.test.ts`, `${GATEWAY}/policy/approvals-by-group.test.ts`],
    edits: [
      {
        weakens: "a group is guarded while something waits that names it",
        find: ", ...waiting])];",
        put: "])];",
      },
      {
        weakens: "members stay whom a quorum needs",
        find: "  return lost.length === 0\n",
        put: "  return lost.length >= 0\n",
      },
    ],
  },
  {
    path: `${GATEWAY}/policy/judge-again.ts`,
    tests: limits,
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
  ...RELEASE_EDITS,
  ...SETTINGS_EDITS,
  ...PERSON_EDITS,
  ...WALLET_EDITS,
];
