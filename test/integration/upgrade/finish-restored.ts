// Waits until everything that was unfinished in the cluster of version 0.1 has ended.
import assert from "node:assert/strict";
import { createPublicKey, verify } from "node:crypto";
import { readFileSync } from "node:fs";
import { tokenIdSchema } from "@conclave/custody";
import { freshId, openDatabase } from "@conclave/platform";
import { type ApiTransfer, type Cluster, CustodyApi, issueClusterToken, waitUntil } from "@conclave/testbed";
import { recoverAddress, Transaction, verifyMessage, verifyTypedData } from "ethers";
import { z } from "zod";
import type { WebhookReceiver } from "../../compat/operations/webhook-receiver.ts";
import { PATIENCE_MS } from "../patience.ts";
import type { Manifest } from "./kept-cluster.ts";

const TOKEN_LIFETIME_S = 600;

type Money = Manifest["requests"]["queued"];
type Signature = Manifest["requests"]["typedData"];

/** A restarted cluster, with the list of what was unfinished in it. */
export interface Restored {
  readonly cluster: Cluster;
  readonly manifest: Manifest;
  readonly receivers: Readonly<Record<keyof Manifest["webhooks"], WebhookReceiver>>;
}

const signedSchema = z.object({
  status: z.string(),
  signature: z.object({ encoded: z.string() }).optional(),
});
const typedSchema = z.object({
  types: z.record(z.string(), z.array(z.object({ name: z.string(), type: z.string() }))),
  domain: z.record(z.string(), z.unknown()),
  message: z.record(z.string(), z.unknown()),
});
const messageSchema = z.object({ message: z.string() });
const hashSchema = z.object({ hash: z.string() });
const transactionSchema = z.object({ transaction: z.string() });
const settledSchema = z.object({ status: z.string(), problem: z.object({ code: z.string() }).nullable() });
const policySchema = z.object({ name: z.string() });
const approvalSchema = z.object({ status: z.string() });

const bytesOf = (hex: string): Buffer => Buffer.from(hex.replace(/^0x/, ""), "hex");

/** The API with an access token of an approver. */
const apiOf = async (cluster: Cluster, { orgId }: Manifest, { userId }: Manifest["approvers"][number]) => {
  const caller = { orgId, userId, tokenId: freshId(tokenIdSchema, "to") };
  const times = { issuedAt: new Date(), lifetimeSeconds: TOKEN_LIFETIME_S };
  const token = await issueClusterToken(cluster.layout, cluster.description.clusterId, caller, times);
  return new CustodyApi(cluster.description.api.url, token);
};

const approve = async (api: CustodyApi, approvalId: string): Promise<string> => {
  const path = `/v2/policy-approvals/${approvalId}/decisions`;
  const { status, body } = await api.send("POST", path, { value: "Approved" });
  assert.equal(status, 200, JSON.stringify(body));
  return approvalSchema.parse(body).status;
};

/** The landed transaction of a request. */
const landed = async (cluster: Cluster, { status, txHash }: ApiTransfer): Promise<Transaction> => {
  assert.equal(status, "Confirmed");
  assert(txHash !== undefined);
  return Transaction.from(await cluster.chain.rawTransaction(txHash));
};

const confirmed = async (
  cluster: Cluster,
  { id, walletId, to, amount, nonce }: Money,
): Promise<Transaction> => {
  const transaction = await landed(cluster, await cluster.api.confirmed({ id, walletId }, PATIENCE_MS));
  assert.equal(await cluster.chain.balance(to), BigInt(amount));
  if (nonce !== undefined) assert.equal(transaction.nonce, nonce);
  return transaction;
};

const signed = (cluster: Cluster, { id, walletId }: Pick<Signature, "id" | "walletId">): Promise<string> =>
  waitUntil(
    async () => {
      const { body } = await cluster.api.send("GET", `/wallets/${walletId}/signatures/${id}`);
      return signedSchema.parse(body).signature?.encoded;
    },
    { what: `signature ${id}`, deadlineMs: PATIENCE_MS, pollMs: 50 },
  );

/**
 * Waits for a wallet whose key generation had not begun: it becomes Active, or Failed if the orchestrator looked for the
 * signers before all were up. The API does not show failed wallets, so this reads the row.
 */
const settledWallet = async ({ api, layout }: Cluster, walletId: string): Promise<void> => {
  const database = openDatabase({ url: readFileSync(layout.databaseUrl, "utf8"), name: "restored" });
  const [sql, row] = ["select status, problem from wallets where id = $1", settledSchema];
  try {
    const { status, problem } = await waitUntil(
      async () => {
        const [wallet] = await database.rows(row, sql, [walletId]);
        return wallet === undefined || wallet.status === "Creating" ? undefined : wallet;
      },
      { what: "the wallet that was in the making", deadlineMs: PATIENCE_MS, pollMs: 50 },
    );
    const shown = await api.send("GET", `/wallets/${walletId}`);
    const isFine =
      status === "Active"
        ? shown.status === 200
        : problem?.code === "SignersUnavailable" && shown.status === 404;
    assert(isFine, JSON.stringify({ status, problem, shown }));
  } finally {
    await database.close();
  }
};

const isOut = ({ status }: { readonly status: string }): boolean => status === "Broadcasted";
const isSettled = ({ status }: { readonly status: string }): boolean =>
  status === "Confirmed" || status === "Failed" || status === "Rejected";
const messageOf = ({ body }: Signature): Buffer => bytesOf(messageSchema.parse(body).message);

const statusOf = async (
  { cluster: { api } }: Restored,
  { id, walletId }: Pick<Money, "id" | "walletId">,
): Promise<ApiTransfer["status"]> => (await api.readTransfer(walletId, id)).status;

/** Checks that requests which had ended before the restore, or which wait for approvals, are unchanged. */
const asItWas = async (restored: Restored): Promise<void> => {
  const { cluster, manifest } = restored;
  const { api } = cluster;
  const { wallets, requests } = manifest;
  assert.equal(cluster.description.clusterId, manifest.clusterId);
  for (const { id, address } of Object.values(wallets)) {
    const { status, body } = await api.send("GET", `/wallets/${id}`);
    assert.equal(status, 200);
    assert.equal(z.object({ address: z.string().optional() }).parse(body).address, address);
  }
  assert.equal(await statusOf(restored, requests.confirmed), "Confirmed");
  assert.equal(await statusOf(restored, requests.undecided), "Pending");
  assert.equal(await statusOf(restored, requests.halfDecided), "Pending");
};

/** Checks that the speed-up lands, and that the replaced request fails and names it. */
const speedUpSettled = async (restored: Restored): Promise<void> => {
  const { cluster, manifest } = restored;
  const { api, chain } = cluster;
  const { wallets, requests } = manifest;
  // blocks are held back until both transactions of one nonce are out, so that the faster one wins
  await api.followTransaction(requests.speedUp, isOut, PATIENCE_MS);
  await chain.releaseBlocks();
  const [won, lost] = await Promise.all([
    api.followTransaction(requests.speedUp, isSettled, PATIENCE_MS),
    api.follow(requests.broadcasted, ({ status }) => status === "Failed", PATIENCE_MS),
  ]);
  assert.equal(won.status, "Confirmed");
  assert(lost.reason?.includes(won.id), lost.reason);
  assert.equal(await chain.balance(requests.broadcasted.to), BigInt(requests.broadcasted.amount));
  assert(wallets.stuck.address !== undefined);
  assert.equal(await chain.transactionCount(wallets.stuck.address), 1);
};

/** Checks that a transaction which was built but not signed lands byte for byte, and so do the ones behind it. */
const builtConfirmed = async (restored: Restored): Promise<void> => {
  const { cluster, manifest } = restored;
  const { api, chain } = cluster;
  const { wallets, requests } = manifest;
  const built = await confirmed(cluster, requests.built);
  assert.equal(built.unsignedSerialized, requests.built.unsignedTransaction);
  const token = await landed(cluster, await api.confirmed(requests.builtToken, PATIENCE_MS));
  assert.equal(token.unsignedSerialized, requests.builtToken.unsignedTransaction);
  const { contract, to, amount } = requests.builtToken;
  assert.equal(await chain.tokenBalance(contract, to), BigInt(amount));
  const call = await landed(cluster, await api.followTransaction(requests.builtCall, isSettled, PATIENCE_MS));
  assert.equal(call.unsignedSerialized, requests.builtCall.unsignedTransaction);
  assert.equal(await chain.balance(requests.builtCall.to), BigInt(requests.builtCall.amount));
  const behind = [await confirmed(cluster, requests.behind), await confirmed(cluster, requests.queued)];
  assert.deepEqual(behind.map(({ nonce }) => nonce).sort(), [3, 4]);
  assert(wallets.treasury.address !== undefined);
  assert.equal(await chain.transactionCount(wallets.treasury.address), 5);
};

/** Checks every requested signature with another library. */
const signaturesMade = async (restored: Restored): Promise<void> => {
  const { cluster, manifest } = restored;
  const { wallets, requests } = manifest;
  const typed = typedSchema.parse(requests.typedData.body);
  const { EIP712Domain: _, ...types } = typed.types;
  const byTyped = verifyTypedData(
    typed.domain,
    types,
    typed.message,
    await signed(cluster, requests.typedData),
  );
  assert.equal(byTyped, wallets.treasury.address);
  for (const request of [requests.signed, requests.message]) {
    const by = verifyMessage(messageOf(request), await signed(cluster, request));
    assert.equal(by, wallets.treasury.address);
  }
  const x = bytesOf(wallets.edwards.publicKey).toString("base64url");
  const edwards = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  const made = bytesOf(await signed(cluster, requests.edwardsMessage));
  assert(verify(null, messageOf(requests.edwardsMessage), edwards, made));
  const { hash } = hashSchema.parse(requests.hash.body);
  assert.equal(recoverAddress(hash, await signed(cluster, requests.hash)), wallets.treasury.address);
  const unsent = Transaction.from(transactionSchema.parse(requests.unsent.body).transaction);
  const byUnsent = recoverAddress(unsent.unsignedHash, await signed(cluster, requests.unsent));
  assert.equal(byUnsent, wallets.treasury.address);
};

/** Checks that requests which wait for approvals continue once they are approved. */
const approvalsDecided = async (restored: Restored): Promise<void> => {
  const { cluster, manifest } = restored;
  const { api } = cluster;
  const { wallets, requests, approvers } = manifest;
  const [alice, bob] = await Promise.all(approvers.map((approver) => apiOf(cluster, manifest, approver)));
  assert(alice !== undefined && bob !== undefined);
  assert.equal(await approve(bob, requests.halfDecided.approvalId), "Approved");
  for (const { approvalId } of [requests.undecided, requests.undecidedSignature, requests.change]) {
    assert.equal(await approve(alice, approvalId), "Pending");
    assert.equal(await approve(bob, approvalId), "Approved");
  }
  await confirmed(cluster, requests.halfDecided);
  await confirmed(cluster, requests.undecided);
  const guarded = verifyMessage(
    messageOf(requests.undecidedSignature),
    await signed(cluster, requests.undecidedSignature),
  );
  assert.equal(guarded, wallets.guarded.address);
  const { body: policy } = await api.send("GET", `/v2/policies/${requests.change.policyId}`);
  assert.equal(policySchema.parse(policy).name, requests.change.name);
};

/** Checks that waiting events reach their webhooks. */
const eventsDelivered = async (restored: Restored): Promise<void> => {
  const { manifest, receivers } = restored;
  const { webhooks } = manifest;
  for (const name of ["all", "failing"] as const) {
    const { secret, waiting } = webhooks[name];
    const heard = () => receivers[name].events(secret);
    const isHeard = ({ kind, entity }: (typeof waiting)[number]): boolean =>
      heard().some((event) => event.kind === kind && JSON.stringify(event.data).includes(entity));
    await waitUntil(() => (waiting.every(isHeard) ? true : undefined), {
      what: () => `the events of webhook ${name} that waited; it heard ${JSON.stringify(heard())}`,
      deadlineMs: PATIENCE_MS,
    });
  }
};

/** Checks that ended requests are unchanged. */
const endedUnchanged = async (restored: Restored): Promise<void> => {
  const { cluster, manifest } = restored;
  const { requests } = manifest;
  assert.equal(await statusOf(restored, requests.confirmed), "Confirmed");
  await confirmed(cluster, requests.confirmed);
  assert.deepEqual(
    [await statusOf(restored, requests.failed), await statusOf(restored, requests.rejected)],
    ["Failed", "Rejected"],
  );
};

/** Waits until everything is finished; rejects if something ends in another way than it must. */
export const finishRestored = async (restored: Restored): Promise<void> => {
  await asItWas(restored);
  await speedUpSettled(restored);
  await builtConfirmed(restored);
  await signaturesMade(restored);
  await settledWallet(restored.cluster, restored.manifest.requests.creating.walletId);
  await approvalsDecided(restored);
  await eventsDelivered(restored);
  await endedUnchanged(restored);
};
