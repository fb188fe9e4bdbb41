import { BITCOIN_SENDER, BTC_TRANSFER } from "@conclave/chains/testing";
import type { Transaction, Transfer } from "@conclave/custody";
import {
  changeChainRequest,
  insertChainRequest,
  lockChainRequest,
  type Metrics,
  makeMetrics,
} from "@conclave/platform";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type BitcoinWorld, startBitcoinWorld } from "../testing/bitcoin-world.ts";
import { gatheringCounter } from "./count-gatherings.ts";

let world: BitcoinWorld;
beforeEach(async () => {
  world = await startBitcoinWorld();
});
afterEach(() => world.stop());

/** A gathering as the gateway stores it after it found low fees. */
const gather = async (isGathering = true): Promise<Transaction> => {
  // a caller limits only the total fee
  const bounds = isGathering ? { maxFee: "20000", maxFeeRate: "10" } : { maxFee: "20000" };
  const requestBody = { kind: "Consolidate", ...bounds } as const;
  const transaction = { ...requestBody, from: BITCOIN_SENDER };
  const request = world.transactionOf(transaction, { requestBody, replacesId: undefined, isGathering });
  await insertChainRequest(world.database, request);
  return request;
};
/** Funds the wallet with coins that stay for payments, and eight smaller ones; all final by default. */
const coinsAt = async (rate: number, confirmations = 6) => {
  const amounts = Array.from({ length: 40 }, (_, at) => (at < 32 ? 30_000 : 20_000));
  await world.fund(BITCOIN_SENDER, ...amounts);
  await world.mine(confirmations - 1);
  await world.admin("set-fees", { young: false, estimates: [{ blocks: 1, rate }] });
};
const spent = (count: number) => ({ status: "Broadcasted", details: { inputs: count } });

describe("K7 coins that the service gathers by itself", () => {
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

  it("stay as they are once fees have risen, and a caller that asks for it gathers as many as that pays for", async () => {
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

describe("INV-5 a payment that needs coins which are being gathered", () => {
  const needing = () => world.enter({ ...BTC_TRANSFER, amount: "1000000" });
  const waits = async (payment: Transfer, words: RegExp) => {
    expect(await world.carry(payment)).toMatchObject({ kind: "Again" });
    expect(await world.read(payment)).toMatchObject({
      status: "Executing",
      reason: expect.stringMatching(words),
    });
  };
  const goesOn = async (payment: Transfer) => {
    await expect.poll(async () => (await world.carry(payment)).kind).toBe("Done");
    expect(await world.read(payment)).toMatchObject({ status: "Broadcasted" });
  };
  const broadcasted = async () => {
    await coinsAt(1_000);
    const gathering = await gather();
    await world.carry(gathering);
    await world.admin("set-fees", { young: false, estimates: [{ blocks: 1, rate: 20_000 }] });
    return gathering;
  };
  const gathersAgain = { kind: "Consolidate", from: BITCOIN_SENDER };

  it("names the gathering where fees have risen since, and a speed-up that frees them", async () => {
    const gathering = await broadcasted();
    const payment = await needing();
    const words = new RegExp(`${gathering.id} gathers coins of the wallet: speed it up to have them sooner$`);
    await waits(payment, words);
    const faster = await world.replace(await world.read(gathering), gathersAgain);
    await world.carry(faster);
    await waits(payment, words);
    await world.mine();
    expect(await world.node.sight((await world.read(faster)).txHash ?? "")).toMatchObject({
      value: { kind: "included" },
    });
    await goesOn(payment);
  });

  it("says that the gathering is to be cancelled once more, where it is being cancelled", async () => {
    const gathering = await broadcasted();
    const back = await world.replace(
      await world.read(gathering),
      { kind: "Cancel", from: BITCOIN_SENDER },
      "CancelTransaction",
    );
    await world.carry(back);
    const payment = await needing();
    await waits(
      payment,
      new RegExp(`${gathering.id} gathers coins of the wallet: cancel it again to have them sooner$`),
    );
    const again = await world.replace(
      await world.read(back),
      { kind: "Cancel", from: BITCOIN_SENDER },
      "CancelTransaction",
    );
    await world.carry(again);
    await world.mine();
    await goesOn(payment);
  });

  it("names a gathering that nobody has signed, and an abort that frees them at once", async () => {
    await coinsAt(1_000);
    const gathering = await gather();
    world.shortage = "too few signers live";
    await world.carry(gathering);
    const payment = await needing();
    await waits(
      payment,
      new RegExp(`${gathering.id} gathers coins of the wallet: abort it to have them now$`),
    );
    await world.database.transaction(async (connection) => {
      const current = (await lockChainRequest(connection, gathering.id)) ?? expect.fail("it is gone");
      const aborted = { kind: "Aborted", date: current.dateRequested, reason: "aborted" } as const;
      expect(await changeChainRequest(connection, current, aborted)).toMatchObject({ ok: true });
    });
    world.shortage = undefined;
    await goesOn(payment);
  });

  it("names none where another payment has the coins", async () => {
    await coinsAt(1_000);
    const other = await needing();
    await world.carry(other);
    const payment = await world.enter({ ...BTC_TRANSFER, amount: "110000" });
    await waits(payment, /to come into a block$/);
    await world.mine();
    await goesOn(payment);
  });

  it("names no act while a speed-up of the gathering is not signed: nothing is left to do", async () => {
    const gathering = await broadcasted();
    const faster = await world.replace(await world.read(gathering), gathersAgain);
    const payment = await needing();
    await waits(
      payment,
      new RegExp(`${gathering.id} gathers coins of the wallet, and ${faster.id} is about to take its place$`),
    );
    await world.carry(faster);
    await world.mine();
    await goesOn(payment);
  });
});

describe("coins that the service gathers by itself are counted", () => {
  const counted = async (outcome: string): Promise<string | undefined> => {
    const line = `conclave_gatherings_total{network="${world.wallet.network}",outcome="${outcome}",`;
    return (await metrics.text())
      .split("\n")
      .find((text) => text.startsWith(line))
      ?.split(" ")[1];
  };
  const counts = async () => [await counted("begun"), await counted("ended"), await counted("refused")];
  let metrics: Metrics;
  beforeEach(() => {
    metrics = makeMetrics("orchestrator");
    world.gathered = gatheringCounter(metrics.registry, [world.wallet.network]);
  });

  it("as begun, and as ended once they are final; what somebody asks for is not", async () => {
    await coinsAt(1_000);
    expect(await counts()).toEqual(["0", "0", "0"]);
    await world.carry(await gather(false));
    await world.follow(6);
    expect(await counts()).toEqual(["0", "0", "0"]);
    await coinsAt(1_000);
    await world.carry(await gather());
    expect(await counts()).toEqual(["1", "0", "0"]);
    await world.follow(6);
    expect(await counts()).toEqual(["1", "1", "0"]);
  });

  it("as ended once, where somebody has sped them up", async () => {
    await coinsAt(1_000);
    const gathering = await gather();
    await world.carry(gathering);
    await world.carry(
      await world.replace(await world.read(gathering), { kind: "Consolidate", from: BITCOIN_SENDER }),
    );
    await world.follow(6);
    await world.follow(1);
    expect((await world.read(gathering)).status).toBe("Failed");
    expect(await counts()).toEqual(["1", "1", "0"]);
  });

  it("as refused, where fees have risen since", async () => {
    await coinsAt(15_000);
    await world.carry(await gather());
    expect(await counts()).toEqual(["1", "0", "1"]);
  });
});
