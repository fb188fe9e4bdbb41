import { type ChainFamily, FAMILIES } from "@conclave/chains";
import { type BroadcastOutcome, type ChainNode, NODES } from "@conclave/chains/node";
import { type ChainWallet, fail, ok, type TransferId } from "@conclave/custody";
import { makeLogger, readTransaction, readTransfer } from "@conclave/platform";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { carryOutOn } from "../testing/carry-out.ts";
import { startWorld, type World } from "../testing/world.ts";

const WORDS = "the chain node does not take the transaction: exceeds block gas limit";
const UNACCEPTABLE: BroadcastOutcome = { kind: "unacceptable", reason: WORDS };
const logger = makeLogger({ name: "test", level: "silent" });

let world: World;
let wallet: ChainWallet;
beforeEach(async () => {
  world = await startWorld();
  await world.anvil.control.setAutomine(false);
  wallet = await world.wallet();
});
afterEach(() => world.stop());

const carryOut = (
  id: Parameters<typeof carryOutOn>[2],
  node: Partial<ChainNode>,
  family: Partial<ChainFamily> = {},
) =>
  carryOutOn(
    world,
    {
      network: wallet.network,
      chain: {
        family: { ...FAMILIES.familyOf(wallet.network), ...family },
        node: { ...NODES.connect(world.network), ...node },
      },
      logger,
    },
    id,
  );
const refusing = (outcome: BroadcastOutcome): Partial<ChainNode> => ({ broadcast: async () => outcome });
const read = async (id: TransferId) =>
  (await readTransfer(world.database, id)) ?? expect.fail(`${id} is gone`);

describe("INV-5 a transaction that its node's rules refuse for good", () => {
  it.each<[string, BroadcastOutcome, string]>([
    ["cancel", UNACCEPTABLE, "cancel it to free the wallet"],
    ["speed-up", { ...UNACCEPTABLE, byFee: true }, "speed it up or cancel it to free the wallet"],
  ])("says which act frees its wallet: %s", async (_, outcome, words) => {
    const { id } = await world.transfer(wallet);
    await carryOut(id, refusing(outcome));
    const { status, reason, details } = await read(id);
    expect([status, reason, details?.["refusedForGood"]]).toEqual(["Executing", `${WORDS}; ${words}`, true]);
  });

  it("of which the cancellation is refused as well says to cancel it again", async () => {
    const transfer = await world.transfer(wallet);
    await carryOut(transfer.id, refusing(UNACCEPTABLE));
    const { id } = await world.transaction(
      wallet,
      { kind: "Call", to: wallet.address.toLowerCase(), value: "0", data: "" },
      await read(transfer.id),
    );
    const body = { kind: "CancelTransaction", txHash: "0x1", signedTx: "0x2" };
    await world.database.execute("update chain_requests set request_body = $2 where id = $1", [
      id,
      JSON.stringify(body),
    ]);
    await carryOut(id, refusing({ ...UNACCEPTABLE, byFee: true }));
    expect(await readTransaction(world.database, id)).toMatchObject({
      reason: `${WORDS}; cancel it again to free the wallet`,
    });
  });

  it("INV-4 is not failed by the refusal: another node may take the bytes", async () => {
    const { id } = await world.transfer(wallet);
    await carryOut(id, refusing(UNACCEPTABLE));
    await carryOut(id, {});
    const { status, reason, details } = await read(id);
    expect([status, reason]).toEqual(["Broadcasted", undefined]);
    expect(details).not.toHaveProperty("refusedForGood");
    expect(details).toHaveProperty("nonce");
  });

  it("keeps its words when the node calls the same bytes a duplicate afterwards", async () => {
    const { id } = await world.transfer(wallet);
    await carryOut(id, refusing(UNACCEPTABLE));
    await carryOut(id, refusing({ kind: "refused", reason: "a duplicate" }));
    expect((await read(id)).reason).toContain(WORDS);
  });

  it("lets the next one of its wallet land once it is replaced", async () => {
    const first = await world.transfer(wallet);
    await carryOut(first.id, refusing(UNACCEPTABLE));
    const next = await world.transfer(wallet);
    const cancel = { kind: "Call", to: wallet.address.toLowerCase(), value: "0", data: "" } as const;
    const { id } = await world.transaction(wallet, cancel, await read(first.id));
    await carryOut(id, {});
    await carryOut(next.id, {});
    expect((await read(next.id)).status).toBe("Broadcasted");
  });

  it("INV-4 fails with those words once it can land no more, and is not built again", async () => {
    const { id } = await world.transfer(wallet);
    const dead = { fateOf: async () => ok({ kind: "dead", reason: "its time is over" } as const) };
    await carryOut(id, { ...refusing(UNACCEPTABLE), ...dead }, { rebuilds: true });
    const { status, reason, deadTransactions } = await read(id);
    expect([status, reason, deadTransactions]).toEqual([
      "Failed",
      `${WORDS}; cancel it to free the wallet`,
      0,
    ]);
  });

  it("where nothing takes its place, says that its time ends it", async () => {
    const { id } = await world.transfer(wallet);
    const { bump: _, ...replacements } = FAMILIES.familyOf(wallet.network).replacements;
    await carryOut(id, refusing(UNACCEPTABLE), { replacements });
    expect((await read(id)).reason).toBe(`${WORDS}; it fails once its time is over`);
  });
});

describe("a recipient that the chain knows something of", () => {
  const unsuitable = fail("RecipientUnsuitable", {}, "the recipient is a token");

  it("is judged before anything is built or signed, also of a transfer that waited for days", async () => {
    const { id } = await world.transfer(wallet);
    await carryOut(id, { judgeRecipient: async () => unsuitable });
    expect(await read(id)).toMatchObject({ status: "Failed", reason: "the recipient is a token" });
    expect((await read(id)).unsignedTransaction).toBeUndefined();
  });

  it("is paid where its sender insists", async () => {
    const { id } = await world.transfer(wallet);
    await world.database.execute(
      `update chain_requests set request_body = request_body || '{"sendAnyway": true}' where id = $1`,
      [id],
    );
    const insisted: (boolean | undefined)[] = [];
    const node = NODES.connect(world.network);
    const build: ChainNode["build"] = (intent) => {
      insisted.push(intent.insists);
      return node.build(intent);
    };
    await carryOut(id, { judgeRecipient: async () => unsuitable, build });
    expect((await read(id)).status).toBe("Broadcasted");
    expect(insisted).toEqual([true]);
    const { id: other } = await world.transfer(wallet);
    await carryOut(other, { build });
    expect(insisted).toEqual([true, false]);
  });

  it("is asked for again while the chain does not tell", async () => {
    const { id } = await world.transfer(wallet);
    const away = { judgeRecipient: async () => fail("ServiceUnavailable", {}, "the node is away") };
    await carryOut(id, away);
    expect(await read(id)).toMatchObject({ status: "Executing", reason: "the node is away" });
    await carryOut(id, {});
    expect((await read(id)).status).toBe("Broadcasted");
  });
});
