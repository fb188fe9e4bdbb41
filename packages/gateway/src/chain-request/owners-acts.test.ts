import { buildTransaction } from "@conclave/chains/evm";
import { FEES, SEPOLIA } from "@conclave/chains/testing";
import {
  ACTS_BY_STAGE,
  authorisedTransactionSchema,
  type ChainRequestEvent,
  type ChainRequestId,
  OWNERS_ACTS,
  REQUEST_STAGES,
  type RequestStage,
  transactionIdSchema,
  transferIdSchema,
} from "@conclave/custody";
import { changeChainRequest, lockChainRequest, readTransaction } from "@conclave/platform";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { errorOf, transferOf, walletOf } from "../testing/bodies.ts";
import { startWorld, type World } from "../testing/world.ts";

const TO = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
const DATE = "2026-01-02T03:04:05.678Z";
const GWEI = 10n ** 9n;
const requestId = (id: string): ChainRequestId =>
  id.startsWith("tx-") ? transactionIdSchema.parse(id) : transferIdSchema.parse(id);

let world: World;
let transfers: string;
let transactions: string;
let nextNonce = 0;
beforeAll(async () => {
  world = await startWorld();
  const { id } = walletOf((await world.call("POST", "/wallets", { network: "EthereumSepolia" })).body);
  transfers = `/wallets/${id}/transfers`;
  transactions = `/wallets/${id}/transactions`;
});
afterAll(() => world.stop());

const happen = async (id: string, events: readonly ChainRequestEvent[]): Promise<void> => {
  await world.database.transaction(async (connection) => {
    for (const event of events) {
      const request = await lockChainRequest(connection, requestId(id));
      if (request === undefined) throw new Error(`${id} is gone`);
      const changed = await changeChainRequest(connection, request, event);
      if (!changed.ok) throw new Error(changed.problem.message);
    }
  });
};
const unsignedOf = (nonce: number): Uint8Array =>
  buildTransaction({
    chainId: SEPOLIA.chainId,
    nonce: BigInt(nonce),
    fees: { kind: "Eip1559", ...FEES },
    gasLimit: 21_000n,
    call: { to: TO, value: 5n, data: "0x" },
  });
const signedAt = (nonce: number): readonly ChainRequestEvent[] => {
  const unsignedTransaction = unsignedOf(nonce);
  const details = { nonce };
  return [
    { kind: "Begun" },
    { kind: "Built", sequence: BigInt(nonce), exclusion: Uint8Array.of(nonce), unsignedTransaction, details },
    { kind: "Signed", unsignedTransaction, signedTransaction: Uint8Array.of(2, nonce), txHash: `0x${nonce}` },
  ];
};
const REFUSED: ChainRequestEvent = { kind: "RefusedForGood", reason: "tip below the minimum" };

/** Makes a transfer. @returns its id */
const asked = async (): Promise<string> =>
  transferOf((await world.call("POST", transfers, { kind: "Native", to: TO, amount: "5" })).body).id;
const pathOf = (id: string): string => `${id.startsWith("tx-") ? transactions : transfers}/${id}`;
const act = (id: string, name: (typeof OWNERS_ACTS)[number]) =>
  world.call(name === "abort" ? "PUT" : "POST", `${pathOf(id)}/${name}`, {});
const replacedBy = async (id: string, name: "speed-up" | "cancel"): Promise<string> =>
  transferOf((await act(id, name)).body).id;

/** Makes a request at a stage. @returns its id, and the id of the holder of its place */
const REQUESTS: Readonly<Record<RequestStage, () => Promise<readonly [string, string]>>> = {
  "awaits approval": async () => {
    const policy = await world.call("POST", "/v2/policies", {
      name: "each waits",
      activityKind: "Wallets:Sign",
      rule: { kind: "AlwaysTrigger" },
      action: { kind: "RequestApproval", approvalGroups: [{ quorum: 1, approvers: {} }] },
    });
    const id = await asked();
    const policyId = z.looseObject({ id: z.string() }).parse(policy.body).id;
    expect((await world.call("DELETE", `/v2/policies/${policyId}`, {})).status).toBe(200);
    return [id, id];
  },
  "not signed": async () => {
    const id = await asked();
    return [id, id];
  },
  signed: async () => {
    const id = await asked();
    await happen(id, [...signedAt(nextNonce++), REFUSED]);
    return [id, id];
  },
  "replacement not signed": async () => {
    const [id] = await REQUESTS.signed();
    return [id, await replacedBy(id, "speed-up")];
  },
  "sped up": async () => {
    const [id, made] = await REQUESTS["replacement not signed"]();
    await happen(made, [...signedAt(nextNonce - 1), REFUSED]);
    return [id, made];
  },
  "being cancelled": async () => {
    const [id, made] = await REQUESTS["sped up"]();
    const cancellation = await replacedBy(made, "cancel");
    await happen(cancellation, [...signedAt(nextNonce - 1), REFUSED]);
    return [id, cancellation];
  },
  "replaced by its caller": async () => {
    const [id] = await REQUESTS.signed();
    const own = {
      kind: "Eip1559",
      to: TO,
      value: "7",
      nonce: nextNonce - 1,
      maxFeePerGas: (900n * GWEI).toString(),
    };
    return [id, transferOf((await world.call("POST", transactions, own)).body).id];
  },
  settled: async () => {
    const [id] = await REQUESTS.signed();
    const confirmed = { kind: "Confirmed", date: DATE, fee: "1", blockNumber: 1n, blockHash: "0x1" } as const;
    await happen(id, [{ kind: "Broadcasted", date: DATE }, confirmed]);
    return [id, id];
  },
};

describe("INV-5 a request whose bytes no node takes never holds its wallet: each act, in each state", () => {
  it.each(REQUEST_STAGES.flatMap((stage) => OWNERS_ACTS.map((name) => ({ stage, name }))))(
    "$name of one that is: $stage",
    async ({ stage, name }) => {
      const [id, holder] = await REQUESTS[stage]();
      const { status, body } = await act(id, name);
      switch (ACTS_BY_STAGE[stage][name]) {
        case "works":
          expect(status).toBe(200);
          if (name === "abort") return expect(["Failed", "Rejected"]).toContain(transferOf(body).status);
          return expect(await lineOf(transferOf(body).id)).toContain(holder);
        case "abort":
          expect([status, errorOf(body).details.code]).toEqual([409, "RequestStateInvalid"]);
          return expect((await act(id, "abort")).status).toBe(200);
        case "cancel":
        case "cancel again":
          expect([status, errorOf(body).details.code]).toEqual([409, "RequestStateInvalid"]);
          return expect((await act(id, "cancel")).status).toBe(200);
        case "abort the replacement":
          expect([status, errorOf(body).details.code]).toEqual([409, "RequestReplaced"]);
          expect(errorOf(body).message).toContain(holder);
          expect((await act(holder, "abort")).status).toBe(200);
          return expect((await act(id, "cancel")).status).toBe(200);
        case "act on the replacement":
          expect([status, errorOf(body).details.code]).toEqual([409, "RequestReplaced"]);
          return expect((await act(holder, "abort")).status).toBe(200);
        case "over":
          return expect([status, errorOf(body).details.code]).toEqual([409, "RequestStateInvalid"]);
      }
    },
  );
});

/** The requests that a transaction replaces, as the authority signed them. */
const lineOf = async (id: string): Promise<readonly string[]> => {
  const stored = await readTransaction(world.database, transactionIdSchema.parse(id));
  if (stored?.authorisation === undefined) throw new Error(`${id} is not authorised`);
  const act = authorisedTransactionSchema.parse(
    JSON.parse(Buffer.from(stored.authorisation.payload).toString("utf8")),
  );
  return act.replaces ?? [];
};
