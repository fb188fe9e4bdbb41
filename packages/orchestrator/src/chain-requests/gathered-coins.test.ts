import { BITCOIN_SENDER, BTC_TRANSFER } from "@conclave/chains/testing";
import type { Transaction } from "@conclave/custody";
import { insertChainRequest } from "@conclave/platform";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type BitcoinWorld, startBitcoinWorld } from "../testing/bitcoin-world.ts";

let world: BitcoinWorld;
beforeEach(async () => {
  world = await startBitcoinWorld();
});
afterEach(() => world.stop());

describe("K7 coins that the service gathers by itself", () => {
  /** As the gateway stores it, which found that fees are low. */
  const gather = async (isGathering = true): Promise<Transaction> => {
    // somebody who asks bounds the whole alone
    const bounds = isGathering ? { maxFee: "20000", maxFeeRate: "10" } : { maxFee: "20000" };
    const requestBody = { kind: "Consolidate", ...bounds } as const;
    const transaction = { ...requestBody, from: BITCOIN_SENDER };
    const request = world.transactionOf(transaction, { requestBody, replacesId: undefined, isGathering });
    await insertChainRequest(world.database, request);
    return request;
  };
  /** Coins that are left to payments, and eight smaller ones. All are final, unless a test says so. */
  const coinsAt = async (rate: number, confirmations = 6) => {
    const amounts = Array.from({ length: 40 }, (_, at) => (at < 32 ? 30_000 : 20_000));
    await world.fund(BITCOIN_SENDER, ...amounts);
    await world.mine(confirmations - 1);
    await world.admin("set-fees", { young: false, estimates: [{ blocks: 1, rate }] });
  };
  const spent = (count: number) => ({ status: "Broadcasted", details: { inputs: count } });

  it("are gathered as long as fees are low", async () => {
    await coinsAt(10_000);
    const request = await gather();
    await world.carry(request);
    expect(await world.read(request)).toMatchObject(spent(8));
  });

  it("leave the largest coins to payments meanwhile", async () => {
    await coinsAt(1_000);
    await world.carry(await gather());
    const payment = await world.enter({ ...BTC_TRANSFER, amount: "900000" });
    expect(await world.carry(payment)).toEqual({ kind: "Done" });
    expect(await world.read(payment)).toMatchObject(spent(31));
  });

  it("stay as they are until they are final, and somebody who asks for it gathers them before", async () => {
    await coinsAt(1_000, 5);
    const request = await gather();
    expect(await world.carry(request)).toEqual({ kind: "Done" });
    expect(await world.read(request)).toMatchObject({
      status: "Failed",
      reason: expect.stringMatching(/^there is nothing to gather/),
    });
    expect(world.asked).toEqual([]);
    const wanted = await gather(false);
    await world.carry(wanted);
    expect(await world.read(wanted)).toMatchObject(spent(40));
  });

  it("stay as they are once fees have risen, and whoever asks for it gathers as many as that pays for", async () => {
    await coinsAt(100_000);
    const request = await gather();
    expect(await world.carry(request)).toEqual({ kind: "Done" });
    expect(await world.read(request)).toMatchObject({
      status: "Failed",
      reason: expect.stringContaining("fees are not low any more"),
    });
    expect(world.asked).toEqual([]);
    const wanted = await gather(false);
    await world.carry(wanted);
    expect(await world.read(wanted)).toMatchObject(spent(2));
  });

  it("wait for signers, and stay as they are where fees rise meanwhile", async () => {
    await coinsAt(1_000);
    const request = await gather();
    world.shortage = "too few signers live";
    await world.carry(request);
    await coinsAt(15_000);
    world.shortage = undefined;
    expect(await world.carry(request)).toEqual({ kind: "Done" });
    expect((await world.read(request)).status).toBe("Failed");
    expect(world.asked).toEqual([]);
  });
});
