import {
  approvalIdSchema,
  CHAIN_REQUEST_STATUSES,
  CHANGE_REQUEST_STATUSES,
  type ChainRequestEvent,
  type ChangeRequestEvent,
  changeRequestIdSchema,
  decideApproval,
  decideChainRequest,
  decideChangeRequest,
  decideSignature,
  keyExportIdSchema,
  networkSchema,
  organisationIdSchema,
  SIGNATURE_STATUSES,
  type SignatureEvent,
  signatureIdSchema,
  transactionIdSchema,
  userIdSchema,
} from "@conclave/custody";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { freshId } from "../fresh-id.ts";
import { openLogins } from "../testing/index.ts";
import { sampleTransfer, UNDECIDED } from "../testing/sample-requests.ts";
import { sampleWallet, storeWallet } from "../testing/sample-wallet.ts";
import { insertKeyExport } from "./keys/key-exports.ts";
import { insertOrganisation } from "./people/organisations.ts";
import { insertChangeRequest, readChangeRequest } from "./policies/change-requests.ts";
import { insertApproval, readApproval } from "./policies/policy-approvals.ts";
import { insertChainRequest, readChainRequest } from "./requests/chain-requests.ts";
import { insertSignature, readSignature } from "./requests/signatures.ts";

const DATE = "2026-01-02T03:04:05.678Z";
const orgId = freshId(organisationIdSchema, "or");
const wallet = sampleWallet(orgId, { externalId: "guarded" });
const SEPOLIA = networkSchema.parse("EthereumSepolia");
const AUTHORISATION = { payload: Uint8Array.of(3), signature: new Uint8Array(64) };
const DECISION = { outcome: "Allowed", policies: [], date: DATE } as const;
const REFUSED = { code: "42501" };
/** The errors of a guard, and of a check that no row may violate: insufficient_privilege and check_violation. */
const refusalSchema = z.object({ code: z.enum(["42501", "23514"]) });

const { owner, orchestrator, close } = await openLogins();
beforeAll(async () => {
  await insertOrganisation(owner, { id: orgId, name: "Acme", dateCreated: DATE });
  await storeWallet(owner, wallet);
});
afterAll(close);

/** Sets a row to a status as its owner, and returns the other statuses to which the orchestrators' login may change it. */
const allowedFrom = async (
  table: string,
  id: string,
  arrange: string,
  statuses: readonly string[],
): Promise<readonly string[]> => {
  const allowed: string[] = [];
  for (const status of statuses) {
    await owner.execute(`update ${table} set ${arrange} where id = $1`, [id]);
    const update = `update ${table} set status = $2 where id = $1`;
    const changed = await orchestrator.execute(update, [id, status]).catch((error: unknown) => {
      refusalSchema.parse(error);
      return 0;
    });
    if (changed === 1) allowed.push(status);
  }
  return allowed;
};

/** The statuses, other than `from`, to which a decision leads. */
const others = (from: string, decided: readonly (string | undefined)[]): readonly string[] =>
  [...new Set(decided)].filter((status): status is string => status !== undefined && status !== from);

const transfer = sampleTransfer(wallet, UNDECIDED);

/** Events of a chain request, except those of the gateway, which authorises, aborts and replaces. */
const CHAIN_EVENTS: readonly ChainRequestEvent[] = [
  { kind: "Rejected", date: DATE, reason: "nobody approved it in time" },
  { kind: "Begun" },
  {
    kind: "Built",
    sequence: 7n,
    exclusion: Uint8Array.of(7),
    unsignedTransaction: Uint8Array.of(2),
    details: {},
  },
  {
    kind: "Adopted",
    sequence: 8n,
    exclusion: Uint8Array.of(8),
    unsignedTransaction: Uint8Array.of(2),
    details: {},
  },
  { kind: "Waiting", reason: "waits" },
  {
    kind: "Signed",
    unsignedTransaction: Uint8Array.of(2),
    signedTransaction: Uint8Array.of(4),
    txHash: "0x01",
  },
  { kind: "LandedAs", signedTransaction: Uint8Array.of(5), txHash: "0x03" },
  {
    kind: "LandedVersion",
    sequence: 7n,
    exclusion: Uint8Array.of(7),
    unsignedTransaction: Uint8Array.of(6),
    details: {},
    signedTransaction: Uint8Array.of(5),
    txHash: "0x03",
  },
  { kind: "RefusedForGood", reason: "its gas limit is above that of every block" },
  { kind: "Broadcasted", date: DATE },
  { kind: "Died" },
  { kind: "Reinstated", from: freshId(transactionIdSchema, "tx") },
  { kind: "Confirmed", date: DATE, fee: "1", blockNumber: 1n, blockHash: "0x02" },
  { kind: "Reorganised", date: DATE },
  { kind: "Failed", date: DATE, reason: "so" },
];
const ALL_EVENTS: Readonly<Record<ChainRequestEvent["kind"], "orchestrator" | "gateway">> = {
  Authorised: "gateway",
  Aborted: "gateway",
  Replaced: "gateway",
  NotBumped: "gateway",
  Rejected: "orchestrator",
  Begun: "orchestrator",
  Built: "orchestrator",
  Adopted: "orchestrator",
  Waiting: "orchestrator",
  Signed: "orchestrator",
  LandedAs: "orchestrator",
  LandedVersion: "orchestrator",
  RefusedForGood: "orchestrator",
  Broadcasted: "orchestrator",
  Died: "orchestrator",
  Reinstated: "orchestrator",
  Confirmed: "orchestrator",
  Reorganised: "orchestrator",
  Failed: "orchestrator",
};

/** The possible rows in each status: only authorised requests are worked on, and every transaction on a chain was signed. */
const CHAIN_ROWS = CHAIN_REQUEST_STATUSES.flatMap((status) => {
  const isSent = status === "Broadcasted" || status === "Confirmed";
  const isOver = status === "Failed" || status === "Rejected";
  return [
    ...(status === "Pending" || isOver ? [{ status, isAuthorised: false, isSigned: false }] : []),
    ...(isSent ? [] : [{ status, isAuthorised: true, isSigned: false }]),
    ...(isSent || status === "Executing" || status === "Failed"
      ? [{ status, isAuthorised: true, isSigned: true }]
      : []),
  ];
});

describe("INV-8 the login of orchestrators takes a chain request where the state machine takes it, and nowhere else", () => {
  beforeAll(() => insertChainRequest(owner, transfer));

  it("by every event that orchestrators may apply", () => {
    const theirs = Object.entries(ALL_EVENTS).flatMap(([kind, whose]) =>
      whose === "orchestrator" ? [kind] : [],
    );
    expect(CHAIN_EVENTS.map(({ kind }) => kind).sort()).toEqual(theirs.sort());
  });

  it.each(CHAIN_ROWS)("from $status, authorised $isAuthorised, signed $isSigned", async (row) => {
    const { status, isAuthorised, isSigned } = row;
    const authorised = isAuthorised
      ? `authorisation = '\\x03', authorisation_signature = '\\x04', policy_decision = '${JSON.stringify(DECISION)}'`
      : "authorisation = null, authorisation_signature = null, policy_decision = null";
    const signed = isSigned
      ? "unsigned_transaction = '\\x02', signed_transaction = '\\x04', tx_hash = '0x01'"
      : "unsigned_transaction = null, signed_transaction = null, tx_hash = null";
    const arrange = `status = '${status}', ${authorised}, ${signed}`;
    const allowed = await allowedFrom("chain_requests", transfer.id, arrange, CHAIN_REQUEST_STATUSES);
    await owner.execute(`update chain_requests set ${arrange} where id = $1`, [transfer.id]);
    const request = (await readChainRequest(owner, transfer.id)) ?? expect.fail("no request");
    // a request dies only by the authority's statement: signed-requests.test.ts
    const decided = CHAIN_EVENTS.filter(({ kind }) => kind !== "Died").map((event) => {
      const decision = decideChainRequest(request, event);
      return decision.ok ? decision.value.request.status : undefined;
    });
    expect([...allowed].filter((each) => each !== status).sort()).toEqual(
      [...others(status, decided)].sort(),
    );
  });

  it("and can neither abort a request nor take an abort back", async () => {
    const abort = "date_aborted = now(), status = 'Executing', authorisation = '\\x03'";
    await owner.execute(`update chain_requests set ${abort} where id = $1`, [transfer.id]);
    for (const date of ["null", "now() + interval '1 day'"]) {
      const update = `update chain_requests set date_aborted = ${date} where id = $1`;
      await expect(orchestrator.execute(update, [transfer.id])).rejects.toMatchObject(REFUSED);
    }
  });
});

const signature = {
  id: freshId(signatureIdSchema, "sig"),
  orgId,
  keyId: wallet.keyId,
  walletId: wallet.id,
  network: SEPOLIA,
  requester: wallet.requester,
  requestBody: { kind: "Hash", hash: "ab".repeat(32) },
  externalId: undefined,
  status: "Pending",
  reason: undefined,
  approvalId: undefined,
  policyDecision: undefined,
  authorisation: undefined,
  signature: undefined,
  signedData: undefined,
  dateRequested: DATE,
  datePolicyResolved: undefined,
  dateSigned: undefined,
} as const;
const word = `0x${"01".repeat(32)}`;
const SIGNATURE_EVENTS: readonly Exclude<SignatureEvent, { readonly kind: "Authorised" }>[] = [
  { kind: "Rejected", date: DATE, reason: "nobody approved it in time" },
  { kind: "Begun" },
  { kind: "Waiting", reason: "waits" },
  {
    kind: "Signed",
    date: DATE,
    signature: { r: word, s: word, encoded: `0x${"01".repeat(64)}` },
    signedData: undefined,
  },
  { kind: "Failed", date: DATE, reason: "so" },
];
const SIGNATURE_ROWS = SIGNATURE_STATUSES.flatMap((status) => [
  ...(status === "Executing" || status === "Signed" ? [] : [{ status, isAuthorised: false }]),
  { status, isAuthorised: true },
]);

describe("INV-8 the login of orchestrators takes a signature where the state machine takes it, and nowhere else", () => {
  beforeAll(() => insertSignature(owner, signature));

  it.each(SIGNATURE_ROWS)("from $status, authorised $isAuthorised", async ({ status, isAuthorised }) => {
    const authorised = isAuthorised
      ? `authorisation = '\\x03', authorisation_signature = '\\x04', policy_decision = '${JSON.stringify(DECISION)}'`
      : "authorisation = null, authorisation_signature = null, policy_decision = null";
    const arrange = `status = '${status}', ${authorised}`;
    const allowed = await allowedFrom("signatures", signature.id, arrange, SIGNATURE_STATUSES);
    await owner.execute(`update signatures set ${arrange} where id = $1`, [signature.id]);
    const request = (await readSignature(owner, signature.id)) ?? expect.fail("no signature");
    const decided = SIGNATURE_EVENTS.map((event) => {
      const decision = decideSignature(request, event);
      return decision.ok ? decision.value.signature.status : undefined;
    });
    expect([...allowed].filter((each) => each !== status).sort()).toEqual(
      [...others(status, decided)].sort(),
    );
  });
});

describe("INV-8 the login of orchestrators may end approvals and change requests only when they are late", () => {
  const approval = {
    id: freshId(approvalIdSchema, "ap"),
    orgId,
    initiatorId: freshId(userIdSchema, "us"),
    activityKind: "Wallets:Sign",
    subject: { kind: "transfer", id: transfer.id },
    status: "Pending",
    groups: [],
    evaluations: [],
    decisions: [],
    expirationDate: DATE,
    dateCreated: DATE,
    dateUpdated: DATE,
    dateResolved: undefined,
    dateWithdrawn: undefined,
  } as const;
  const change = {
    id: freshId(changeRequestIdSchema, "cr"),
    orgId,
    kind: "Policy",
    operationKind: "Update",
    status: "Pending",
    requester: wallet.requester,
    entityId: "plc-1",
    body: {},
    approvalId: approval.id,
    reason: undefined,
    dateCreated: DATE,
    dateResolved: undefined,
  } as const;
  beforeAll(async () => {
    await insertApproval(owner, approval);
    await insertChangeRequest(owner, change);
  });

  it.each(["Pending", "Approved", "Denied", "Expired"] as const)("an approval that is %s", async (status) => {
    const statuses = ["Pending", "Approved", "Denied", "Expired"];
    const allowed = await allowedFrom("policy_approvals", approval.id, `status = '${status}'`, statuses);
    await owner.execute(`update policy_approvals set status = '${status}' where id = $1`, [approval.id]);
    const read = (await readApproval(owner, orgId, approval.id)) ?? expect.fail("no approval");
    const expired = decideApproval(read, { kind: "Expired", date: DATE });
    const decided = others(status, [expired.ok ? expired.value.status : undefined]);
    expect(allowed.filter((each) => each !== status)).toEqual(decided);
  });

  it("and never its withdrawal, nor when it expires", async () => {
    for (const column of ["date_withdrawn", "date_expires"]) {
      await expect(
        orchestrator.execute(`update policy_approvals set ${column} = null`),
      ).rejects.toMatchObject(REFUSED);
    }
  });

  it.each(CHANGE_REQUEST_STATUSES)("a change request that is %s", async (status) => {
    const arrange = `status = '${status}'`;
    const allowed = await allowedFrom("change_requests", change.id, arrange, CHANGE_REQUEST_STATUSES);
    await owner.execute(`update change_requests set ${arrange} where id = $1`, [change.id]);
    const read = (await readChangeRequest(owner, change.id)) ?? expect.fail("no change request");
    // only the gateway applies a change, or finds that it can no longer be applied
    const rejection: ChangeRequestEvent = { kind: "Rejected", date: DATE, reason: "late" };
    const decided = decideChangeRequest(read, rejection);
    expect(allowed.filter((each) => each !== status)).toEqual(
      others(status, [decided.ok ? decided.value.status : undefined]),
    );
  });
});

describe("the login of orchestrators settles an export once", () => {
  const id = freshId(keyExportIdSchema, "kex");
  const statuses = ["Pending", "Done", "Failed"];
  beforeAll(() =>
    insertKeyExport(owner, {
      id,
      orgId,
      keyId: wallet.keyId,
      requester: wallet.requester,
      authorisation: AUTHORISATION,
      dateRequested: DATE,
    }),
  );

  it.each([
    ["Pending", statuses],
    ["Done", ["Done"]],
    ["Failed", ["Failed"]],
  ])("from %s", async (status, expected) => {
    expect(await allowedFrom("key_exports", id, `status = '${status}'`, statuses)).toEqual(expected);
  });

  it("and does not put back shares that the client has received", async () => {
    await owner.execute("update key_exports set status = 'Done', shares = null where id = $1", [id]);
    const update = `update key_exports set shares = '[]' where id = $1`;
    await expect(orchestrator.execute(update, [id])).rejects.toMatchObject(REFUSED);
    const [row] = await owner.rows(z.object({ shares: z.unknown() }), "select shares from key_exports");
    expect(row?.shares).toBeNull();
  });
});
