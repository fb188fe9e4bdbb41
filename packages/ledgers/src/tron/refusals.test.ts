import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TRC20_TEST_TOKEN } from "../testing/tron-contracts.ts";
import {
  startTronWorld,
  type TronWebTransaction,
  type TronWorld,
  tronTestAddress,
  tronTestKey,
} from "../testing/tron-world.ts";

const [ALICE, BOB, NOBODY, POOR] = [tronTestKey(1), tronTestKey(2), tronTestKey(3), tronTestKey(4)];
const TRX = 1_000_000;
const DAY_MS = 86_400_000;

let world: TronWorld;
let token: string;
beforeAll(async () => {
  world = await startTronWorld();
  await world.fund(ALICE, 10_000 * TRX);
  await world.fund(POOR, 1);
  token = await world.deploy(TRC20_TEST_TOKEN, ALICE, 1_000_000);
});
afterAll(() => world[Symbol.asyncDispose]());

/** A payment with a change made before signing. */
const payment = async (
  change: { readonly from?: string; readonly to?: string; readonly amount?: number } = {},
  header: object = {},
): Promise<TronWebTransaction> => {
  const { client } = world;
  const reference = await client.trx.getCurrentRefBlockParams();
  const { from = ALICE, to = tronTestAddress(BOB), amount = TRX } = change;
  return client.transactionBuilder.sendTrx(to, amount, tronTestAddress(from), {
    blockHeader: { ...reference, ...header },
  });
};

const headTime = async (): Promise<number> =>
  (await world.client.trx.getCurrentBlock()).block_header.raw_data.timestamp;

describe("a node refuses", () => {
  it.each<[string, () => Promise<TronWebTransaction>, string]>([
    [
      "what refers to a block of another chain",
      () => payment({}, { ref_block_hash: "0102030405060708" }),
      "TAPOS_ERROR: Tapos check error.",
    ],
    [
      "what refers to a block that there is not",
      () => payment({}, { ref_block_bytes: "ffff" }),
      "TAPOS_ERROR: Tapos check error.",
    ],
    [
      "what is expired",
      async () => payment({}, { expiration: await headTime() }),
      "TRANSACTION_EXPIRATION_ERROR: Transaction expired",
    ],
    [
      "what is expired by the time of the next block",
      async () => payment({}, { expiration: (await headTime()) + 2_999 }),
      "TRANSACTION_EXPIRATION_ERROR: Transaction expired",
    ],
    [
      "what lives for more than a day",
      async () => payment({}, { expiration: (await headTime()) + DAY_MS + 1 }),
      "TRANSACTION_EXPIRATION_ERROR: Transaction expired",
    ],
    [
      "more than there is",
      () => payment({ amount: 20_000 * TRX }),
      "CONTRACT_VALIDATE_ERROR: Contract validate error : Validate TransferContract error, balance is not sufficient.",
    ],
    [
      "what pays a contract",
      () => payment({ to: token }),
      "CONTRACT_VALIDATE_ERROR: Contract validate error : Cannot transfer TRX to a smartContract.",
    ],
    [
      "what somebody sends who has no account",
      () => payment({ from: NOBODY }),
      `CONTRACT_VALIDATE_ERROR: Contract validate error : account [${tronTestAddress(NOBODY)}] does not exist`,
    ],
    [
      "what makes an account, of somebody who cannot pay for its bytes",
      () => payment({ from: POOR, to: tronTestAddress(NOBODY), amount: 1 }),
      "BANDWITH_ERROR: Account resource insufficient error. Account has insufficient bandwidth",
    ],
  ])("%s", async (_, make, words) => {
    const transaction = await make();
    const [contract] = transaction.raw_data.contract;
    const owner = contract?.parameter.value.owner_address;
    const key = [ALICE, NOBODY, POOR].find(
      (each) => world.client.address.toHex(tronTestAddress(each)) === owner,
    );
    expect(await world.refusal(transaction, key ?? ALICE)).toContain(words);
  });

  it("another's signature, and one of other bytes", async () => {
    const transaction = await payment();
    const signed = await world.client.trx.sign(transaction, ALICE);
    const other = await payment({ amount: 2 * TRX });
    const changed = await world.ask("wallet/broadcasttransaction", { ...other, signature: signed.signature });
    expect(changed).toMatchObject({ code: "SIGERROR", txid: other.txID });
    const words = world.client.toUtf8(String(changed["message"]));
    expect(words).toMatch(/^Validate signature error: .*is not contained of permission/);
    expect(await world.ask("wallet/broadcasttransaction", { ...transaction, signature: [] })).toMatchObject({
      code: "SIGERROR",
    });
    const short = signed.signature.map((each) => each.slice(2));
    expect(
      await world.ask("wallet/broadcasttransaction", { ...transaction, signature: short }),
    ).toMatchObject({
      code: "SIGERROR",
    });
  });

  it("the same transaction a second time, waiting or landed, whatever its signature", async () => {
    const transaction = await payment();
    await world.send(transaction, ALICE);
    expect(await world.refusal(transaction, ALICE)).toContain("DUP_TRANSACTION_ERROR");
    await world.mine();
    expect(await world.refusal(transaction, ALICE)).toContain("DUP_TRANSACTION_ERROR");
    expect(await world.ask("wallet/broadcasttransaction", { ...transaction, signature: [] })).toMatchObject({
      code: "DUP_TRANSACTION_ERROR",
    });
  });

  it("bytes that are no transaction, or not as protobuf writes them", async () => {
    const hex = (transaction: string) => world.ask("wallet/broadcasthex", { transaction });
    expect(await hex("00")).toMatchObject({ result: false, code: "CONTRACT_VALIDATE_ERROR" });
    expect(await hex("")).toMatchObject({ result: false });
    expect(await hex("zz")).toHaveProperty("Error");
    const { raw_data_hex } = await payment();
    const unknown = `${raw_data_hex}a00101`;
    const signed = await world.client.trx.sign(await payment(), ALICE);
    const answer = await world.ask("wallet/broadcasttransaction", { ...signed, raw_data_hex: unknown });
    expect(world.client.toUtf8(String(answer["message"]))).toContain(
      "field 20, which this ledger does not know",
    );
  });

  it("requests that it does not understand", async () => {
    expect(await world.ask("wallet/getaccount", { address: "nonsense" })).toMatchObject({
      Error: expect.stringContaining("address must be an address"),
    });
    const answer = await fetch(`${world.url}/wallet/getnowblock`, { method: "POST", body: "[" });
    expect(await answer.json()).toHaveProperty("Error");
    expect((await fetch(`${world.url}/wallet/mint`)).status).toBe(404);
    const signature = Array.from({ length: 200_000 }, () => "00");
    expect(await world.ask("wallet/broadcasttransaction", { raw_data_hex: "0a", signature })).toMatchObject({
      Error: expect.stringContaining("signature"),
    });
  });
});

it("a missing asset is refused", async () => {
  const send = (amount: number) =>
    world.client.transactionBuilder.sendToken(
      tronTestAddress(BOB),
      amount,
      "1000001",
      tronTestAddress(ALICE),
    );
  expect(await world.refusal(await send(1), ALICE)).toContain("No asset!");
});
