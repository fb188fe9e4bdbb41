import { FAMILIES } from "@conclave/chains";
import { buildTransaction } from "@conclave/chains/evm";
import { FEES, SEPOLIA } from "@conclave/chains/testing";
import {
  type Approval,
  approvalIdSchema,
  authorisedTransactionSchema,
  type ChainRequestEvent,
  makePrices,
  type TransactionId,
  transactionIdSchema,
  transferIdSchema,
} from "@conclave/custody";
import {
  changeChainRequest,
  freshId,
  listEvents,
  lockChainRequest,
  processWorld,
  readTransaction,
} from "@conclave/platform";
import { afterAll, beforeAll, expect, it } from "vitest";
import { releaseSubject } from "../policy/release.ts";
import { transferOf, walletOf } from "../testing/bodies.ts";
import { readingOf } from "../testing/reading.ts";
import { ADDRESS, startWorld, type World } from "../testing/world.ts";

const TO = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
const DATE = "2026-01-02T03:04:05.678Z";
const ASKED = { kind: "Call", to: TO, value: "5", data: "" };

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

/** The paths of a new wallet without transactions. */
const newWallet = async () => {
  const { id } = walletOf((await world.call("POST", "/wallets", { network: "EthereumSepolia" })).body);
  return { transactions: `/wallets/${id}/transactions`, transfers: `/wallets/${id}/transfers` };
};

const paying = (to: `0x${string}`, value: bigint, nonce: number) =>
  buildTransaction({
    chainId: SEPOLIA.chainId,
    nonce: BigInt(nonce),
    fees: { kind: "Eip1559", ...FEES },
    gasLimit: 21_000n,
    call: { to, value, data: "0x" },
  });

/** Writes into a request's row, as a lying orchestrator, that another transaction was signed and broadcast. */
const deceive = async (id: string, nonce: number): Promise<void> => {
  const events: readonly ChainRequestEvent[] = [
    { kind: "Begun" },
    {
      kind: "Built",
      sequence: BigInt(nonce),
      exclusion: Uint8Array.of(nonce),
      unsignedTransaction: paying(ADDRESS, 10n ** 18n, nonce),
      details: {},
    },
    {
      kind: "Signed",
      unsignedTransaction: paying(ADDRESS, 10n ** 18n, nonce),
      signedTransaction: Uint8Array.of(2, nonce),
      txHash: `0x${nonce}`,
    },
    { kind: "Broadcasted", date: DATE },
  ];
  const schema = id.startsWith("tx-") ? transactionIdSchema : transferIdSchema;
  await world.database.transaction(async (connection) => {
    for (const event of events) {
      const request = await lockChainRequest(connection, schema.parse(id));
      if (request === undefined) return expect.fail(`${id} is gone`);
      expect((await changeChainRequest(connection, request, event)).ok).toBe(true);
    }
  });
};

/** The id of a request's speed-up, and the act that the authority signed for it. */
const spedUp = async (path: string, id: string) => {
  const made = transferOf((await world.call("POST", `${path}/${id}/speed-up`, {})).body).id;
  const stored = await readTransaction(world.database, transactionIdSchema.parse(made));
  const text = Buffer.from(stored?.authorisation?.payload ?? expect.fail()).toString("utf8");
  return { id: made, transaction: authorisedTransactionSchema.parse(JSON.parse(text)).transaction };
};

it("INV-3 speeds up the transfer that was asked for, and its speed-up, whatever the orchestrator says of them", async () => {
  const { transactions, transfers } = await newWallet();
  const asked = await world.call("POST", transfers, { kind: "Native", to: TO, amount: "5" });
  const { id } = transferOf(asked.body);
  await deceive(id, 0);
  const first = await spedUp(transfers, id);
  await deceive(first.id, 0);
  const second = await spedUp(transactions, first.id);
  expect([first.transaction, second.transaction]).toEqual([
    { ...ASKED, nonce: 0 },
    { ...ASKED, nonce: 0 },
  ]);
});

it.each([
  ["a call", { kind: "Evm", to: TO, value: "5" }],
  [
    "the caller's own bytes",
    { kind: "Transaction", transaction: `0x${Buffer.from(paying(TO, 5n, 0)).toString("hex")}` },
  ],
])("INV-3 speeds up %s as its owner wrote it, whatever the orchestrator says of it", async (_, body) => {
  const { transactions } = await newWallet();
  const { id } = transferOf((await world.call("POST", transactions, body)).body);
  await deceive(id, 7);
  expect((await spedUp(transactions, id)).transaction).toEqual({ ...ASKED, nonce: 7 });
});

it("INV-5 an approved request is rejected, with an event, when the service has stopped to serve it", async () => {
  const { transactions } = await newWallet();
  const { id } = transferOf((await world.call("POST", transactions, { kind: "Evm", to: TO })).body);
  await world.database.execute(
    `update chain_requests set authorisation = null, authorisation_signature = null, policy_decision = null,
       request_body = '{"kind": "Evm"}' where id = $1`,
    [id],
  );
  const authority = () => expect.fail("nothing is signed");
  const prices = makePrices([], FAMILIES);
  const chains = new Map();
  const reading = readingOf(chains);
  const releasing = {
    authority,
    prices,
    world: processWorld,
    now: () => new Date(),
    families: FAMILIES,
    chains,
    reading,
  };
  const people = { makers: new Map(), gone: new Set<never>(), memberships: new Map() };
  await world.database.transaction((connection) =>
    releaseSubject(releasing, connection, approvalOf(transactionIdSchema.parse(id)), people, DATE),
  );
  const { body } = await world.call("GET", `${transactions}/${id}`);
  expect(body).toMatchObject({ status: "Rejected", reason: expect.stringContaining("to is needed") });
  const events = await listEvents(world.database, id);
  expect(events.map(({ kind }) => kind)).toContain("wallet.transaction.rejected");
});

it("INV-9 an approved request is rejected when signers would refuse the caller's own bytes by now", async () => {
  const { transactions } = await newWallet();
  const transaction = `0x${Buffer.from(paying(TO, 5n, 0)).toString("hex")}`;
  const asked = { kind: "Transaction", transaction };
  const { id } = transferOf((await world.call("POST", transactions, asked)).body);
  await world.database.execute(
    `update chain_requests set authorisation = null, authorisation_signature = null, policy_decision = null
      where id = $1`,
    [id],
  );
  const authority = () => expect.fail("nothing is signed");
  const prices = makePrices([], FAMILIES);
  // the network of that name has another chain id now
  const network = { ...world.chain.network, chainId: 1 };
  const reading = readingOf(new Map([[network.network, { network }]]));
  const releasing = {
    authority,
    prices,
    now: () => new Date(),
    world: processWorld,
    families: FAMILIES,
    chains: new Map(),
    reading,
  };
  const people = { makers: new Map(), gone: new Set<never>(), memberships: new Map() };
  await world.database.transaction((connection) =>
    releaseSubject(releasing, connection, approvalOf(transactionIdSchema.parse(id)), people, DATE),
  );
  const { body } = await world.call("GET", `${transactions}/${id}`);
  expect(body).toMatchObject({ status: "Rejected", reason: expect.stringContaining("chainId") });
});

/** An approval that people have given. */
const approvalOf = (id: TransactionId): Approval => ({
  id: freshId(approvalIdSchema, "ap"),
  orgId: world.caller.orgId,
  initiatorId: world.caller.userId,
  activityKind: "Wallets:Sign",
  subject: { kind: "transaction", id },
  status: "Approved",
  groups: [],
  evaluations: [],
  decisions: [],
  expirationDate: undefined,
  dateCreated: DATE,
  dateUpdated: DATE,
  dateResolved: DATE,
  dateWithdrawn: undefined,
});
