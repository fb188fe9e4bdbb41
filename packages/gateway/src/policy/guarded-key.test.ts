import { FAMILIES } from "@conclave/chains";
import { NODES } from "@conclave/chains/node";
import { TRON_NILE, TRON_RECIPIENT } from "@conclave/chains/testing";
import { openTronLedger, type ScriptedTronLedger, WALLET_SAMPLES } from "@conclave/chains/testing/ledgers";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import {
  ALWAYS,
  type ApprovalWorld,
  asking,
  dollars,
  startApprovalWorld,
} from "../testing/approval-world.ts";
import { administratorOf, approverOf, type Person } from "../testing/people.ts";

const hash = { kind: "Hash", hash: "ab".repeat(32) };
const FAR = `0x${"12".repeat(20)}`;

let at: ApprovalWorld;
let admin: Person;
let alice: Person;
let guarded: { readonly id: string; readonly keyId: string };
/** a wallet of the same key on another network */
let sibling: string;
let tron: ScriptedTronLedger;
beforeAll(async () => {
  tron = await openTronLedger();
  const entry = WALLET_SAMPLES.Tron.entryAt(tron.url);
  at = await startApprovalWorld({
    settlementWaitMs: 1_000,
    further: { family: FAMILIES.familyOf(entry.network), node: NODES.connect(entry) },
  });
  admin = administratorOf(at.world);
  alice = await approverOf(at.world);
});
afterAll(async () => {
  await at.world.stop();
  await tron.stop();
});
beforeEach(async () => {
  guarded = await at.wallet();
  sibling = `wa-aaaaa-bbbbb-${guarded.id.slice(-16)}`;
  await at.world.database.execute(
    `insert into wallets (id, org_id, key_id, network, status, requester, request_body, address, date_created)
     select $2, org_id, key_id, 'PolygonAmoy', status, requester, request_body, address, now() from wallets where id = $1`,
    [guarded.id, sibling],
  );
  await admin.call("PUT", `/wallets/${guarded.id}/tags`, { tags: ["treasury"] });
});
afterEach(() => at.forget());

const ask = (path: string, body: unknown = dollars(90)) => at.ask(admin, path, body);
const block = (filters: unknown, rule: unknown = ALWAYS) =>
  at.policy({ rule, action: { kind: "Block" }, filters });

describe("INV-8 a policy that guards a wallet guards its key:", () => {
  const filters: readonly (readonly [string, () => unknown])[] = [
    ["by the wallet's id", () => ({ walletId: { in: [guarded.id] } })],
    ["by its tag", () => ({ walletTags: { hasAny: ["treasury"] } })],
    ["by all of its tags", () => ({ walletTags: { hasAll: ["treasury"] } })],
  ];
  it.each(filters)(
    "%s it stops a transfer of a further wallet of the key, made by Keys:Reuse",
    async (_, filter) => {
      await block(filter());
      expect((await ask(`/wallets/${sibling}/transfers`)).status).toBe("Rejected");
      expect((await ask(`/wallets/${guarded.id}/transfers`)).status).toBe("Rejected");
      // a wallet with a key of its own is not affected
      expect((await ask(`/wallets/${(await at.wallet()).id}/transfers`)).status).toBe("Pending");
    },
  );

  it("it stops a transaction of the further wallet, and what it signs", async () => {
    await block({ walletId: { in: [guarded.id] } });
    const transaction = { kind: "Evm", to: FAR, value: "5" };
    expect((await ask(`/wallets/${sibling}/transactions`, transaction)).status).toBe("Rejected");
    expect((await ask(`/wallets/${sibling}/signatures`, hash)).status).toBe("Rejected");
    expect((await ask(`/keys/${guarded.keyId}/signatures`, hash)).status).toBe("Rejected");
  });

  it("its whitelist holds for what the further wallet pays", async () => {
    await block(
      { walletId: { in: [guarded.id] } },
      { kind: "TransactionRecipientWhitelist", configuration: { addresses: [dollars(90).to] } },
    );
    expect((await ask(`/wallets/${sibling}/transfers`)).status).toBe("Pending");
    expect((await ask(`/wallets/${sibling}/transfers`, { ...dollars(90), to: FAR })).status).toBe("Rejected");
  });

  it("its count counts what the further wallet pays, and the other way round", async () => {
    await block(
      { walletId: { in: [guarded.id] } },
      { kind: "TransactionCountVelocity", configuration: { limit: 2, timeframe: 60 } },
    );
    const statuses: string[] = [];
    for (const id of [sibling, guarded.id, sibling, guarded.id]) {
      statuses.push((await ask(`/wallets/${id}/transfers`)).status);
    }
    expect(statuses).toEqual(["Pending", "Pending", "Rejected", "Rejected"]);
  });

  it("it asks its approvers about the further wallet", async () => {
    await at.policy({ rule: ALWAYS, action: asking(1, alice), filters: { walletId: { in: [guarded.id] } } });
    const request = await ask(`/wallets/${sibling}/transfers`);
    expect(request.approvalId).toBeDefined();
    await at.vote(alice, request);
    expect(await at.fate(request.id)).toMatchObject({ authorised: true });
  });

  it("a request to a key from before it got the guarded wallet is judged by that wallet's policies at the release", async () => {
    const other = await at.wallet();
    const further = `wa-aaaaa-ccccc-${other.id.slice(-16)}`;
    await at.policy({ rule: ALWAYS, action: asking(1, alice), filters: { walletId: { in: [other.id] } } });
    const request = await ask(`/wallets/${other.id}/transfers`);
    await at.world.database.execute(
      `insert into wallets (id, org_id, key_id, network, status, requester, request_body, address, date_created)
       select $2, org_id, key_id, 'PolygonAmoy', status, requester, request_body, address, now() from wallets where id = $1`,
      [other.id, further],
    );
    await block({ walletId: { in: [further] } });
    await at.vote(alice, request);
    expect(await at.fate(request.id)).toMatchObject({ status: "Rejected", authorised: false });
  });
});

describe("K9 INV-8 a wallet that Keys:Reuse makes of a guarded key", () => {
  const reused = async (network: string): Promise<string> => {
    const body = { network, signingKey: { id: guarded.keyId } };
    const made = await admin.call("POST", "/wallets", body);
    expect([made.status, made.body]).toMatchObject([200, { signingKey: { id: guarded.keyId } }]);
    return z.looseObject({ id: z.string() }).parse(made.body).id;
  };
  const trx = { kind: "Native", to: TRON_RECIPIENT, amount: "1" };

  it("on a network of another family is stopped in its transfers and signatures", async () => {
    const further = await reused(TRON_NILE.network);
    expect((await ask(`/wallets/${further}/transfers`, trx)).status).toBe("Pending");
    await block({ walletId: { in: [guarded.id] } });
    expect((await ask(`/wallets/${further}/transfers`, trx)).status).toBe("Rejected");
    expect((await ask(`/wallets/${further}/signatures`, hash)).status).toBe("Rejected");
  });

  it("on no network at all is stopped in its signatures", async () => {
    const further = await reused("KeyECDSA");
    await block({ walletId: { in: [guarded.id] } });
    expect((await ask(`/wallets/${further}/signatures`, hash)).status).toBe("Rejected");
  });

  it("guards the key in turn: its policy stops the first wallet", async () => {
    const further = await reused(TRON_NILE.network);
    await block({ walletId: { in: [further] } });
    expect((await ask(`/wallets/${guarded.id}/transfers`)).status).toBe("Rejected");
    expect((await ask(`/keys/${guarded.keyId}/signatures`, hash)).status).toBe("Rejected");
  });
});

describe("INV-8 the spending of a key before its first wallet", () => {
  it("counts in the velocities of that wallet", async () => {
    const { body } = await admin.call("POST", "/keys", { scheme: "ECDSA", curve: "secp256k1" });
    const { id } = z.looseObject({ id: z.string() }).parse(body);
    await at.policy({
      rule: { kind: "TransactionCountVelocity", configuration: { limit: 2, timeframe: 60 } },
      action: { kind: "Block" },
    });
    expect((await ask(`/keys/${id}/signatures`, hash)).status).not.toBe("Rejected");
    const made = await admin.call("POST", "/wallets", { network: "EthereumSepolia", signingKey: { id } });
    const wallet = z.looseObject({ id: z.string() }).parse(made.body);
    const statuses: string[] = [];
    for (let times = 0; times < 2; times += 1) {
      statuses.push((await ask(`/wallets/${wallet.id}/transfers`)).status);
    }
    expect(statuses).toEqual(["Pending", "Rejected"]);
  });
});
