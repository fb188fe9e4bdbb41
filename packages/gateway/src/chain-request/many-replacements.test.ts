import { FAMILIES } from "@conclave/chains";
import { buildTransaction } from "@conclave/chains/evm";
import { FEES, SEPOLIA } from "@conclave/chains/testing";
import {
  authorisedTransactionSchema,
  makePrices,
  networkSchema,
  REPLACEMENTS_MAX,
  transactionIdSchema,
  transferIdSchema,
} from "@conclave/custody";
import {
  changeChainRequest,
  lockChainRequest,
  makeLogger,
  noteFeeWaits,
  readTransaction,
} from "@conclave/platform";
import { processWorld } from "@conclave/platform/world";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { makeAuthority } from "../authority.ts";
import { bumpRequest } from "../fee-bump/bump-request.ts";
import { errorOf, transferOf, walletOf } from "../testing/bodies.ts";
import { lengthenLine } from "../testing/long-line.ts";
import { readingOf } from "../testing/reading.ts";
import { type Answer, CLUSTER, startWorld, type World } from "../testing/world.ts";

const TO = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
const GWEI = 10n ** 9n;
const NETWORK = networkSchema.parse(SEPOLIA.network);
const requestIdSchema = z.union([transferIdSchema, transactionIdSchema]);

let world: World;
let wallet: string;
beforeAll(async () => {
  world = await startWorld({ settlementWaitMs: 300 });
});
/** A new wallet for each test, so that no earlier transactions wait in it. */
beforeEach(async () => {
  const { body } = await world.call("POST", "/wallets", { network: "EthereumSepolia" });
  wallet = `/wallets/${walletOf(body).id}`;
});
afterAll(() => world.stop());

const sign = (id: string, nonce: number): Promise<void> =>
  world.database.transaction(async (connection) => {
    const unsignedTransaction = buildTransaction({
      chainId: SEPOLIA.chainId,
      nonce: BigInt(nonce),
      fees: { kind: "Eip1559", ...FEES },
      gasLimit: 21_000n,
      call: { to: TO, value: 5n, data: "0x" },
    });
    const sequence = BigInt(nonce);
    for (const event of [
      { kind: "Begun" },
      { kind: "Built", sequence, exclusion: Uint8Array.of(nonce), unsignedTransaction, details: { nonce } },
      {
        kind: "Signed",
        unsignedTransaction,
        signedTransaction: Uint8Array.of(2, nonce),
        txHash: `0x${nonce}`,
      },
    ] as const) {
      const request = (await lockChainRequest(connection, requestIdSchema.parse(id))) ?? expect.fail(id);
      expect((await changeChainRequest(connection, request, event)).ok).toBe(true);
    }
  });

const pathOf = (id: string): string =>
  `${wallet}/${id.startsWith("tx-") ? "transactions" : "transfers"}/${id}`;
const act = (id: string, name: "abort" | "speed-up" | "cancel"): Promise<Answer> =>
  world.call(name === "abort" ? "PUT" : "POST", `${pathOf(id)}/${name}`, {});
const own = (nonce: number): Promise<Answer> =>
  world.call("POST", `${wallet}/transactions`, {
    kind: "Eip1559",
    to: TO,
    value: "7",
    nonce,
    maxFeePerGas: (900n * GWEI).toString(),
  });

/** A transfer that was replaced this many times, and the request that holds its place now. */
const replaced = async (times: number) => {
  const transfer = { kind: "Native", to: TO, amount: "5" };
  const nonce = 0;
  const { id } = transferOf((await world.call("POST", `${wallet}/transfers`, transfer)).body);
  await sign(id, nonce);
  const speedUp = transferOf((await act(id, "speed-up")).body).id;
  await sign(speedUp, nonce);
  return { id, nonce, holder: await lengthenLine(world.database, speedUp, times - 1) };
};
const refusal = ({ status, body }: Answer) => {
  const { code, instead, most, requestId } = errorOf(body).details;
  return { status, code, instead, most, requestId };
};
const full = (holder: string, instead?: string) => ({
  status: 409,
  code: "TooManyReplacements",
  instead,
  most: REPLACEMENTS_MAX,
  requestId: holder,
});

describe(`a request whose place was taken ${REPLACEMENTS_MAX} times`, () => {
  it("is sped up no more, whichever of the replacement chain is named, nor replaced by its caller: each refusal says what works", async () => {
    const { id, nonce, holder } = await replaced(REPLACEMENTS_MAX);
    const rows = await world.rows();
    for (const answer of [await act(id, "speed-up"), await act(holder, "speed-up"), await own(nonce)]) {
      expect(refusal(answer)).toEqual(full(holder, "cancel"));
    }
    expect(await act(id, "abort")).toMatchObject({
      status: 409,
      body: { error: { details: { code: "RequestStateInvalid", instead: "cancel" } } },
    });
    expect(await world.rows()).toBe(rows);
  });

  it("INV-4 is cancelled once more, of all in its replacement chain one lands; after that one waits", async () => {
    const { id, nonce, holder } = await replaced(REPLACEMENTS_MAX);
    const cancelled = await act(id, "cancel");
    expect(cancelled.status).toBe(200);
    const cancellation = transferOf(cancelled.body).id;
    const stored = await readTransaction(world.database, transactionIdSchema.parse(cancellation));
    const { replaces = [] } = authorisedTransactionSchema.parse(
      JSON.parse(Buffer.from(stored?.authorisation?.payload ?? expect.fail()).toString("utf8")),
    );
    expect([replaces.length, replaces[0], replaces.at(-1)]).toEqual([REPLACEMENTS_MAX + 1, holder, id]);
    await sign(cancellation, nonce);
    const rows = await world.rows();
    for (const name of ["speed-up", "cancel", "abort"] as const) {
      const answer = await act(id, name);
      expect(refusal(answer), name).toEqual(full(cancellation));
      expect(errorOf(answer.body).message).toMatch(/wait/);
    }
    expect(refusal(await own(nonce))).toEqual(full(cancellation));
    expect(await world.rows()).toBe(rows);
  });

  it("and one whose place was taken once less is sped up", async () => {
    const { id } = await replaced(REPLACEMENTS_MAX - 1);
    expect((await act(id, "speed-up")).status).toBe(200);
  });

  it("is raised by the service no more, and its reason says what works", async () => {
    const { holder } = await replaced(REPLACEMENTS_MAX);
    const requestId = requestIdSchema.parse(holder);
    await world.database.execute("update chain_requests set status = 'Broadcasted' where id = $1", [holder]);
    await noteFeeWaits(world.database, NETWORK, [{ requestId, sinceHeight: 100n }]);
    const chains = new Map([[SEPOLIA.network, world.chain]]);
    const counted: string[] = [];
    const market = await world.chain.feeLevels();
    await bumpRequest(
      {
        database: world.database,
        families: FAMILIES,
        chains,
        reading: readingOf(chains),
        authority: makeAuthority(world.authoritySigningKey, CLUSTER, () => new Date()),
        prices: makePrices([], FAMILIES),
        now: () => new Date(),
        world: processWorld,
        logger: makeLogger({ name: "test", level: "silent" }),
        events: {
          raised: () => expect.fail("it is raised"),
          notRaised: (_, { outcome }) => counted.push(outcome),
        },
      },
      { requestId, sinceHeight: 100n },
      {
        rule: { afterBlocks: 5, most: 3, cap: (900n * GWEI).toString() },
        height: 105n,
        market: market.ok ? market.value : expect.fail(),
      },
    );
    expect(counted).toEqual(["not-possible"]);
    const found = await readTransaction(world.database, transactionIdSchema.parse(holder));
    expect([found?.replacementId, found?.reason]).toEqual([
      undefined,
      expect.stringMatching(/was taken 64 times: cancel it, which works once more, or wait/),
    ]);
  });
});
