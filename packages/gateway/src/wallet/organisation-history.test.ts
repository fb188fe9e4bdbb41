import { networkSchema, walletIdSchema } from "@conclave/custody";
import { insertDeposits, listOrganisationHistory } from "@conclave/platform";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { errorOf, transferOf, walletOf } from "../testing/bodies.ts";
import { userOf } from "../testing/people.ts";
import { startWorld, type World } from "../testing/world.ts";

const TOKEN = `0x${"ab".repeat(20)}`;
const OTHER = `0x${"cd".repeat(20)}`;
const GENERATOR = "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798";
const ALL = "startTime=2020-01-01T00:00:00.000Z&endTime=2099-01-01T00:00:00.000Z";

let world: World;
let sender: { readonly id: string; readonly address: string };
let receiver: { readonly id: string; readonly address: string };
beforeAll(async () => {
  world = await startWorld();
  sender = await walletWith({});
  // the scripted orchestrator gives all other keys the same address
  world.script({ kind: "Activated", publicKey: GENERATOR, date: new Date().toISOString() });
  const { body: key } = await world.call("POST", "/keys", { scheme: "ECDSA", curve: "secp256k1" });
  receiver = await walletWith({ signingKey: { id: walletOf(key).id } });
  await confirmed({ kind: "Native", to: receiver.address.toLowerCase(), amount: "5" }, "2026-01-01", "0x1");
  await confirmed({ kind: "Erc20", contract: TOKEN, to: OTHER, amount: "6" }, "2026-01-02", "0x2");
  await confirmed({ kind: "Erc721", contract: TOKEN, to: OTHER, tokenId: "7" }, "2026-01-03", "0x3");
  await deposited("0x4", "2026-01-04");
  // an entry that a transfer of the organisation also shows
  await deposited("0x1", "2026-01-01");
});
afterAll(() => world.stop());

const walletWith = async (more: object) => {
  const { body } = await world.call("POST", "/wallets", { network: "EthereumSepolia", ...more });
  return { id: walletOf(body).id, address: String(Object(body).address) };
};

const confirmed = async (body: object, date: string, txHash: string): Promise<void> => {
  const { id } = transferOf((await world.call("POST", `/wallets/${sender.id}/transfers`, body)).body);
  await world.database.execute(
    `update chain_requests set status = 'Confirmed', tx_hash = $2, block_number = 1, fee = '21000',
       date_broadcasted = $3, date_confirmed = $3 where id = $1`,
    [id, txHash, `${date}T00:00:00.000Z`],
  );
};

const deposited = (txHash: string, date: string): Promise<unknown> =>
  insertDeposits(world.database, [
    {
      orgId: world.caller.orgId,
      walletId: walletIdSchema.parse(receiver.id),
      network: networkSchema.parse("EthereumSepolia"),
      txHash,
      place: "value",
      from: OTHER,
      moved: { kind: "Native", to: receiver.address, amount: "77" },
      asset: { symbol: "ETH", decimals: 18, verified: true },
      blockNumber: 9n,
      date: `${date}T00:00:00.000Z`,
    },
  ]);

const pageSchema = z.looseObject({
  items: z.array(z.looseObject({ walletId: z.string(), direction: z.string(), txHash: z.string() })),
  nextPageToken: z.string().optional(),
});
const page = async (query: string) =>
  pageSchema.parse((await world.call("GET", `/wallets/all/history?${query}`)).body);
const movementsIn = ({ items }: z.infer<typeof pageSchema>) =>
  items.map(({ walletId, direction, txHash }) => {
    const whose = walletId === sender.id ? "sender" : "receiver";
    return `${txHash} ${whose} ${direction}`;
  });
const EVERYTHING = [
  "0x4 receiver In",
  "0x3 sender Out",
  "0x2 sender Out",
  "0x1 receiver In",
  "0x1 sender Out",
];

describe("GET /wallets/all/history", () => {
  it("answers what all wallets sent and received, newest first, each movement once at each wallet", async () => {
    const all = await page(ALL);
    expect(movementsIn(all)).toEqual(EVERYTHING);
    expect(all["orgId"]).toBe(world.caller.orgId);
    expect(all.items.at(-1)).toEqual({
      timestamp: "2026-01-01T00:00:00.000Z",
      walletId: sender.id,
      network: "EthereumSepolia",
      direction: "Out",
      from: sender.address,
      to: receiver.address.toLowerCase(),
      amount: "5",
      asset: "Native",
      symbol: "ETH",
      decimals: "18",
      fee: "21000",
      feeSymbol: "ETH",
      feeDecimals: "18",
      txHash: "0x1",
    });
    expect(all.items[1]).toMatchObject({ asset: TOKEN, tokenId: "7" });
    // the receiver pays no fee
    expect(all.items[3]).not.toHaveProperty("fee");
  });

  it("answers of the time that is asked for, its beginning included", async () => {
    const query = "startTime=2026-01-02T00:00:00.000Z&endTime=2026-01-03T00:00:00.000Z";
    expect(movementsIn(await page(query))).toEqual(["0x2 sender Out"]);
  });

  it("pages without gap or repetition, also between both ends of one transfer", async () => {
    const seen: string[] = [];
    let next = "";
    do {
      const one = await page(`${ALL}&limit=1${next}`);
      seen.push(...movementsIn(one));
      next = one.nextPageToken === undefined ? "" : `&paginationToken=${one.nextPageToken}`;
    } while (next !== "");
    expect(seen).toEqual(EVERYTHING);
  });

  it("INV-11 tells nothing to another organisation, and end users of their own wallets alone", async () => {
    const headers = { authorization: `Bearer ${world.strangersToken}` };
    const { body } = await world.call("GET", `/wallets/all/history?${ALL}`, undefined, headers);
    expect(pageSchema.parse(body).items).toEqual([]);
    const { orgId } = world.caller;
    const ownerId = await userOf(world, "EndUser");
    await world.database.execute(
      "update keys set delegated_to = $2 where id = (select key_id from wallets where id = $1)",
      [receiver.id, ownerId],
    );
    const asked = { orgId, start: "2020-01-01T00:00:00Z", end: "2099-01-01T00:00:00Z", ownerId };
    const own = await listOrganisationHistory(world.database, asked, { limit: 10 });
    expect(own.map(({ txHash, direction }) => `${txHash} ${direction}`)).toEqual(["0x4 In", "0x1 In"]);
  });

  it.each([
    ["", "InvalidParameter"],
    ["startTime=yesterday&endTime=2099-01-01T00:00:00.000Z", "InvalidParameter"],
    [`${ALL}&limit=0`, "InvalidParameter"],
    [`${ALL}&paginationToken=none`, "PaginationTokenInvalid"],
  ])("INV-9 refuses ?%s", async (query, code) => {
    const { status, body } = await world.call("GET", `/wallets/all/history?${query}`);
    expect([status, errorOf(body).details.code]).toEqual([400, code]);
  });
});
