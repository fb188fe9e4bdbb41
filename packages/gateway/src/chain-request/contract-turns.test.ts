import { ok } from "@conclave/custody";
import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { ADMISSION_LIMITS, type AdmissionLimits } from "../admission/limits.ts";
import { startWorld, type World } from "../testing/world.ts";

const ENDLESS = `0x${"e1".repeat(20)}`;
const TOKEN = `0x${"70".repeat(20)}`;
const TO = `0x${"12".repeat(20)}`;

const madeSchema = z.looseObject({ id: z.string() });
const transferSchema = z.looseObject({
  status: z.string(),
  metadata: z.looseObject({ asset: z.looseObject({ symbol: z.string().optional() }) }),
});

let world: World;
afterEach(() => world.stop());

/** A world whose chain delays a contract's answers until `letGo`: a token's description, and a recipient that is a contract. */
const startHeld = async (admission: Partial<AdmissionLimits> = {}) => {
  world = await startWorld({ admission });
  let letGo = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let asked = 0;
  const held = async (contract: string): Promise<void> => {
    asked += 1;
    if (contract.toLowerCase() === ENDLESS) await gate;
  };
  vi.spyOn(world.chain, "describeToken").mockImplementation(async (contract) => {
    await held(contract);
    return ok({ symbol: "TKN" });
  });
  const judgeRecipient = vi.fn(async (transfer: object) => {
    await held("to" in transfer ? String(transfer.to) : "");
    return ok(undefined);
  });
  Object.assign(world.chain, { judgeRecipient });
  const stranger = { authorization: `Bearer ${world.strangersToken}` };
  const walletOf = async (headers?: Readonly<Record<string, string>>): Promise<string> =>
    madeSchema.parse((await world.call("POST", "/wallets", { network: "EthereumSepolia" }, headers)).body).id;
  const [own, others] = [await walletOf(), await walletOf(stranger)];
  const pay = (contract: string, to = TO) =>
    world.call("POST", `/wallets/${own}/transfers`, { kind: "Erc20", contract, to, amount: "1" });
  const payOfOther = () =>
    world.call(
      "POST",
      `/wallets/${others}/transfers`,
      { kind: "Erc20", contract: TOKEN, to: TO, amount: "1" },
      stranger,
    );
  return { letGo, asked: () => asked, pay, payOfOther };
};

describe("K8 an organisation whose transfers are of contracts that do not end", () => {
  it.each([
    ["the token", (pay: Awaited<ReturnType<typeof startHeld>>["pay"]) => pay(ENDLESS), 2],
    ["the recipient", (pay: Awaited<ReturnType<typeof startHeld>>["pay"]) => pay(TOKEN, ENDLESS), 1],
  ])("asks the node about few at a time, and another's transfers go on: %s", async (_, payEndless, each) => {
    const contracts = { ...ADMISSION_LIMITS.contracts, waitMs: 60_000 };
    const { letGo, asked, pay, payOfOther } = await startHeld({ contracts });
    const sent = Array.from({ length: 20 }, () => payEndless(pay));
    await expect.poll(asked).toBe(each * contracts.atOnceOfOne);
    for (const _ of [1, 2, 3]) expect((await payOfOther()).status).toBe(200);
    expect(asked()).toBe(each * contracts.atOnceOfOne + 2 * 3);
    letGo();
    const answers = await Promise.all(sent);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    // each had waited for its turn
    const symbols = answers.map(({ body }) => transferSchema.parse(body).metadata.asset.symbol);
    expect(new Set(symbols)).toEqual(new Set(["TKN"]));
  });

  it("is refused no transfer for want of a turn: it is accepted without the contract's answer", async () => {
    const contracts = { atOnce: 2, atOnceOfOne: 1, waiting: 0, waitingOfOne: 0, waitMs: 0 };
    const { letGo, asked, pay } = await startHeld({ contracts });
    const first = pay(TOKEN, ENDLESS);
    await expect.poll(asked).toBe(1);
    const second = await pay(TOKEN);
    expect([second.status, asked()]).toEqual([200, 1]);
    expect(transferSchema.parse(second.body)).toMatchObject({ status: "Pending", metadata: { asset: {} } });
    letGo();
    expect(transferSchema.parse((await first).body).metadata.asset.symbol).toBe("TKN");
  });
});
