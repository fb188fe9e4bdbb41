import { verify } from "node:crypto";
import {
  authorisedTransferSchema,
  networkSchema,
  transferIdSchema,
  type WalletId,
  walletIdSchema,
} from "@conclave/custody";
import { freshId, insertWallet, listEvents, readTransfer, readWallet } from "@conclave/platform";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { errorOf, listOf, transferOf, walletOf } from "../testing/bodies.ts";
import { ADDRESS, startWorld, type World } from "../testing/world.ts";

const native = { kind: "Native", to: ADDRESS, amount: "1000000000000000000" };
const erc20 = { kind: "Erc20", contract: `0x${"c0".repeat(20)}`, to: ADDRESS, amount: "1" };

let world: World;
let walletId: WalletId;
let path: string;
beforeAll(async () => {
  world = await startWorld();
  const { body } = await world.call("POST", "/wallets", { network: "EthereumSepolia" });
  walletId = walletIdSchema.parse(walletOf(body).id);
  path = `/wallets/${walletId}/transfers`;
});
afterAll(() => world.stop());

describe("POST /wallets/{walletId}/transfers", () => {
  it("answers a pending transfer with the request as it was sent", async () => {
    const { status, body } = await world.call("POST", path, { ...native, priority: "Fast" });
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.stringMatching(/^xfr-[a-z0-9]{5}-[a-z0-9]{5}-[a-z0-9]{16}$/),
      walletId,
      network: "EthereumSepolia",
      requester: { userId: world.caller.userId, tokenId: world.caller.tokenId },
      requestBody: { ...native, priority: "Fast" },
      metadata: {
        asset: { symbol: "ETH", decimals: 18, verified: true, quotes: { EUR: 1800, USD: 2000 } },
      },
      status: "Pending",
      dateRequested: expect.stringMatching(/Z$/),
      datePolicyResolved: expect.stringMatching(/Z$/),
    });
  });

  it("INV-3 INV-8 stores exactly what signers may sign, signed by the authority", async () => {
    const { body } = await world.call("POST", path, erc20);
    const transfer = await readTransfer(world.database, transferIdSchema.parse(transferOf(body).id));
    if (transfer?.authorisation === undefined) throw new Error("the transfer is not authorised");
    const { payload, signature } = transfer.authorisation;
    expect(verify(null, payload, world.authorityKey, signature)).toBe(true);
    expect(authorisedTransferSchema.parse(JSON.parse(Buffer.from(payload).toString("utf8")))).toMatchObject({
      requestId: transfer.id,
      walletId,
      network: "EthereumSepolia",
      transfer: { ...erc20, to: ADDRESS.toLowerCase() },
      policy: { outcome: "Allowed", policies: [] },
    });
  });

  it("shows a token with its own symbol and decimals, and moves a collectible out of this wallet alone", async () => {
    const contract = `0x${"56".repeat(20)}`;
    world.chain.setToken(contract, { symbol: "USDC", decimals: 6, verified: false });
    const token = await world.call("POST", path, { ...erc20, contract });
    expect(token.body).toMatchObject({
      metadata: { asset: { symbol: "USDC", decimals: 6, verified: false } },
    });
    const erc721 = { kind: "Erc721", contract, to: ADDRESS, tokenId: "7" };
    const { body } = await world.call("POST", path, erc721);
    expect(body).toMatchObject({ requestBody: erc721 });
    expect(
      z.object({ metadata: z.object({ asset: z.record(z.string(), z.unknown()) }) }).parse(body),
    ).toEqual({
      metadata: { asset: {} },
    });
    const transfer = await readTransfer(world.database, transferIdSchema.parse(transferOf(body).id));
    const payload = Buffer.from(transfer?.authorisation?.payload ?? []).toString("utf8");
    expect(authorisedTransferSchema.parse(JSON.parse(payload)).transfer).toEqual({
      ...erc721,
      from: ADDRESS.toLowerCase(),
      to: ADDRESS.toLowerCase(),
    });
  });

  it("INV-6 records one event, and one request to the orchestrator, in the same transaction", async () => {
    const { body } = await world.call("POST", path, native);
    const { id } = transferOf(body);
    const events = await listEvents(world.database, id);
    expect(events.map(({ kind, data }) => [kind, data])).toEqual([
      ["wallet.transfer.requested", { transferRequest: body }],
    ]);
    const messages = await world.database.rows(
      z.object({ subject: z.string() }),
      `select subject from outbox where message_id = $2
       union all select kind || ' of ' || line || ' on ' || lane from due_requests where id = $1 order by subject`,
      [id, events[0]?.id],
    );
    expect(messages.map(({ subject }) => subject)).toEqual([
      `transfer of ${walletId} on EthereumSepolia`,
      "wallet.transfer.requested",
    ]);
  });

  it("answers the same transfer for the same body and externalId, also to requests at the same time", async () => {
    const body = { ...native, externalId: "pay-1" };
    const answers = await Promise.all([1, 2, 3, 4].map(() => world.call("POST", path, body)));
    const again = await world.call("POST", path, body);
    expect(new Set([...answers, again].map((answer) => answer.status))).toEqual(new Set([200]));
    expect(new Set([...answers, again].map((answer) => transferOf(answer.body).id)).size).toBe(1);
  });

  it("answers the same transfer whether sendAnyway is false or absent", async () => {
    const body = { ...native, externalId: "pay-anyway" };
    const answers = [
      await world.call("POST", path, { ...body, sendAnyway: false }),
      await world.call("POST", path, body),
      await world.call("POST", path, { ...body, sendAnyway: true }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 409]);
    expect(answers[1]?.body).toEqual(answers[0]?.body);
  });

  it("refuses another body under a used externalId, and the same body from another wallet", async () => {
    const other = walletOf((await world.call("POST", "/wallets", { network: "EthereumSepolia" })).body).id;
    await world.call("POST", path, { ...native, externalId: "pay-2" });
    const rows = await world.rows();
    const answers = [
      await world.call("POST", path, { ...native, amount: "2", externalId: "pay-2" }),
      await world.call("POST", `/wallets/${other}/transfers`, { ...native, externalId: "pay-2" }),
    ];
    expect(answers.map(({ status, body }) => [status, errorOf(body).details.code])).toEqual([
      [409, "ExternalIdConflict"],
      [409, "ExternalIdConflict"],
    ]);
    expect(await world.rows()).toBe(rows);
  });

  it("takes an externalId that another organisation uses", async () => {
    const strange = { authorization: `Bearer ${world.strangersToken}` };
    const theirs = walletOf(
      (await world.call("POST", "/wallets", { network: "EthereumSepolia" }, strange)).body,
    ).id;
    const body = { ...native, externalId: "pay-3" };
    const own = await world.call("POST", path, body);
    const other = await world.call("POST", `/wallets/${theirs}/transfers`, body, strange);
    expect([own.status, other.status]).toEqual([200, 200]);
    expect(transferOf(other.body).id).not.toBe(transferOf(own.body).id);
  });

  it("INV-5 are accepted and asked for although the bus is away", async () => {
    world.bus.setConnected(false);
    const { status, body } = await world.call("POST", path, native);
    world.bus.setConnected(true);
    const due = await world.database.rows(
      z.object({ id: z.string() }),
      "select id from due_requests where id = $1",
      [transferOf(body).id],
    );
    expect([status, due]).toEqual([200, [{ id: transferOf(body).id }]]);
  });

  it("INV-9 refuses a priority on a network that has none, and writes nothing", async () => {
    const id = freshId(walletIdSchema, "wa");
    const own = await readWallet(world.database, walletId);
    if (own?.status !== "Active") throw new Error("the wallet is gone");
    await insertWallet(world.database, {
      id,
      orgId: world.caller.orgId,
      keyId: own.keyId,
      name: undefined,
      network: networkSchema.parse("Stellar"),
      externalId: undefined,
      tags: [],
      requester: { userId: world.caller.userId },
      requestBody: { network: "Stellar" },
      dateCreated: "2020-01-01T00:00:00.000Z",
      status: "Active",
      signingKey: own.signingKey,
      address: "G",
    });
    const rows = await world.rows();
    const { status, body } = await world.call("POST", `/wallets/${id}/transfers`, {
      ...native,
      priority: "Fast",
    });
    expect([status, errorOf(body).details.code, await world.rows()]).toEqual([
      400,
      "PriorityNotSupported",
      rows,
    ]);
  });
});

describe("GET /wallets/{walletId}/transfers", () => {
  it("pages through all transfers of the wallet, newest first, under the wallet's id", async () => {
    const all = listOf((await world.call("GET", `${path}?limit=500`)).body).items.map(({ id }) => id);
    const seen: string[] = [];
    let next: string | undefined = `${path}?limit=2`;
    while (next !== undefined) {
      const { body } = await world.call("GET", next);
      expect(body).toMatchObject({ walletId });
      const page = listOf(body);
      seen.push(...page.items.map(({ id }) => id));
      next =
        page.nextPageToken === undefined
          ? undefined
          : `${path}?limit=2&paginationToken=${page.nextPageToken}`;
    }
    expect(seen).toEqual(all);
    expect(new Set(seen).size).toBeGreaterThan(2);
  });

  it("INV-11 hides a wallet's transfers, and each one of them, from another organisation", async () => {
    const strange = { authorization: `Bearer ${world.strangersToken}` };
    const { id } = transferOf((await world.call("POST", path, native)).body);
    const list = await world.call("GET", path, undefined, strange);
    const one = await world.call("GET", `${path}/${id}`, undefined, strange);
    expect([list, one].map(({ status, body }) => [status, errorOf(body).details.code])).toEqual([
      [404, "WalletNotFound"],
      [404, "TransferNotFound"],
    ]);
  });

  it("reads one transfer under its own wallet only", async () => {
    const accepted = await world.call("POST", path, native);
    const { id } = transferOf(accepted.body);
    expect((await world.call("GET", `${path}/${id}`)).body).toEqual(accepted.body);
    const elsewhere = await world.call("GET", `/wallets/${freshId(walletIdSchema, "wa")}/transfers/${id}`);
    expect([elsewhere.status, errorOf(elsewhere.body).details.code]).toEqual([404, "TransferNotFound"]);
  });
});
