import algosdk from "algosdk";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { testAccount } from "../testing/algorand-world.ts";
import { addressOfKey } from "./address.ts";
import { type AlgodEffect, type AlgodEvent, advanceAlgorand } from "./advance.ts";
import { makeAlgodGenesis } from "./genesis.ts";
import { minimumBalanceOf } from "./rules/minimum-balance.ts";
import { type AlgodState, latestBlock, openAlgorandLedger } from "./state.ts";
import { decodeGroup } from "./transaction/decode.ts";
import { checkSignature } from "./transaction/signature.ts";

const GENESIS = makeAlgodGenesis("conclave-v1", "tests");
const SUPPLY = 10_000_000_000_000_000n;
const ACCOUNTS = [testAccount(1), testAccount(2), testAccount(3)] as const;
const account = (at: number): algosdk.Account => ACCOUNTS[at % ACCOUNTS.length] ?? ACCOUNTS[0];

const opened = (): AlgodState => openAlgorandLedger(GENESIS, 1_000n);

const after = (state: AlgodState, ...events: readonly AlgodEvent[]): AlgodState =>
  events.reduce((now, event) => advanceAlgorand(now, event).state, state);

const fund = (at: number, amount: bigint): AlgodEvent => ({
  kind: "fund",
  address: addressOfKey(account(at).addr.publicKey),
  amount,
});

const decoded = (bytes: Uint8Array) => {
  const group = decodeGroup(bytes);
  if (!group.ok) throw new Error(group.message);
  return group.value;
};

interface Paying {
  readonly from: number;
  readonly to: number;
  readonly amount: bigint;
  readonly note: number;
  readonly close?: boolean;
}

const payment = (state: AlgodState, { from, to, amount, note, close = false }: Paying): Uint8Array => {
  const [{ round }, receiver] = [latestBlock(state), account(to).addr];
  return algosdk
    .makePaymentTxnWithSuggestedParamsFromObject({
      sender: account(from).addr,
      receiver,
      amount,
      note: Uint8Array.of(1, note),
      suggestedParams: {
        genesisID: GENESIS.id,
        genesisHash: GENESIS.hash,
        firstValid: round + 1n,
        lastValid: round + 5n,
        minFee: 1_000n,
        fee: 1_000n,
        flatFee: true,
      },
      ...(close && from !== to && { closeRemainderTo: receiver }),
    })
    .signTxn(account(from).sk);
};

const submit = (state: AlgodState, paying: Paying): AlgodEvent => ({
  kind: "submit",
  bytes: payment(state, paying),
});

const MINE: AlgodEvent = { kind: "mine", time: 2_000n };

describe("a step of the ledger", () => {
  it("is deterministic for every caller", () => {
    const run = (): readonly (AlgodState | readonly AlgodEffect[])[] => {
      const funded = after(opened(), fund(0, 1_000_000n), MINE);
      const step = advanceAlgorand(funded, submit(funded, { from: 0, to: 1, amount: 200_000n, note: 1 }));
      return [after(step.state, MINE), step.effects];
    };
    expect(run()).toEqual(run());
  });

  it("does not change the state that it is given", () => {
    const funded = after(opened(), fund(0, 1_000_000n), MINE);
    const waiting = after(funded, submit(funded, { from: 0, to: 1, amount: 200_000n, note: 1 }));
    const before = structuredClone(waiting);
    after(waiting, MINE, submit(waiting, { from: 0, to: 2, amount: 200_000n, note: 2 }), MINE, {
      kind: "drop",
      id: undefined,
    });
    expect(waiting).toEqual(before);
  });

  it("ledgers of other seeds are other ledgers, with other faucets", () => {
    const other = makeAlgodGenesis("conclave-v1", "other");
    expect(other.faucet.address).not.toBe(GENESIS.faucet.address);
    expect(other.hash).not.toEqual(GENESIS.hash);
  });
});

const paying = fc.record({
  kind: fc.constant("pay" as const),
  from: fc.nat(2),
  to: fc.nat(2),
  amount: fc.oneof(fc.bigInt(0n, 400_000n), fc.bigInt(0n, 5_000_000n)),
  note: fc.nat(255),
  close: fc.boolean(),
});
const other = fc.constantFrom<AlgodEvent>(
  MINE,
  { kind: "drop", id: undefined },
  { kind: "delay", id: undefined, rounds: 2n },
  { kind: "set-fees", fees: { minimum: 2_000n, perByte: 0n } },
  { kind: "set-fees", fees: { minimum: 1_000n, perByte: 0n } },
);

it("no transaction creates or destroys microalgos, and every account keeps its minimum or is closed", () => {
  const start = after(opened(), fund(0, 3_000_000n), fund(1, 1_000_000n), MINE);
  fc.assert(
    fc.property(fc.array(fc.oneof(paying, other), { maxLength: 12 }), (happenings) => {
      const end = happenings.reduce(
        (state, each) => after(state, each.kind === "pay" ? submit(state, each) : each),
        start,
      );
      const { books, genesis } = after(end, MINE);
      const all = [...books.accounts];
      expect(all.reduce((sum, [, { balance }]) => sum + balance, 0n)).toBe(SUPPLY);
      const below = all.filter(([address, each]) => {
        return address !== genesis.feeSink && each.balance < minimumBalanceOf(each);
      });
      expect(below).toEqual([]);
    }),
    { numRuns: 30 },
  );
});

describe("signed bytes", () => {
  it("with any one bit turned are refused", () => {
    const funded = after(opened(), fund(0, 1_000_000n), MINE);
    const bytes = payment(funded, { from: 0, to: 1, amount: 200_000n, note: 1 });
    const taken = [...bytes.keys()].filter((at) => {
      const turned = bytes.map((byte, place) => (place === at ? byte ^ (1 << (at % 8)) : byte));
      const [effect] = advanceAlgorand(funded, { kind: "submit", bytes: turned }).effects;
      return effect?.kind !== "refused";
    });
    expect(taken).toEqual([]);
  });

  it("of any kind are read or refused, and never break the ledger", () => {
    const state = opened();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(advanceAlgorand(state, { kind: "submit", bytes }).effects[0]?.kind).toBe("refused");
      }),
      { numRuns: 500 },
    );
  });

  // the payment that the tests of Algorand's official SDKs share; the Go SDK made it
  it("of another implementation are read, named and verified alike", () => {
    const bytes = Buffer.from(
      "gqNzaWfEQPhUAZ3xkDDcc8FvOVo6UinzmKBCqs0woYSfodlmBMfQvGbeUx3Srxy3dyJDzv7rLm26BRv9FnL2/AuT7NYfiAWjdHhui6NhbXTNA+" +
        "ilY2xvc2XEIEDpNJKIJWTLzpxZpptnVCaJ6aHDoqnqW2Wm6KRCH/xXo2ZlZc0EmKJmds0wsqNnZW6sZGV2bmV0LXYzMy4womdoxCAmCyAJoJOo" +
        "hot5WHIvpeVG7eftF+TYXEx4r7BFJpDt0qJsds00mqRub3RlxAjqABVHQ2y/lqNyY3bEIHts4k/rW6zAsWTinCIsV/X2PcOH1DkEglhBHF/hD3" +
        "wCo3NuZMQg5/D4TQaBHfnzHI2HixFV9GcdUaGFwgCQhmf0SVhwaKGkdHlwZaNwYXk=",
      "base64",
    );
    const [submission] = decoded(bytes);
    if (submission === undefined) throw new Error("it is one transaction");
    expect(checkSignature(submission)).toEqual({ ok: true, value: undefined });
    expect(submission.id).toBe("5FJDJD5LMZC3EHUYYJNH5I23U4X6H2KXABNDGPIL557ZMJ33GZHQ");
    expect(submission.transaction).toMatchObject({
      sender: "47YPQTIGQEO7T4Y4RWDYWEKV6RTR2UNBQXBABEEGM72ESWDQNCQ52OPASU",
      fee: 1_176n,
      genesisId: "devnet-v33.0",
      act: { kind: "payment", amount: 1_000n },
    });
  });
});
