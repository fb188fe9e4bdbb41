import type { EvmNetwork } from "@conclave/chains/evm";
import { SEPOLIA, TEST_SECRET_KEY, testAccount } from "@conclave/chains/testing";
import {
  addressWatchIdSchema,
  approvalIdSchema,
  networkSchema,
  newWebhook,
  type OrganisationId,
  organisationIdSchema,
  policyBodySchema,
  policyIdSchema,
  userIdSchema,
  webhookIdSchema,
} from "@conclave/custody";
import {
  changeKey,
  type Database,
  dueChainRequest,
  enqueue,
  freshId,
  insertAddressWatch,
  insertApproval,
  insertChainRequest,
  insertEvaluations,
  insertOrganisation,
  insertPolicy,
  insertWebhook,
  makeLogger,
  makeWebhookSecret,
  makeWebhookSecrets,
  openDatabase,
  readNewestKeys,
  walletsAt,
  watchesAt,
} from "@conclave/platform";
import {
  freshDatabase,
  markRows,
  orchestratorLogin,
  type Sweep,
  sampleTransfer,
  sampleWallet,
  storeWallet,
  sweepsThatStop,
  UNDECIDED,
} from "@conclave/platform/testing";
import { processWorld } from "@conclave/platform/world";
import { Secret } from "@conclave/threshold";
import { afterAll, beforeAll, expect, it } from "vitest";
import { expireApprovals } from "./approvals.ts";
import { settleLeftoverShares } from "./keys/leftover-shares.ts";
import { Leftovers } from "./keys/leftovers.ts";
import { makeWaitNotes } from "./queue/note-waiting.ts";
import { FakeSigners } from "./testing/fake-signers.ts";
import { startDeliveries } from "./webhook-deliveries.ts";

const DATE = "2026-01-02T03:04:05.678Z";
const LATER = "2026-01-02T04:04:05.678Z";
const NETWORK = networkSchema.parse(SEPOLIA.network);
const ENTRY: EvmNetwork = { ...SEPOLIA, rpcUrl: "http://127.0.0.1:9", confirmations: 1 };
const ACCOUNT = testAccount(TEST_SECRET_KEY);
const secrets = makeWebhookSecrets(new Secret(new Uint8Array(32).fill(1)));
const logger = makeLogger({ name: "orchestrator", level: "silent" });
const WATCHED = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";

/** The records of an organisation that an orchestrator processes without a caller. */
interface Things {
  readonly orgId: OrganisationId;
  readonly key: string;
  readonly wallet: string;
  /** waits for an overdue approval */
  readonly asked: string;
  readonly approval: string;
  /** waits behind an earlier request of its wallet */
  readonly behind: string;
  readonly webhook: string;
  readonly url: string;
}

let ownerUrl: string;
let owner: Database;
let orchestrator: Database;
let spoilt: Things;
let sound: Things;
const both = () => [spoilt, sound];
const exists = async (text: string, values: readonly unknown[]): Promise<boolean> =>
  (await owner.execute(text, values)) > 0;

const makeApproval = async (orgId: OrganisationId, transfer: ReturnType<typeof sampleTransfer>) => {
  const policyId = freshId(policyIdSchema, "plc");
  const body = policyBodySchema.parse({
    name: "all",
    activityKind: "Wallets:Sign",
    rule: { kind: "AlwaysTrigger" },
    action: { kind: "RequestApproval", approvalGroups: [{ quorum: 1, approvers: {} }], autoRejectTimeout: 5 },
  });
  const dates = { dateCreated: DATE, dateUpdated: DATE };
  await insertPolicy(owner, { id: policyId, orgId, status: "Active", body, ...dates });
  const evaluations = [{ policyId, triggered: true, reason: "the policy always triggers" }];
  await insertEvaluations(owner, { orgId, id: transfer.id }, evaluations, DATE);
  const id = freshId(approvalIdSchema, "ap");
  await insertApproval(owner, {
    id,
    orgId,
    initiatorId: freshId(userIdSchema, "us"),
    activityKind: "Wallets:Sign",
    subject: { kind: "transfer", id: transfer.id },
    status: "Pending",
    groups: [{ policyId, quorum: 1, approvers: {} }],
    evaluations,
    decisions: [],
    expirationDate: DATE,
    ...dates,
    dateResolved: undefined,
    dateWithdrawn: undefined,
  });
  return id;
};

const makeThings = async (): Promise<Things> => {
  const orgId = freshId(organisationIdSchema, "or");
  await insertOrganisation(owner, { id: orgId, name: "Acme", dateCreated: DATE });
  const wallet = sampleWallet(orgId);
  await storeWallet(owner, wallet);
  await owner.transaction((connection) =>
    changeKey(connection, wallet.keyId, {
      kind: "Activated",
      publicKey: Buffer.from(ACCOUNT.publicKey).toString("hex"),
      addresses: new Map([[NETWORK, ACCOUNT.address]]),
      date: DATE,
    }),
  );
  await insertAddressWatch(owner, {
    id: freshId(addressWatchIdSchema, "aw"),
    orgId,
    network: NETWORK,
    address: WATCHED,
    name: undefined,
    externalId: undefined,
    status: "Active",
    dateCreated: DATE,
    dateActivated: DATE,
    dateDeleted: undefined,
  });
  const asked = sampleTransfer(wallet, UNDECIDED);
  await insertChainRequest(owner, asked);
  const approval = await makeApproval(orgId, asked);
  const line = [sampleTransfer(wallet), sampleTransfer(wallet)];
  for (const transfer of line) {
    await insertChainRequest(owner, transfer);
    await owner.transaction((connection) => enqueue(connection, dueChainRequest(transfer, wallet.id)));
  }
  const ids = { id: freshId(webhookIdSchema, "wh"), orgId };
  const webhook = newWebhook(ids, { url: `http://${ids.id}/`, events: ["*"] }, DATE);
  await insertWebhook(owner, webhook, secrets.seal(webhook.id, makeWebhookSecret(processWorld.entropy)));
  return {
    orgId,
    key: wallet.keyId,
    wallet: wallet.id,
    asked: asked.id,
    approval,
    behind: line[1]?.id ?? expect.fail(),
    webhook: webhook.id,
    url: webhook.url,
  };
};

beforeAll(async () => {
  ownerUrl = await freshDatabase();
  owner = openDatabase({ url: ownerUrl, name: "owner" });
  const url = await orchestratorLogin(ownerUrl);
  await markRows(owner);
  orchestrator = openDatabase({ url, name: "orchestrator" });
  spoilt = await makeThings();
  sound = await makeThings();
});
afterAll(async () => {
  await Promise.all([owner.close(), orchestrator.close()]);
});

const expiry: Sweep = {
  name: "approvals expire",
  tables: ["policy_approvals", "policy_evaluations", "policy_approval_decisions", "chain_requests"],
  prepare: async () => {
    for (const { asked, approval } of both()) {
      await owner.execute("update policy_approvals set status = 'Pending' where id = $1", [approval]);
      await owner.execute("update chain_requests set status = 'Pending' where id = $1", [asked]);
    }
  },
  run: async () => {
    await expireApprovals(orchestrator, LATER, logger);
  },
  isDone: async () =>
    (await exists("select from policy_approvals where id = $1 and status = 'Expired'", [sound.approval])) &&
    (await exists("select from chain_requests where id = $1 and status = 'Rejected'", [sound.asked])),
};

const waitNotes: Sweep = {
  name: "requests tell why they wait",
  tables: ["chain_requests"],
  prepare: async () => {
    await owner.execute("update due_requests set is_told = false");
    for (const { behind } of both()) {
      await owner.execute("update chain_requests set status = 'Pending', reason = null where id = $1", [
        behind,
      ]);
    }
  },
  run: async () => {
    await makeWaitNotes(orchestrator, () => undefined, logger)();
  },
  isDone: () => exists("select from chain_requests where id = $1 and status = 'Executing'", [sound.behind]),
};

let newest: readonly string[] = [];
const presigning: Sweep = {
  name: "keys are found to presign for",
  tables: ["keys"],
  prepare: async () => {
    newest = [];
  },
  run: async () => {
    newest = await readNewestKeys(orchestrator, 10);
  },
  isDone: async () => newest.includes(sound.key),
};

const signers = new FakeSigners(1, ACCOUNT, ENTRY);
const [signer = expect.fail()] = signers.signers;
const shares: Sweep = {
  name: "shares that are left pending are settled",
  tables: ["keys"],
  prepare: async () => {
    // whichever is looked at first
    for (const { key } of [...both(), spoilt]) {
      signer.store.keys.set(key, { publicKey: ACCOUNT.publicKey, state: "pending" });
    }
  },
  run: async () => {
    const live = { all: () => [signer], live: () => [signer.index] };
    await settleLeftoverShares({ database: orchestrator, signers: live, logger }, new Leftovers("pending"));
  },
  isDone: async () => signer.store.keys.get(sound.key)?.state === "active",
};

const sent = new Set<string>();
const deliveries: Sweep = {
  name: "events are delivered to webhooks",
  tables: ["webhooks", "webhook_events"],
  prepare: async () => {
    sent.clear();
    await owner.execute("delete from webhook_deliveries");
    for (const { orgId, webhook } of both()) {
      await owner.execute(
        `insert into webhook_deliveries (webhook_id, org_id, kind, data, date, date_due)
         values ($1, $2, 'wallet.created', '{}', $3, $3)`,
        [webhook, orgId, DATE],
      );
    }
  },
  run: async () => {
    let over = (): void => undefined;
    const passed = new Promise<void>((resolve) => {
      over = resolve;
    });
    const running = startDeliveries({
      database: orchestrator,
      secrets,
      world: processWorld,
      logger,
      send: async (url) => {
        sent.add(url);
        if (url === sound.url) over();
        return { kind: "answered", status: 200 };
      },
    });
    const late = new AbortController();
    await Promise.race([passed, processWorld.sleep(5_000, late.signal)]);
    late.abort();
    await running.stop();
  },
  isDone: async () => sent.has(sound.url),
};

let paid: readonly string[] = [];
const deposits: Sweep = {
  name: "wallets are found that something came to",
  tables: ["wallets"],
  prepare: async () => {
    paid = [];
  },
  run: async () => {
    paid = (await walletsAt(orchestrator, NETWORK, [ACCOUNT.address])).map(({ walletId }) => walletId);
  },
  isDone: async () => paid.includes(sound.wallet),
};

let watching: readonly string[] = [];
const addressWatches: Sweep = {
  name: "watches are found of whose addresses something moved",
  tables: ["address_watches"],
  prepare: async () => {
    watching = [];
  },
  run: async () => {
    watching = (await watchesAt(orchestrator, NETWORK, [WATCHED])).map(({ orgId }) => orgId);
  },
  isDone: async () => watching.includes(sound.orgId),
};

const SWEEPS = [expiry, waitNotes, presigning, shares, deliveries, deposits, addressWatches];

it.each(SWEEPS)("INV-5 $name", async ({ prepare, run, isDone }) => {
  await prepare();
  await run();
  expect(await isDone()).toBe(true);
});

it("INV-5 an orchestrator's own work goes on for others while a record of one organisation cannot be read", async () => {
  expect(await sweepsThatStop(ownerUrl, SWEEPS, spoilt.orgId)).toEqual([]);
}, 300_000);
