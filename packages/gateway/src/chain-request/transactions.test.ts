import { verify } from "node:crypto";
import {
  buildTransaction,
  leastReplacing,
  readEvmTransaction as readBytes,
  type TransactionDraft,
} from "@conclave/chains/evm";
import { FEES, SEPOLIA } from "@conclave/chains/testing";
import {
  authorisedTransactionSchema,
  type ChainRequestEvent,
  type ChainRequestId,
  transactionIdSchema,
  transferIdSchema,
  type WalletId,
  walletIdSchema,
} from "@conclave/custody";
import { changeChainRequest, listEvents, lockChainRequest, readTransaction } from "@conclave/platform";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { errorOf, listOf, transferOf, walletOf } from "../testing/bodies.ts";
import { ADDRESS, startWorld, type World } from "../testing/world.ts";

const TO = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
const evm = { kind: "Evm", to: TO, value: "5" };
const DATE = "2026-01-02T03:04:05.678Z";

let world: World;
let walletId: WalletId;
let path: string;
let transfers: string;
/** each test that needs an account's order takes the next nonce */
let nextNonce = 0;

beforeAll(async () => {
  world = await startWorld();
  const { body } = await world.call("POST", "/wallets", { network: "EthereumSepolia" });
  walletId = walletIdSchema.parse(walletOf(body).id);
  path = `/wallets/${walletId}/transactions`;
  transfers = `/wallets/${walletId}/transfers`;
});
afterAll(() => world.stop());

const draft = (change: Partial<TransactionDraft> = {}): TransactionDraft => ({
  chainId: SEPOLIA.chainId,
  nonce: 0n,
  fees: { kind: "Eip1559", ...FEES },
  gasLimit: 21_000n,
  call: { to: TO, value: 5n, data: "0x" },
  ...change,
});
const hexOf = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString("hex")}`;
const serialised = (change: Partial<TransactionDraft> = {}) => ({
  kind: "Transaction",
  transaction: hexOf(buildTransaction(draft(change))),
});

/** Applies events as orchestrator and chain would cause them. */
const happen = async (id: string, events: readonly ChainRequestEvent[]): Promise<void> => {
  const requestId: ChainRequestId = id.startsWith("tx-")
    ? transactionIdSchema.parse(id)
    : transferIdSchema.parse(id);
  await world.database.transaction(async (connection) => {
    for (const event of events) {
      const request = await lockChainRequest(connection, requestId);
      if (request === undefined) throw new Error(`${id} is gone`);
      const changed = await changeChainRequest(connection, request, event);
      if (!changed.ok) throw new Error(changed.problem.message);
    }
  });
};
const signing = (nonce: number): readonly ChainRequestEvent[] => [
  { kind: "Begun" },
  {
    kind: "Built",
    sequence: BigInt(nonce),
    exclusion: Uint8Array.of(nonce),
    unsignedTransaction: buildTransaction(draft({ nonce: BigInt(nonce) })),
    details: { nonce },
  },
  {
    kind: "Signed",
    unsignedTransaction: buildTransaction(draft({ nonce: BigInt(nonce) })),
    signedTransaction: Uint8Array.of(2, nonce),
    txHash: `0x${nonce}`,
  },
];
const broadcasted = (nonce: number): readonly ChainRequestEvent[] => [
  ...signing(nonce),
  { kind: "Broadcasted", date: DATE },
];

/** A broadcast transfer, with the next nonce. */
const waiting = async (): Promise<{ readonly id: string; readonly nonce: number }> => {
  const { id } = transferOf(
    (await world.call("POST", transfers, { kind: "Native", to: TO, amount: "5" })).body,
  );
  const nonce = nextNonce++;
  await happen(id, broadcasted(nonce));
  return { id, nonce };
};
const codeOf = ({ status, body }: { readonly status: number; readonly body: unknown }) =>
  status === 200 ? "ok" : errorOf(body).details.code;

const authorisedOf = async (id: string) => {
  const stored = await readTransaction(world.database, transactionIdSchema.parse(id));
  if (stored?.authorisation === undefined) throw new Error(`${id} is not authorised`);
  const { payload, signature } = stored.authorisation;
  expect(verify(null, payload, world.authorityKey, signature)).toBe(true);
  return authorisedTransactionSchema.parse(JSON.parse(Buffer.from(payload).toString("utf8")));
};

describe("POST /wallets/{walletId}/transactions", () => {
  it("answers a pending transaction with the request as it was sent", async () => {
    const { status, body } = await world.call("POST", path, evm);
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.stringMatching(/^tx-[a-z0-9]{5}-[a-z0-9]{5}-[a-z0-9]{16}$/),
      walletId,
      network: "EthereumSepolia",
      requester: { userId: world.caller.userId, tokenId: world.caller.tokenId },
      requestBody: evm,
      status: "Pending",
      dateRequested: expect.stringMatching(/Z$/),
      datePolicyResolved: expect.stringMatching(/Z$/),
    });
  });

  it("INV-3 INV-8 stores exactly what signers may sign, signed by the authority", async () => {
    const body = { kind: "Eip1559", to: ADDRESS, data: "0xAB", gasLimit: "0x7530", maxFeePerGas: "9" };
    const { id } = transferOf((await world.call("POST", path, body)).body);
    expect(await authorisedOf(id)).toMatchObject({
      kind: "transaction",
      requestId: id,
      walletId,
      network: "EthereumSepolia",
      transaction: {
        kind: "Call",
        to: ADDRESS.toLowerCase(),
        value: "0",
        data: "ab",
        gasLimit: "30000",
        fees: { kind: "Eip1559", maxFeePerGas: "9" },
      },
    });
  });

  it("INV-3 authorises the caller's own bytes as signers will read them", async () => {
    const body = serialised();
    const { id } = transferOf((await world.call("POST", path, body)).body);
    const authorised = await authorisedOf(id);
    const read = readBytes(SEPOLIA, Buffer.from(body.transaction.slice(2), "hex"), authorised);
    expect(read.ok).toBe(true);
  });

  it("INV-6 records one event, and one request to the orchestrator", async () => {
    const { body } = await world.call("POST", path, evm);
    const events = await listEvents(world.database, transferOf(body).id);
    expect(events.map(({ kind, data }) => [kind, data])).toEqual([
      ["wallet.transaction.requested", { transactionRequest: body }],
    ]);
  });

  it("deploys a contract of 48 KiB", async () => {
    const deploy = { kind: "Evm", data: `0x${"60".repeat(49_152)}` };
    expect(codeOf(await world.call("POST", path, deploy))).toBe("ok");
  });

  it("answers the same transaction for the same body and externalId, and refuses another", async () => {
    const body = { ...evm, externalId: "tx-1" };
    const [first, again] = [await world.call("POST", path, body), await world.call("POST", path, body)];
    expect(transferOf(again.body).id).toBe(transferOf(first.body).id);
    expect(codeOf(await world.call("POST", path, { ...body, value: "6" }))).toBe("ExternalIdConflict");
    const native = { kind: "Native", to: TO, amount: "5", externalId: "tx-1" };
    expect(codeOf(await world.call("POST", transfers, native))).toBe("ok");
  });

  it.each([
    ["InvalidBody", { ...evm, colour: "red" }],
    ["InvalidBody", { ...evm, kind: "Psbt" }],
    ["InvalidBody", { kind: "SpeedUpTransaction", txHash: "0x", signedTx: "0x" }],
    ["InvalidBody", { ...evm, value: "-1" }],
    ["InvalidBody", { ...evm, nonce: -1 }],
    ["InvalidBody", { ...evm, data: "0x0" }],
    ["InvalidBody", { ...evm, data: `0x${"00".repeat(60_000)}` }],
    ["AddressInvalid", { ...evm, to: "0x12" }],
    ["AddressChecksum", { ...evm, to: ADDRESS.replace("aA", "AA") }],
    ["TransactionInvalid", { kind: "Evm" }],
    ["TransactionInvalid", { kind: "Evm", data: "0x60", value: "1" }],
    ["FeesContradictory", { ...evm, kind: "Eip1559", maxFeePerGas: "1", maxPriorityFeePerGas: "2" }],
    ["TransactionUnreadable", { kind: "Transaction", transaction: "0x" }],
    ["TransactionUnreadable", { kind: "Transaction", transaction: "0x02c0" }],
    ["TransactionUnreadable", { kind: "Transaction", transaction: `${serialised().transaction}00` }],
    ["TransactionInvalid", { kind: "Transaction", transaction: "0x03c0" }],
    ["TransactionInvalid", { kind: "Transaction", transaction: "0x04c0" }],
    ["TransactionInvalid", serialised({ chainId: 1 })],
  ])("INV-9 refuses with %s, and writes nothing: %#", async (code, body) => {
    const rows = await world.rows();
    const answer = await world.call("POST", path, body);
    expect([answer.status, codeOf(answer), await world.rows()]).toEqual([400, code, rows]);
  });

  it("INV-9 refuses fees above the network's cap in the caller's own bytes", async () => {
    const answer = await world.call("POST", path, serialised({ gasLimit: 10n ** 12n }));
    expect([answer.status, codeOf(answer)]).toEqual([422, "FeeAboveCap"]);
  });

  it("asks for the permission of either generation", async () => {
    for (const operation of ["Wallets:BroadcastTransaction", "Wallets:Transactions:Create"] as const) {
      const { token } = await world.tokenOf([operation]);
      const headers = { authorization: `Bearer ${token}` };
      expect(codeOf(await world.call("POST", path, evm, headers))).toBe("ok");
      expect(codeOf(await world.call("GET", path, undefined, headers))).toBe("PermissionMissing");
    }
  });
});

describe("the account nonce of a caller", () => {
  it.each([
    ["NonceUsed", () => nextNonce - 1],
    ["NonceGap", () => nextNonce + 1],
  ])("is refused with %s when it is not the next one", async (code, nonce) => {
    await happen((await waiting()).id, [
      { kind: "Confirmed", date: DATE, fee: "1", blockNumber: 1n, blockHash: "0x1" },
    ]);
    const answer = await world.call("POST", path, { ...evm, nonce: nonce() });
    expect([answer.status, codeOf(answer)]).toEqual([409, code]);
    expect(errorOf(answer.body).details["next"]).toBe(nextNonce);
  });

  it("is taken when it is the next one", async () => {
    expect(codeOf(await world.call("POST", path, { ...evm, nonce: nextNonce }))).toBe("ok");
  });

  it("INV-4 replaces a request of ours that waits with it, if the fees are 12.5 % higher", async () => {
    const { id, nonce } = await waiting();
    const fees = (maxFeePerGas: bigint) => ({
      ...evm,
      kind: "Eip1559",
      nonce,
      maxFeePerGas: maxFeePerGas.toString(),
    });
    const least = leastReplacing(FEES.maxFeePerGas);
    const low = await world.call("POST", path, fees(least - 1n));
    expect([low.status, codeOf(low)]).toEqual([400, "ReplacementUnderpriced"]);
    const taken = await world.call("POST", path, fees(least));
    expect(codeOf(taken)).toBe("ok");
    expect(await authorisedOf(transferOf(taken.body).id)).toMatchObject({
      transaction: { nonce },
      replaces: [id],
    });
    const replacementId = transferOf(taken.body).id;
    expect((await world.call("GET", `${transfers}/${id}`)).body).toMatchObject({ replacementId });
    const third = await world.call("POST", path, fees(least * 2n));
    expect([third.status, codeOf(third), errorOf(third.body).details["replacementId"]]).toEqual([
      409,
      "RequestReplaced",
      replacementId,
    ]);
    await happen(replacementId, broadcasted(nonce));
    expect(codeOf(await world.call("POST", path, fees(least * 2n)))).toBe("ok");
  });
});

describe("replacing a request that waits", () => {
  it.each([
    ["speed-up", "SpeedUpTransaction", { to: TO, value: "5", data: "" }],
    ["cancel", "CancelTransaction", { to: ADDRESS.toLowerCase(), value: "0", data: "" }],
  ])("INV-4 %s answers a transaction of its own with the same nonce", async (action, kind, call) => {
    const { id, nonce } = await waiting();
    const { status, body } = await world.call("POST", `${transfers}/${id}/${action}`, {});
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: expect.stringMatching(/^tx-/),
      status: "Pending",
      requestBody: { kind, txHash: `0x${nonce}`, signedTx: hexOf(Uint8Array.of(2, nonce)) },
    });
    const made = transferOf(body).id;
    const { transaction, replaces } = await authorisedOf(made);
    expect([transaction, replaces]).toEqual([{ kind: "Call", ...call, nonce }, [id]]);
    expect((await world.call("GET", `${transfers}/${id}`)).body).toMatchObject({ replacementId: made });
    const again = await world.call("POST", `${transfers}/${id}/${action}`, {});
    expect([again.status, codeOf(again)]).toEqual([409, "RequestReplaced"]);
  });

  it.each(["speed-up", "cancel"])("%s of a transfer is for who may make transfers", async (action) => {
    const { id } = await waiting();
    const replace = async (operation: "Wallets:TransferAsset" | "Wallets:BroadcastTransaction") => {
      const { token } = await world.tokenOf([operation]);
      const headers = { authorization: `Bearer ${token}` };
      return codeOf(await world.call("POST", `${transfers}/${id}/${action}`, {}, headers));
    };
    expect(await replace("Wallets:BroadcastTransaction")).toBe("PermissionMissing");
    expect(await replace("Wallets:TransferAsset")).toBe("ok");
  });

  it.each(["speed-up", "cancel"])(
    "K9 %s of a transfer that was sped up before takes the same right, and no other will do",
    async (action) => {
      const { id, nonce } = await waiting();
      const payer = await world.tokenOf(["Wallets:TransferAsset"]);
      const caller = await world.tokenOf(["Wallets:BroadcastTransaction"]);
      const by = ({ token }: typeof payer, at: string) =>
        world.call("POST", at, {}, { authorization: `Bearer ${token}` });
      const first = transferOf((await by(payer, `${transfers}/${id}/speed-up`)).body).id;
      await happen(first, broadcasted(nonce));
      expect(codeOf(await by(caller, `${path}/${first}/${action}`))).toBe("PermissionMissing");
      expect(codeOf(await by(payer, `${transfers}/${id}/${action}`))).toBe("ok");
    },
  );

  it("INV-4 lets one of two that come at the same time through", async () => {
    const { id } = await waiting();
    const answers = await Promise.all(
      ["speed-up", "cancel", "speed-up"].map((action) =>
        world.call("POST", `${transfers}/${id}/${action}`, {}),
      ),
    );
    expect(answers.map(codeOf).sort()).toEqual(["RequestReplaced", "RequestReplaced", "ok"]);
  });

  it("goes on with a replacement, whose line it continues", async () => {
    const { id, nonce } = await waiting();
    const first = transferOf((await world.call("POST", `${transfers}/${id}/speed-up`, {})).body).id;
    await happen(first, broadcasted(nonce));
    const second = await world.call("POST", `${path}/${first}/cancel`, {});
    expect(await authorisedOf(transferOf(second.body).id)).toMatchObject({
      replaces: [first, id],
    });
  });

  it("has nothing to replace before it is signed, and after it is settled", async () => {
    const pending = transferOf((await world.call("POST", path, evm)).body).id;
    for (const action of ["speed-up", "cancel"]) {
      const early = await world.call("POST", `${path}/${pending}/${action}`, {});
      expect([early.status, codeOf(early)]).toEqual([409, "RequestStateInvalid"]);
    }
    const { id } = await waiting();
    await happen(id, [{ kind: "Confirmed", date: DATE, fee: "1", blockNumber: 1n, blockHash: "0x1" }]);
    expect(codeOf(await world.call("POST", `${transfers}/${id}/cancel`, {}))).toBe("RequestStateInvalid");
  });
});

describe("aborting a request", () => {
  it("rejects one that is pending, with an event, and only once", async () => {
    const { id } = transferOf((await world.call("POST", path, evm)).body);
    const { status, body } = await world.call("PUT", `${path}/${id}/abort`, {});
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, status: "Rejected", reason: `aborted by ${world.caller.userId}` });
    const events = await listEvents(world.database, id);
    expect(events.map(({ kind }) => kind).sort()).toEqual([
      "wallet.transaction.rejected",
      "wallet.transaction.requested",
    ]);
    expect(codeOf(await world.call("PUT", `${path}/${id}/abort`, {}))).toBe("RequestStateInvalid");
  });

  it("fails one that is worked on, and refuses one that is signed", async () => {
    const { id } = transferOf(
      (await world.call("POST", transfers, { kind: "Native", to: TO, amount: "5" })).body,
    );
    await happen(id, signing(nextNonce).slice(0, 2));
    expect((await world.call("PUT", `${transfers}/${id}/abort`, {})).body).toMatchObject({
      status: "Failed",
    });
    const signed = await waiting();
    expect(codeOf(await world.call("PUT", `${transfers}/${signed.id}/abort`, {}))).toBe(
      "RequestStateInvalid",
    );
  });

  it("of a replacement leaves what it was to replace as it was", async () => {
    const { id } = await waiting();
    const made = transferOf((await world.call("POST", `${transfers}/${id}/cancel`, {})).body).id;
    await world.call("PUT", `${path}/${made}/abort`, {});
    expect((await world.call("GET", `${transfers}/${id}`)).body).not.toHaveProperty("replacementId");
    expect(codeOf(await world.call("POST", `${transfers}/${id}/cancel`, {}))).toBe("ok");
  });

  it("takes the permission to abort, or the one to create", async () => {
    for (const operation of ["Wallets:Transactions:Abort", "Wallets:BroadcastTransaction"] as const) {
      const { id } = transferOf((await world.call("POST", path, evm)).body);
      const { token } = await world.tokenOf([operation]);
      const headers = { authorization: `Bearer ${token}` };
      expect(codeOf(await world.call("PUT", `${path}/${id}/abort`, {}, headers))).toBe("ok");
    }
  });
});

describe("reading transactions", () => {
  it("lists a wallet's transactions and not its transfers, newest first, page by page", async () => {
    const all = listOf((await world.call("GET", `${path}?limit=500`)).body).items.map(({ id }) => id);
    const first = listOf((await world.call("GET", `${path}?limit=2`)).body);
    const second = listOf(
      (await world.call("GET", `${path}?limit=2&paginationToken=${first.nextPageToken}`)).body,
    );
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(all.slice(0, 4));
    expect(all.every((id) => id.startsWith("tx-"))).toBe(true);
  });

  it("shows nonce, gas and fees once they are fixed", async () => {
    const { id } = transferOf((await world.call("POST", path, evm)).body);
    await happen(id, signing(nextNonce++));
    expect((await world.call("GET", `${path}/${id}`)).body).toMatchObject({
      details: { nonce: nextNonce - 1 },
    });
  });

  it.each([
    ["GET", ""],
    ["PUT", "/abort"],
    ["POST", "/cancel"],
    ["POST", "/speed-up"],
  ])("INV-11 answers %s %s of another organisation's as if it were not there", async (method, action) => {
    const { id } = transferOf((await world.call("POST", path, evm)).body);
    const strange = { authorization: `Bearer ${world.strangersToken}` };
    const body = method === "GET" ? undefined : {};
    const theirs = await world.call(method, `${path}/${id}${action}`, body, strange);
    const unknown = await world.call(method, `${path}/tx-00000-00000-${"0".repeat(16)}${action}`, body);
    const misplaced = await world.call(method, `${transfers}/${id}${action}`, body);
    expect([theirs, unknown, misplaced].map((answer) => [answer.status, codeOf(answer)])).toEqual([
      [404, "TransactionNotFound"],
      [404, "TransactionNotFound"],
      [400, "InvalidParameter"],
    ]);
  });
});
