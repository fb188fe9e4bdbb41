import { buildTransaction, type TransactionDraft } from "@conclave/chains/evm";
import { SEPOLIA } from "@conclave/chains/testing";
import { authorisedTransactionSchema, ok, transactionIdSchema } from "@conclave/custody";
import { changeRights, readTransaction } from "@conclave/platform";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { broadcastRequest } from "../testing/broadcast-request.ts";
import { approverOf, type Person } from "../testing/people.ts";
import { ADDRESS, startWorld, type World } from "../testing/world.ts";

const FRIEND = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const GWEI = 10n ** 9n;
/** for 21 000 gas: 0.0987 ether, which are 197.40 USD and below the network's fee cap */
const DEAR = 4_700n * GWEI;
/** for 21 000 gas: 0.00105 ether, which are 2.10 USD */
const USUAL = 50n * GWEI;

const madeSchema = z.looseObject({ id: z.string(), signingKey: z.looseObject({ id: z.string() }) });
const requestSchema = z.looseObject({
  id: z.string(),
  status: z.string(),
  reason: z.string().optional(),
  approvalId: z.string().optional(),
});
type Request = z.output<typeof requestSchema>;

const WAITING_FOR_RIGHTS = `select from pg_locks where locktype = 'advisory' and not granted
  and database = (select oid from pg_database where datname = current_database())`;

let world: World;
let alice: Person;
let wallet: string;
let key: string;
beforeAll(async () => {
  world = await startWorld();
  alice = await approverOf(world);
});
afterAll(() => world.stop());
/** A new wallet for each test, so that earlier spending does not count. */
beforeEach(async () => {
  const { body } = await world.call("POST", "/wallets", { network: "EthereumSepolia" });
  const made = madeSchema.parse(body);
  [wallet, key] = [made.id, made.signingKey.id];
});

const rule = (kind: string, configuration: unknown = {}) => ({ kind, configuration });
const limitOf = (limit: string) => rule("TransactionAmountLimit", { limit, currency: "USD" });
const velocityOf = (limit: string) =>
  rule("TransactionAmountVelocity", { limit, currency: "USD", timeframe: 60 });
const toFriend = rule("TransactionRecipientWhitelist", { addresses: [FRIEND] });
const BLOCK = { kind: "Block" };
const ASK = { kind: "RequestApproval", approvalGroups: [{ quorum: 1, approvers: {} }] };

/** Makes a policy on this wallet alone. */
const guard = async (by: unknown, action: unknown = BLOCK): Promise<void> => {
  const { status } = await world.call("POST", "/v2/policies", {
    name: "test",
    activityKind: "Wallets:Sign",
    rule: by,
    action,
    filters: { walletId: { in: [wallet] } },
  });
  expect(status).toBe(200);
};
const post = async (path: string, body: unknown): Promise<Request> => {
  const answer = await world.call("POST", path, body);
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
  return requestSchema.parse(answer.body);
};
const send = (body: unknown) => post(`/wallets/${wallet}/transactions`, body);
const transfer = (amount: string) =>
  post(`/wallets/${wallet}/transfers`, { kind: "Native", to: FRIEND, amount });
const sign = (body: unknown) => post(`/wallets/${wallet}/signatures`, body);

const bytesOf = (change: Partial<TransactionDraft> = {}): string => {
  const bytes = buildTransaction({
    chainId: SEPOLIA.chainId,
    nonce: 0n,
    fees: { kind: "Legacy", gasPrice: DEAR },
    gasLimit: 21_000n,
    call: { to: ADDRESS, value: 0n, data: "0x" },
    ...change,
  });
  return `0x${Buffer.from(bytes).toString("hex")}`;
};
const TO_ITSELF = { to: ADDRESS, value: "0" };
const dear = DEAR.toString();

describe("a fee that the caller fixes", () => {
  it.each<[string, unknown]>([
    ["gas price", { kind: "EvmLegacy", ...TO_ITSELF, gasPrice: dear }],
    ["gas price and gas limit", { kind: "EvmLegacy", ...TO_ITSELF, gasPrice: dear, gasLimit: "21000" }],
    ["fee cap", { kind: "Eip1559", ...TO_ITSELF, maxFeePerGas: dear }],
    ["fee cap and gas limit", { kind: "Eip1559", ...TO_ITSELF, maxFeePerGas: dear, gasLimit: "21000" }],
    ["tip, which the cap follows", { kind: "Eip1559", ...TO_ITSELF, maxPriorityFeePerGas: dear }],
    ["gas limit, whose price the service chooses", { kind: "Evm", ...TO_ITSELF, gasLimit: "9000000" }],
    ["own bytes", { kind: "Transaction", transaction: bytesOf() }],
  ])("row 14: pays no block builder past a limit of 10 USD: %s", async (_, body) => {
    await guard(limitOf("10"));
    expect(await send(body)).toMatchObject({
      status: "Rejected",
      reason: expect.stringMatching(
        /USD, of which up to \d+\.\d\d USD are fees, is above the limit of 10 USD/,
      ),
    });
  });

  it("row 14: five self-payments with 4700 gwei do not add up past a velocity", async () => {
    await guard(velocityOf("450"));
    const body = { kind: "EvmLegacy", ...TO_ITSELF, gasPrice: dear, gasLimit: "21000" };
    const statuses = [];
    for (let round = 0; round < 5; round++) statuses.push((await send(body)).status);
    expect(statuses).toEqual(["Pending", "Pending", "Rejected", "Rejected", "Rejected"]);
  });

  it("row 14: counts when the transaction is signed and nobody sends it, for wallet and key", async () => {
    await guard(limitOf("10"));
    const body = { kind: "Transaction", transaction: bytesOf(), network: "EthereumSepolia" };
    const asked = [await sign(body), await post(`/keys/${key}/signatures`, body)];
    expect(asked.map(({ status }) => status)).toEqual(["Rejected", "Rejected"]);
  });

  it("is no recipient: what is on the whitelist may be paid with any fees", async () => {
    await guard(toFriend);
    const body = {
      kind: "Eip1559",
      to: FRIEND,
      value: "5",
      maxFeePerGas: USUAL.toString(),
      gasLimit: "21000",
    };
    expect((await send(body)).status).toBe("Pending");
  });

  it("counts beside the amount, to the wei", async () => {
    // 21 000 gas at 50 gwei are 2.10 USD, a thousandth of an ether is 2.00 USD
    const body = { kind: "Eip1559", to: FRIEND, value: "1000000000000000", gasLimit: "21000" };
    await guard(limitOf("4.1"));
    expect((await send({ ...body, maxFeePerGas: USUAL.toString() })).status).toBe("Pending");
    expect((await send({ ...body, maxFeePerGas: (USUAL + 1n).toString() })).status).toBe("Rejected");
  });
});

describe("a fee that the service chooses", () => {
  it("counts in no limit, velocity or whitelist", async () => {
    await guard(limitOf("2"));
    await guard(velocityOf("4"));
    await guard(toFriend);
    const thousandth = "1000000000000000";
    expect((await transfer(thousandth)).status).toBe("Pending");
    expect((await send({ kind: "Eip1559", to: FRIEND, value: thousandth })).status).toBe("Pending");
    expect((await transfer("1")).status).toBe("Rejected");
  });
});

describe("a replacement", () => {
  /** Has a request signed and broadcast with these fees, as an orchestrator would. */
  const broadcast = (id: string, gasPrice: bigint): Promise<void> =>
    broadcastRequest(world, id, Buffer.from(bytesOf({ fees: { kind: "Legacy", gasPrice } }).slice(2), "hex"));
  /** A waiting transfer of 3 USD, with a fee that the service chose. */
  const waiting = async (gasPrice = USUAL): Promise<string> => {
    const { id } = await transfer("1500000000000000");
    await broadcast(id, gasPrice);
    return `/wallets/${wallet}/transfers/${id}`;
  };
  const maxFeeOf = async (id: string): Promise<string | undefined> => {
    const stored = await readTransaction(world.database, transactionIdSchema.parse(id));
    const text = Buffer.from(stored?.authorisation?.payload ?? expect.fail()).toString("utf8");
    const { transaction } = authorisedTransactionSchema.parse(JSON.parse(text));
    return z.looseObject({ maxFee: z.string().optional() }).parse(transaction).maxFee;
  };
  const twice = (2n * 21_000n * USUAL).toString();

  it.each(["speed-up", "cancel"])(
    "may cost twice what it replaces, which signers hold it to: %s",
    async (action) => {
      await guard(limitOf("10"));
      await guard(toFriend);
      const made = await post(`${await waiting()}/${action}`, {});
      expect([made.status, await maxFeeOf(made.id)]).toEqual(["Pending", twice]);
    },
  );

  it("waits for the rights before it holds the row of what it replaces: neither waits for the other", async () => {
    const path = await waiting();
    const { asked } = await world.database.transaction(async (connection) => {
      await changeRights(connection, world.caller.orgId);
      const answer = world.call("POST", `${path}/speed-up`, {});
      await expect.poll(() => world.database.execute(WAITING_FOR_RIGHTS)).toBe(1);
      await connection.execute("select from chain_requests where id = $1 for update nowait", [
        path.split("/").at(-1),
      ]);
      return { asked: answer };
    });
    expect((await asked).status).toBe(200);
  });

  it.each(["speed-up", "cancel"])(
    "INV-9 is made without a market that no chain has, and is read as others are: %s",
    async (action) => {
      const level = { maxFeePerGas: "-3", maxPriorityFeePerGas: "1.5" };
      const levels = { kind: "Eip1559", blockNumber: 7, baseFeePerGas: "2" } as const;
      const market = { ...levels, slow: level, standard: level, fast: level };
      const feeLevels = vi.spyOn(world.chain, "feeLevels").mockResolvedValue(ok(market));
      const made = await post(`${await waiting()}/${action}`, {});
      expect(feeLevels).toHaveBeenCalled();
      feeLevels.mockRestore();
      expect([made.status, await maxFeeOf(made.id)]).toEqual(["Pending", twice]);
      expect((await world.call("GET", `/wallets/${wallet}/transactions/${made.id}`)).status).toBe(200);
    },
  );

  it.each(["speed-up", "cancel"])(
    "row 14: pays no block builder past a limit of 10 USD: %s",
    async (action) => {
      await guard(limitOf("10"));
      expect((await post(`${await waiting(DEAR)}/${action}`, {})).status).toBe("Rejected");
    },
  );

  it("row 14: pays no block builder past a limit of 10 USD: a call under the nonce of what waits", async () => {
    await guard(limitOf("10"));
    await waiting();
    expect((await send({ kind: "Evm", ...TO_ITSELF, nonce: 0 })).status).toBe("Rejected");
    const bounded = { gasLimit: "21000", maxFeePerGas: (2n * USUAL).toString() };
    expect((await send({ kind: "Eip1559", ...TO_ITSELF, nonce: 0, ...bounded })).status).toBe("Pending");
  });

  it("counts once with what it replaces, at the higher of both, for one of them lands", async () => {
    await guard(velocityOf("8"));
    const path = await waiting();
    // 3.00 USD, and up to 4.20 USD of fees
    const first = await post(`${path}/speed-up`, {});
    await broadcast(first.id, USUAL);
    const second = await post(`/wallets/${wallet}/transactions/${first.id}/cancel`, {});
    expect([first.status, second.status]).toEqual(["Pending", "Pending"]);
    expect((await transfer("450000000000000")).status).toBe("Rejected");
    expect((await transfer("350000000000000")).status).toBe("Pending");
  });

  it("is authorised with the fee that policies judged, whatever the orchestrator writes meanwhile", async () => {
    await guard(limitOf("5"), ASK);
    const path = await waiting();
    const asked = await post(`${path}/speed-up`, {});
    expect(asked.status).toBe("Pending");
    const dearer = Buffer.from(bytesOf().slice(2), "hex");
    await world.database.execute("update chain_requests set signed_transaction = $2 where id = $1", [
      path.split("/").at(-1),
      dearer,
    ]);
    await alice.call("POST", `/v2/policy-approvals/${asked.approvalId}/decisions`, { value: "Approved" });
    expect(await maxFeeOf(asked.id)).toBe(twice);
  });
});

describe("a signed transaction that nobody has broadcast", () => {
  const five = (nonce: bigint) =>
    bytesOf({
      nonce,
      fees: { kind: "Legacy", gasPrice: USUAL },
      call: { to: FRIEND, value: 1_450_000_000_000_000n, data: "0x" },
    });

  it("counts in a velocity from the moment it is authorised", async () => {
    await guard(velocityOf("10"));
    const signed = [
      await sign({ kind: "Transaction", transaction: five(0n) }),
      await sign({ kind: "Transaction", transaction: five(1n) }),
      await sign({ kind: "Transaction", transaction: five(2n) }),
    ];
    expect(signed.map(({ status }) => status)).toEqual(["Signed", "Signed", "Rejected"]);
    expect((await transfer("1")).status).toBe("Rejected");
  });

  it("counts from its approval on, however long it waited for that", async () => {
    await guard(limitOf("4"), ASK);
    const asked = await sign({ kind: "Transaction", transaction: five(0n) });
    expect(asked.status).toBe("Pending");
    await world.database.execute(
      "update wallet_spendings set date = date - interval '2 hours' where request_id = $1",
      [asked.id],
    );
    const { status } = await alice.call("POST", `/v2/policy-approvals/${asked.approvalId}/decisions`, {
      value: "Approved",
    });
    expect(status).toBe(200);
    await guard(velocityOf("5"));
    expect((await transfer("1")).status).toBe("Rejected");
  });
});

describe("a transaction that a key signs for a network on which it has no wallet", () => {
  /** a tenth of an ether, 200 USD, to another address, without a fee */
  const call = { to: FRIEND, value: 100_000_000_000_000_000n, data: "0x" } as const;
  const transaction = bytesOf({ call, fees: { kind: "Legacy", gasPrice: 0n } });
  const elsewhere = { kind: "Transaction", transaction, network: "EthereumSepolia" };
  /** Leaves the key with a wallet on another network, and with none on this one. */
  const moveAway = () =>
    world.database.execute("update wallets set network = 'Ethereum' where id = $1", [wallet]);

  it("row 15: is judged by all wallets of the key", async () => {
    await moveAway();
    await guard(limitOf("10"));
    expect((await post(`/keys/${key}/signatures`, elsewhere)).status).toBe("Rejected");
  });

  it("row 15: counts for all wallets of the key", async () => {
    await moveAway();
    await guard(velocityOf("399"));
    const statuses = [
      (await post(`/keys/${key}/signatures`, elsewhere)).status,
      (await post(`/keys/${key}/signatures`, elsewhere)).status,
    ];
    expect(statuses).toEqual(["Signed", "Rejected"]);
  });

  it("row 15: is judged by the policies without filters when the key has no wallet at all", async () => {
    await guard(rule("AlwaysTrigger"));
    await world.database.execute("update wallets set status = 'Failed', address = null where id = $1", [
      wallet,
    ]);
    expect((await post(`/keys/${key}/signatures`, elsewhere)).status).toBe("Signed");
    const { body } = await world.call("POST", "/v2/policies", {
      name: "everywhere",
      activityKind: "Wallets:Sign",
      rule: limitOf("10"),
      action: BLOCK,
    });
    expect((await post(`/keys/${key}/signatures`, elsewhere)).status).toBe("Rejected");
    await world.call("DELETE", `/v2/policies/${z.looseObject({ id: z.string() }).parse(body).id}`, {});
  });
});
